// GET /{name}: redirection as the DOI proxy does it (Resolution doc, sections 1 and 3).

import type { Directory } from '../../directory/directory.ts';
import { escapeMarkup } from '../../doi/markup.ts';
import { type HandleName, toHandleName } from '../../doi/name.ts';
import { percentDecode } from '../../doi/percent.ts';
import { GatewayError } from '../../errors.ts';
import { aliasOf } from '../../handle/alias.ts';
import type { RandomSource } from '../../handle/choose-location.ts';
import { attributeOf } from '../../handle/locations.ts';
import type { HandleRecord } from '../../handle/record.ts';
import { chooseRedirect, isDrawn, isForData, readLocations } from '../../handle/redirect.ts';
import { type HandleValue, selectValues } from '../../handle/value.ts';
import type { AliasChain } from '../../loaders/alias-chain.ts';
import { wantsData } from './accept.ts';
import { cacheHeaders } from './cache-headers.ts';
import { HTML_TYPE, type RestRequest, type RestResponse } from './exchange.ts';
import { localServiceUrl } from './local-service.ts';
import { deadAliasPage, faceLink, notFoundPage } from './not-found-page.ts';
import { page, plain } from './page.ts';
import { freshnessOf, indexesOf } from './query.ts';
import { showUrls } from './show-urls.ts';
import { valuesPage } from './values-page.ts';

export interface RedirectionOptions {
  /** the gateway's address as clients see it, without a slash at its end; empty for relative links */
  readonly publicUrl: string;
  /** name, in lower case, of the request header that tells a client's country; null where there is none */
  readonly countryHeader: string | null;
  /** base URLs a reader's cookie may choose among */
  readonly localServices: readonly string[];
  readonly random: RandomSource;
  readonly directory: Pick<Directory, 'description'>;
}

/** @param encodedName the path behind its first slash, without a scheme */
export async function answerRedirection(
  encodedName: string,
  request: RestRequest,
  options: RedirectionOptions,
): Promise<RestResponse> {
  const decoded = percentDecode(encodedName);
  if (!decoded.ok) return badRequest('The path cannot be decoded: write a literal "%" as "%25".');
  const name = toHandleName(decoded.text);
  if (name === null) return noName();
  const isPrefix = name.startsWith('10.') && !name.includes('/');
  if (!isPrefix && !name.includes('/')) return noName();
  const indexes = indexesOf(request.query);
  if (indexes === null) return badRequest('An index is no whole number of 32 bits.');

  const { query } = request;
  const resolved = await resolve(name, request);
  if (resolved === null) return deadAliasPage(name);
  const { record, via } = resolved;
  const headers = headersFor(resolved, request.now, options);
  if (record.status === 'HANDLE_NOT_FOUND') {
    return via.length > 0 ? deadAliasPage(name, headers) : notFoundPage(record, headers, options);
  }

  const values = selectValues(record.values, query.all('type'), indexes);
  const action = query.first('action');
  const showsValues =
    query.isOn('noredirect') || action === 'showvalues' || isPrefix || aliasOf(record) !== null;
  if (showsValues) return valuesPage(record, values, headers);
  if (via.length > 0) return redirection(301, aliasLocation(record.handle, query.raw, options), headers);
  if (action === 'showurls') return showUrls(record, values, headers) ?? valuesPage(record, values, headers);
  return redirect(record, values, headers, request, options);
}

/** The end of the alias chain; null for a chain that has no end. */
async function resolve(name: HandleName, { query, loaders }: RestRequest): Promise<AliasChain | null> {
  const freshness = freshnessOf(query);
  if (query.isOn('ignore_aliases')) {
    const record = await loaders.answeredRecord(name, freshness);
    return { record, via: [], freshUntil: record.freshUntil };
  }
  try {
    return await loaders.aliasChain(name, freshness);
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'ALIAS_LOOP') return null;
    throw error;
  }
}

function redirect(
  record: HandleRecord,
  values: readonly HandleValue[],
  headers: Readonly<Record<string, string>>,
  { query, header }: RestRequest,
  { countryHeader, localServices, random }: RedirectionOptions,
): RestResponse {
  const forData = wantsData(header('accept'));
  const choice = chooseRedirect(
    { ...record, values },
    {
      locatt: [...query.all('locatt'), ...(query.first('action') === 'metadata' ? ['role:metadata'] : [])],
      country: query.first('country') || (countryHeader && header(countryHeader)),
      urlAppend: query.first('urlappend'),
      wantsData: forData,
    },
    random,
  );
  if (choice.url === null) return valuesPage(record, values, headers);
  const local =
    forData || query.isOn('nols') ? null : localServiceUrl(header('cookie'), localServices, record.handle);
  if (local !== null) return redirection(302, local, { ...headers, ...NOT_SHARED });
  const kept = isDrawn(choice) ? { ...headers, ...NOT_SHARED } : headers;
  return redirection(choice.statusCode ?? 302, choice.url, kept);
}

/** For an answer that is this reader's alone, or another one the next time. */
const NOT_SHARED = { 'Cache-Control': 'private, no-cache', Expires: '0' };

function headersFor(
  { record, freshUntil }: AliasChain,
  now: number,
  { localServices, countryHeader }: RedirectionOptions,
): Record<string, string> {
  const { locations } = readLocations(record.values, record.handle).list;
  const hasAttribute = (name: string): boolean => locations.some((one) => attributeOf(one, name) !== null);
  const vary = [
    ...(locations.some(isForData) ? ['Accept'] : []),
    ...(countryHeader && hasAttribute('country') ? [countryHeader] : []),
    ...(localServices.length > 0 ? ['Cookie'] : []),
  ];
  return { ...cacheHeaders(freshUntil, now), ...(vary.length > 0 ? { Vary: vary.join(', ') } : {}) };
}

/** Where an alias ends, with the query that came: never from the Host header. */
function aliasLocation(name: HandleName, query: string, { publicUrl }: RedirectionOptions): string {
  const kept = query.replace(/[^\x21-\x7E]/g, (character) => encodeURIComponent(character));
  return `${publicUrl}${faceLink(name)}${kept === '' ? '' : `?${kept}`}`;
}

function redirection(
  status: number,
  location: string,
  headers: Readonly<Record<string, string>>,
): RestResponse {
  const link = escapeMarkup(location);
  const body = `<!doctype html>\n<title>Handle Redirect</title>\n<a href="${link}">${link}</a>\n`;
  return { status, headers: { ...headers, 'Content-Type': HTML_TYPE, Location: location }, body };
}

function noName(): RestResponse {
  return plain(404, 'Not found. GraphQL is at /graphql.');
}

function badRequest(what: string): RestResponse {
  return page(400, 'Bad Request', `<p>${escapeMarkup(what)}</p>`);
}
