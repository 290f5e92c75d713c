// GET /{name}: redirection as the DOI proxy does it (Resolution doc, sections 1 and 3).

import { type Directory, mapAnswer } from '../../directory/directory.ts';
import { escapeMarkup } from '../../doi/encoding-forms.ts';
import { type HandleName, toHandleName } from '../../doi/name.ts';
import { percentDecode } from '../../doi/percent.ts';
import { GatewayError } from '../../errors.ts';
import type { RandomSource } from '../../handle/choose-location.ts';
import { aliasOf, type HandleRecord } from '../../handle/record.ts';
import { chooseRedirect, isDrawn, type Redirect } from '../../handle/redirect.ts';
import { type HandleValue, selectValues } from '../../handle/value.ts';
import type { AliasChain } from '../../loaders/follow-aliases.ts';
import { type Answer, attempt, type Soon } from '../request/exchange.ts';
import { type KeepingHeaders, keepingHeaders, notShared } from '../response/cache-headers.ts';
import { failureHeaders } from '../response/failure-headers.ts';
import { locationQuery, wantsData } from '../response/negotiate.ts';
import { localServiceUrl } from './local-service.ts';
import { deadAliasPage, faceLink, notFoundPage, page, plain, valuesPage } from './page.ts';
import { freshnessOf, indexesOf, type Query, type RestRequest } from './query.ts';
import { HTML_TYPE, restAnswer } from './rest-answer.ts';
import { hasLocations, showUrls, type VaryOptions, varyOf } from './vary.ts';

export interface RedirectionOptions extends VaryOptions {
  /** the gateway's address as clients see it, without a slash at its end; empty for relative links */
  readonly publicUrl: string;
  readonly random: RandomSource;
  readonly directory: Pick<Directory, 'description'>;
}

/** @param encodedName the path behind its first slash, without a scheme */
export function answerRedirection(
  encodedName: string,
  request: RestRequest,
  options: RedirectionOptions,
): Soon<Answer> {
  const decoded = percentDecode(encodedName);
  if (!decoded.ok) return badRequest('The path cannot be decoded: write a literal "%" as "%25".');
  const name = toHandleName(decoded.text);
  if (name === null) return NO_NAME;
  const isPrefix = !name.includes('/');
  if (isPrefix && !name.startsWith('10.')) return NO_NAME;
  const indexes = indexesOf(request.query);
  if (indexes === null) return badRequest('An index is no whole number of 32 bits.');

  return mapAnswer(resolve(name, request), (resolved) => {
    if (resolved === null) return deadAliasPage(name, headersFor([], request, options));
    const { record, isAliased } = resolved;
    const headers = headersFor(record.values, request, options);
    if (record.status === 'HANDLE_NOT_FOUND') {
      return isAliased ? deadAliasPage(name, headers) : notFoundPage(record, headers, options);
    }

    const { query } = request;
    const values = selectValues(record.values, query.all('type'), indexes);
    const action = query.first('action');
    const showsValues =
      isPrefix || query.isOn('noredirect') || action === 'showvalues' || isShownAlias(record, query);
    if (!showsValues && isAliased) {
      return redirection(301, aliasLocation(record.handle, query.raw, options), headers);
    }
    const answer = showsValues
      ? null
      : action === 'showurls'
        ? showUrls(record, values, headers)
        : redirect(record, values, headers, request, options);
    return answer ?? valuesPage(record, values, headers, options.publicUrl);
  });
}

interface Resolved {
  readonly record: HandleRecord;
  /** whether it is another one's that an alias leads to */
  readonly isAliased: boolean;
}

/** What the alias chain ends with; null for a chain that has no end. */
function resolve(name: HandleName, { query, loaders }: RestRequest): Soon<Resolved | null> {
  const freshness = freshnessOf(query);
  if (query.isOn('ignore_aliases')) {
    return mapAnswer(loaders.answeredRecord(name, freshness), (record) => ({ record, isAliased: false }));
  }
  return attempt(() => mapAnswer(loaders.aliasChain(name, freshness), endOf), nullForLoop);
}

function endOf({ record, via }: AliasChain): Resolved | null {
  return { record, isAliased: via.length > 0 };
}

