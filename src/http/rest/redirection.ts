// GET /{name}: redirects like the DOI proxy (Resolution doc, sections 1 and 3), or returns a page or metadata.

import type { HandleName } from 'doi-names';
import { escapeMarkup, parseDoi, toHandleName } from 'doi-names/parts';
import { GatewayError } from '../../errors.ts';
import type { PrefixLocations } from '../../handle/prefix-locations.ts';
import type { HandleRecord } from '../../handle/record.ts';
import { type Dependences, INDEPENDENT } from '../../handle/redirect.ts';
import { selectValues } from '../../handle/value.ts';
import { type Resolved, resolveName } from '../../loaders/resolve-name.ts';
import { mapSoon, type Soon } from '../../time.ts';
import { attempt, type HttpResponse } from '../request/exchange.ts';
import { type KeepingHeaders, keepingHeaders, notShared } from '../response/cache-headers.ts';
import { failureHeaders } from '../response/failure-headers.ts';
import { acceptedData, locationQuery } from '../response/negotiate.ts';
import { answerRecord } from './api-handles.ts';
import { chosenTarget, linkTo, localServiceUrl } from './chosen-target.ts';
import { type MetadataWriter, metadataResponse, writingFor } from './metadata-response.ts';
import { deadAliasPage, faceLink, notFoundPage, page, plain, valuesPage } from './page.ts';
import { nameOfPath } from './path-name.ts';
import {
  actionOf,
  freshnessOf,
  HTML_TYPE,
  hasMetadata,
  indexesOf,
  type Query,
  type RestFaceOptions,
  type RestRequest,
  restResponse,
} from './rest-exchange.ts';
import { showUrls } from './show-urls.ts';

/** @param encodedPath the path after its first slash */
export function answerRedirection(encodedPath: string, request: RestRequest): Soon<HttpResponse> {
  const { query, options } = request;
  const action = actionOf(query);
  const decoded = nameOfPath(encodedPath);
  if (!decoded.ok) return badRequest('The path cannot be decoded: write a literal "%" as "%25".', options);
  const name = toHandleName(decoded.text);
  if (name === null) return NO_NAME;
  const isPrefix = !name.includes('/');
  if (isPrefix && !name.startsWith('10.')) return NO_NAME;
  const indexes = indexesOf(query);
  if (indexes === null) return badRequest('An index is not a 32-bit integer.', options);
  if (action === 'api') return answerRecord(name, name, request);

  return mapSoon(resolve(name, request), (resolution) => {
    const writing = writingOf(request);
    const headers = () => headersFor(INDEPENDENT, request);
    const notFound = (page: () => HttpResponse): HttpResponse =>
      writing === null ? page() : { status: 404, headers: headers(), body: null };
    if (resolution === null) return notFound(() => deadAliasPage(name, headers()));
    const { record, via, prefix } = resolution;
    const isAliased = via.length > 0;
    if (record.status === 'HANDLE_NOT_FOUND') {
      return notFound(() =>
        isAliased ? deadAliasPage(name, headers()) : notFoundPage(record, headers(), options),
      );
    }
    const values = selectValues(record.values, query.all('type'), indexes);
    const selected = values === record.values ? record : { ...record, values };
    if (isPrefix || showsValues(query)) {
      return valuesPage(record, values, headers(), options.publicUrl);
    }
    if (prefix.isInactive) return notFound(() => notFoundPage(record, headers(), options));
    if (action === 'showurls') {
      return (
        showUrls(selected, prefix, headers()) ?? valuesPage(record, values, headers(), options.publicUrl)
      );
    }
    if (isAliased) return redirection(301, aliasLocation(record.handle, request), headers());
    const doi = writing === null ? null : parseDoi(record.handle, 'NAME').name;
    if (writing === null || doi === null) return redirect(selected, prefix, request);
    const serviceUrl = () => chosenTarget(record, prefix, true, request).url;
    return metadataResponse(doi, writing, request, serviceUrl, () => redirect(record, prefix, request));
  });
}

/** How to write the metadata. Null if the client wants the redirect, or if the gateway can write no accepted type. */
function writingOf({ http, query, options }: RestRequest): MetadataWriter | null {
  if (!hasMetadata(options)) return null;
  const accepted = acceptedData(http);
  return accepted && writingFor(accepted, query);
}

