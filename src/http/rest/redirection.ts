// GET /{name}: redirects like the DOI proxy (Resolution doc, sections 1 and 3), or returns a page or metadata.

import type { Directory } from '../../directory/directory.ts';
import { escapeMarkup } from '../../doi/encoding-forms.ts';
import { type HandleName, toHandleName } from '../../doi/name.ts';
import { parseDoi } from '../../doi/parse.ts';
import { percentDecode } from '../../doi/percent.ts';
import { GatewayError } from '../../errors.ts';
import type { PrefixLocations } from '../../handle/prefix-locations.ts';
import { aliasOf, type HandleRecord } from '../../handle/record.ts';
import { NO_REDIRECT, type Redirect } from '../../handle/redirect.ts';
import { selectValues } from '../../handle/value.ts';
import { mapSoon, type Soon } from '../../time.ts';
import { attempt, type HttpResponse } from '../request/exchange.ts';
import { type KeepingHeaders, keepingHeaders, notShared } from '../response/cache-headers.ts';
import { failureHeaders } from '../response/failure-headers.ts';
import { acceptedData, locationQuery } from '../response/negotiate.ts';
import { answerApiHandles } from './api-handles.ts';
import { chosenTarget, linkTo, type TargetOptions } from './chosen-target.ts';
import { localServiceUrl } from './local-service.ts';
import { emptyResponse, metadataResponse, type Writing, writingFor } from './metadata-response.ts';
import { deadAliasPage, faceLink, notFoundPage, page, plain, valuesPage } from './page.ts';
import { freshnessOf, indexesOf, type Query, type RestRequest } from './query.ts';
import { HTML_TYPE, type RestHeaders, restAnswer } from './rest-answer.ts';
import { showUrls } from './show-urls.ts';
import { varyOf, varyOfFailure } from './vary.ts';

export interface RedirectionOptions extends TargetOptions {
  readonly directory: Pick<Directory, 'description' | 'isServiceBusy'>;
}

/** The record at the end of the alias chain. */
interface Resolution {
  readonly record: HandleRecord;
  /** whether the record is the target of an alias */
  readonly isAliased: boolean;
  readonly prefix: PrefixLocations;
}

/** @param encodedName the path after its first slash, without `doi:` or `hdl:` */
export function answerRedirection(
  encodedName: string,
  request: RestRequest,
  options: RedirectionOptions,
): Soon<HttpResponse> {
  const decoded = percentDecode(encodedName);
  if (!decoded.ok) return badRequest('The path cannot be decoded: write a literal "%" as "%25".', options);
  const name = toHandleName(decoded.text);
  if (name === null) return NO_NAME;
  const isPrefix = !name.includes('/');
  if (isPrefix && !name.startsWith('10.')) return NO_NAME;
  const { query } = request;
  const indexes = indexesOf(query);
  if (indexes === null) return badRequest('An index is not a 32-bit integer.', options);
  if (query.first('action') === 'api') return answerApiHandles(encodedName, request);

  return mapSoon(resolve(name, request), (resolution) => {
    const writing = writingOf(request, options);
    const headersOfPage = (): RedirectionHeaders => headersFor(NO_REDIRECT, request, options);
    const missing = (page: () => HttpResponse): HttpResponse =>
      writing === null ? page() : emptyResponse(404, headersOfPage());
    if (resolution === null) return missing(() => deadAliasPage(name, headersOfPage()));
    const { record, isAliased, prefix } = resolution;
    if (record.status === 'HANDLE_NOT_FOUND' && isAliased)
      return missing(() => deadAliasPage(name, headersOfPage()));
    if (record.status === 'HANDLE_NOT_FOUND')
      return missing(() => notFoundPage(record, headersOfPage(), options));
    const values = selectValues(record.values, query.all('type'), indexes);
    const selected = values === record.values ? record : { ...record, values };
    if (isPrefix || showsValues(query) || isShownAlias(record, query)) {
      return valuesPage(record, values, headersOfPage(), options.publicUrl);
    }
    if (prefix.isInactive) return missing(() => notFoundPage(record, headersOfPage(), options));
    if (query.first('action') === 'showurls') {
      return (
        showUrls(selected, prefix, headersOfPage()) ??
        valuesPage(record, values, headersOfPage(), options.publicUrl)
      );
    }
    if (isAliased) return redirection(301, aliasLocation(record.handle, query.raw, options), headersOfPage());
    const doi = writing === null ? null : parseDoi(record.handle, 'NAME').name;
    if (writing === null || doi === null) return redirect(selected, prefix, request, options);
    return metadataResponse(request, {
      name: doi,
      writing,
      serviceUrl: () => chosenTarget(record, prefix, acceptedData(request.http), request, options).url,
      directory: options.directory,
      otherwise: () => redirect(record, prefix, request, options),
    });
  });
}