function nullForLoop(error: unknown): null {
  if (error instanceof GatewayError && error.code === 'ALIAS_LOOP') return null;
  throw error;
}

/** Every other chain has been followed to a record without an alias. */
function isShownAlias(record: HandleRecord, query: Query): boolean {
  return query.isOn('ignore_aliases') && aliasOf(record) !== null;
}

type RedirectionHeaders = KeepingHeaders & { readonly Vary: string | undefined };

/** Null where there is nowhere to go. */
function redirect(
  record: HandleRecord,
  values: readonly HandleValue[],
  headers: RedirectionHeaders,
  { query, asked }: RestRequest,
  { countryHeader, localServices, random }: RedirectionOptions,
): Answer | null {
  const urlAppend = query.first('urlappend');
  // Headers are read only where they count: Node takes them apart when the first is asked for.
  const wantsDataHere = () => wantsData(asked.header('accept'));
  const way =
    !urlAppend && !hasLocations(values)
      ? plainWay(record, values)
      : wayOf(
          chooseRedirect(
            { ...record, values },
            {
              locatt: locationAttributes(query),
              country: query.first('country') || (countryHeader && (asked.header(countryHeader) ?? null)),
              urlAppend,
              wantsData: wantsDataHere(),
            },
            random,
          ),
        );
  if (way === null) return null;
  const local =
    localServices.length === 0 || query.isOn('nols') || wantsDataHere()
      ? null
      : localServiceUrl(asked.header('cookie'), localServices, record.handle);
  if (local !== null) return redirection(302, local, { ...headers, ...notShared(headers) });
  const kept = way.isDrawn ? { ...headers, ...notShared(headers) } : headers;
  return redirection(way.status, way.location, kept, way.page);
}

/** Each once: they are looked for in each location. */
function locationAttributes(query: Query): readonly string[] {
  const pairs = query.all('locatt');
  return [...new Set(query.first('action') === 'metadata' ? [...pairs, 'role:metadata'] : pairs)];
}

interface Way {
  readonly status: number;
  readonly location: string;
  /** for clients that do not follow the redirection */
  readonly page: string;
  /** asked for again, it may be another */
  readonly isDrawn: boolean;
}

/** Null where there is none. */
function wayOf(choice: Redirect): Way | null {
  const { url, statusCode } = choice;
  return url === null
    ? null
    : { status: statusCode ?? 302, location: url, page: linkTo(url), isDrawn: isDrawn(choice) };
}

/** Values without locations lead every client to the same place. The result is remembered as long as the values. */
function plainWay(record: HandleRecord, values: readonly HandleValue[]): Way | null {
  let way = plainWays.get(values);
  if (way === undefined) {
    way = wayOf(chooseRedirect({ ...record, values }, {}, NOTHING_TO_DRAW));
    plainWays.set(values, way);
  }
  return way;
}

const NOTHING_TO_DRAW: RandomSource = () => 0;

const plainWays = new WeakMap<readonly HandleValue[], Way | null>();

function headersFor(
  values: readonly HandleValue[],
  { life, now }: RestRequest,
  options: RedirectionOptions,
): RedirectionHeaders {
  const { 'Cache-Control': control, Expires } = keepingHeaders(life, now);
  return { 'Cache-Control': control, Expires, Vary: varyOf(values, options) ?? undefined };
}

/** Where an alias ends, with the query that came: never from the Host header. */
function aliasLocation(name: HandleName, query: string, { publicUrl }: RedirectionOptions): string {
  return publicUrl + faceLink(name) + locationQuery(query);
}

function redirection(
  status: number,
  location: string,
  headers: RedirectionHeaders,
  body = linkTo(location),
): Answer {
  const { 'Cache-Control': control, Expires, Vary } = headers;
  return restAnswer(status, HTML_TYPE, { 'Cache-Control': control, Expires, Vary, Location: location }, body);
}

function linkTo(location: string): string {
  const link = escapeMarkup(location);
  return `<!doctype html>\n<title>Handle Redirect</title>\n<a href="${link}">${link}</a>\n`;
}

const NO_NAME = plain(404, 'Not found. GraphQL is at /graphql.');

function badRequest(what: string): Answer {
  return page(400, 'Bad Request', `<p>${escapeMarkup(what)}</p>`, failureHeaders(400));
}