/** Whether the query requests the page with the values. `noredirect` has no effect if the query also has `action`. */
function showsValues(query: Query): boolean {
  const action = actionOf(query);
  return action === null ? query.has('noredirect') : action === 'showvalues';
}

/** Follows aliases. Null if the aliases form a loop. */
function resolve(name: HandleName, request: RestRequest): Soon<Resolved | null> {
  const { query } = request;
  const options = {
    freshness: freshnessOf(query.has),
    ignoresAliases: query.has('ignore_aliases'),
    ignoresPrefix: showsValues(query),
  };
  return attempt<Resolved | null>(
    () => resolveName(name, request, options),
    (error) => {
      if (error instanceof GatewayError && error.code === 'ALIAS_LOOP') return null;
      throw error;
    },
  );
}

/** Values of `nols`. The form that documents show is `nols=y`. */
const NOLS_ON = new Set(['', 'true', 'yes', 'y']);

/** Redirects to the target of the record. If the record has no target, returns the page with its values. */
function redirect(record: HandleRecord, prefix: PrefixLocations, request: RestRequest): HttpResponse {
  const { http, query, options } = request;
  const wantsData = acceptedData(http) !== null;
  const target = chosenTarget(record, prefix, wantsData, request);
  const headers = headersFor(target.choice.dependsOn, request);
  if (target.url === null) return valuesPage(record, record.values, headers, options.publicUrl);
  const local =
    wantsData || NOLS_ON.has(query.first('nols') ?? 'off')
      ? null
      : localServiceUrl(http.header('cookie'), options.localServices, record.handle);
  if (local !== null) return redirection(302, local, { ...headers, ...notShared(headers) });
  const kept = target.choice.isDrawn ? { ...headers, ...notShared(headers) } : headers;
  return redirection(target.status, target.url, { ...kept, Link: target.link }, target.page);
}

function headersFor(
  dependsOn: Dependences,
  { expiry, now, options }: RestRequest,
): KeepingHeaders & { readonly Vary: string | undefined } {
  return { ...keepingHeaders(expiry, now), Vary: varyOf(dependsOn, options) };
}

/** The request headers on which the response depends. Undefined if the response depends on no header. */
function varyOf(dependsOn: Dependences, options: RestFaceOptions): string | undefined {
  const { countryHeader, localServices } = options;
  const hasLocalServices = localServices.length > 0;
  // Only people are redirected to a local service. `Accept` shows whether the client is a person or a program.
  const accept = dependsOn.accept || hasLocalServices || hasMetadata(options);
  const names = [
    ...(accept ? ['Accept'] : []),
    ...(dependsOn.language ? ['Accept-Language'] : []),
    ...(dependsOn.userAgent ? ['User-Agent'] : []),
    ...(dependsOn.country && countryHeader !== null ? [countryHeader] : []),
    ...(hasLocalServices ? ['Cookie'] : []),
  ];
  return names.length === 0 ? undefined : names.join(', ');
}

/** If responses can be metadata, every response at `/{name}` depends on Accept, even a failure. */
export function varyOfFailure(options: RestFaceOptions): string | undefined {
  return hasMetadata(options) ? 'Accept' : undefined;
}

/**
 * The URL of an alias target at this gateway, with the same query. The URL does not depend on the Host header, which
 * clients can forge.
 */
function aliasLocation(name: HandleName, { query, options }: RestRequest): string {
  return options.publicUrl + faceLink(name) + locationQuery(query.raw);
}

function redirection(
  status: number,
  location: string,
  headers: HttpResponse['headers'],
  body = linkTo(location),
): HttpResponse {
  return restResponse(status, HTML_TYPE, { ...headers, Location: location }, body);
}

const NO_NAME = plain(404, 'Not found. GraphQL is at /graphql.');

function badRequest(what: string, options: RestFaceOptions): HttpResponse {
  const headers = { ...failureHeaders(400), Vary: varyOfFailure(options) };
  return page(400, 'Bad Request', `<p>${escapeMarkup(what)}</p>`, headers);
}