/**
 * How to write the metadata. Null if the client wants the redirect, or if the gateway cannot write an accepted type.
 */
function writingOf({ http, query }: RestRequest, { hasMetadata }: RedirectionOptions): Writing | null {
  if (!hasMetadata) return null;
  const accepted = acceptedData(http);
  return accepted && writingFor(accepted, query);
}

/** `noredirect` has no effect if the query also has `action`. */
function showsValues(query: Query): boolean {
  const action = query.first('action');
  return action === null ? query.isOn('noredirect') : action === 'showvalues';
}

/** Follows aliases. Null if the aliases form a loop. */
function resolve(name: HandleName, { query, loaders }: RestRequest): Soon<Resolution | null> {
  const options = {
    freshness: freshnessOf(query),
    ignoresAliases: query.isOn('ignore_aliases'),
    withoutPrefix: showsValues(query),
  };
  return attempt(
    () =>
      mapSoon(loaders.resolved(name, options), ({ record, via, prefix }) => ({
        record,
        isAliased: via.length > 0,
        prefix,
      })),
    nullForLoop,
  );
}

function nullForLoop(error: unknown): null {
  if (error instanceof GatewayError && error.code === 'ALIAS_LOOP') return null;
  throw error;
}

/** Whether the response shows the record of an alias. Without `ignore_aliases`, no record here is an alias. */
function isShownAlias(record: HandleRecord, query: Query): boolean {
  return query.isOn('ignore_aliases') && aliasOf(record) !== null;
}

/** If the record has no target, returns the page with its values. */
function redirect(
  record: HandleRecord,
  prefix: PrefixLocations,
  request: RestRequest,
  options: RedirectionOptions,
): HttpResponse {
  const mediaTypes = acceptedData(request.http);
  const target = chosenTarget(record, prefix, mediaTypes, request, options);
  const headers = headersFor(target.choice, request, options);
  if (target.url === null) return valuesPage(record, record.values, headers, options.publicUrl);
  const { http, query } = request;
  const { localServices } = options;
  const local =
    mediaTypes !== null || localServices.length === 0 || query.isOn('nols')
      ? null
      : localServiceUrl(http.header('cookie'), localServices, record.handle);
  if (local !== null) return redirection(302, local, { ...headers, ...notShared(headers) });
  const kept = target.choice.isDrawn ? { ...headers, ...notShared(headers) } : headers;
  return redirection(target.status, target.url, { ...kept, Link: target.link }, target.page);
}

type RedirectionHeaders = KeepingHeaders & Pick<RestHeaders, 'Vary' | 'Link'>;

function headersFor(
  depends: Pick<Redirect, 'dependsOnAccept' | 'dependsOnCountry'>,
  { expiry, now }: RestRequest,
  options: RedirectionOptions,
): RedirectionHeaders {
  const { 'Cache-Control': control, Expires } = keepingHeaders(expiry, now);
  return { 'Cache-Control': control, Expires, Vary: varyOf(depends, options) ?? undefined };
}

/**
 * The URL of an alias target at this gateway, with the same query. Not made from the Host header: clients can forge it.
 */
function aliasLocation(name: HandleName, query: string, { publicUrl }: RedirectionOptions): string {
  return publicUrl + faceLink(name) + locationQuery(query);
}

function redirection(
  status: number,
  location: string,
  headers: RedirectionHeaders,
  body = linkTo(location),
): HttpResponse {
  const { 'Cache-Control': control, Expires, Vary, Link } = headers;
  const all = { 'Cache-Control': control, Expires, Vary, Link, Location: location };
  return restAnswer(status, HTML_TYPE, all, body);
}

const NO_NAME = plain(404, 'Not found. GraphQL is at /graphql.');

function badRequest(what: string, options: RedirectionOptions): HttpResponse {
  const headers = { ...failureHeaders(400), Vary: varyOfFailure(options) };
  return page(400, 'Bad Request', `<p>${escapeMarkup(what)}</p>`, headers);
}
