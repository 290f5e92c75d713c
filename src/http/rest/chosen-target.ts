// Chooses the target of a redirect for one request: the target of the record, or the local service of the reader's library.

import { parseCookie } from 'cookie';
import type { HandleName } from 'doi-names';
import { escapeMarkup, parseDoi } from 'doi-names/parts';
import { linksOf } from '../../handle/links.ts';
import type { PrefixLocations } from '../../handle/prefix-locations.ts';
import type { HandleRecord } from '../../handle/record.ts';
import { chooseRedirect, type Redirect } from '../../handle/redirect.ts';
import { clientPreferences } from '../response/negotiate.ts';
import { describedBy } from './metadata-response.ts';
import { faceLink } from './page.ts';
import { actionOf, hasMetadata, type Query, type RestRequest } from './rest-exchange.ts';

interface ChosenTarget {
  readonly choice: Redirect;
  readonly url: string | null;
  readonly status: number;
  /** the body for clients that do not follow the redirect */
  readonly page: string;
  /** the `Link` header: links of the record, and for people's programs the address of the metadata */
  readonly link: string | undefined;
}

/**
 * Remembers the target with the values of the record if the request has no query and does not prefer data, and if the
 * target does not depend on chance, and is the same for all people.
 * @param wantsData whether the client prefers data
 */
export function chosenTarget(
  record: HandleRecord,
  prefix: PrefixLocations,
  wantsData: boolean,
  { query, http, options }: RestRequest,
): ChosenTarget {
  const { countryHeader, random, publicUrl } = options;
  const hasNoOptions = !wantsData && query.raw === '';
  const known = hasNoOptions ? targets.get(record.values) : undefined;
  if (known?.prefix === prefix && known.handle === record.handle) return known.target;
  const choice = chooseRedirect(
    record,
    prefix,
    {
      locatt: locationAttributes(query),
      country: query.first('country') || (countryHeader && (http.header(countryHeader) ?? null)),
      urlAppend: query.first('urlappend'),
      preferences: clientPreferences(http),
    },
    random,
  );
  const { url, statusCode } = choice;
  const isDoi = () => parseDoi(record.handle, 'NAME').name !== null;
  const isDescribed = !wantsData && hasMetadata(options) && isDoi();
  const target = {
    choice,
    url,
    status: statusCode ?? 302,
    page: url === null ? '' : linkTo(url),
    link: joined([
      ...linksOf(record, prefix),
      ...(isDescribed ? [describedBy(publicUrl + faceLink(record.handle))] : []),
    ]),
  };
  // Among people, Accept decides nothing that the User-Agent does not decide too.
  const { language, userAgent, country } = choice.dependsOn;
  const differsForPeople = language || userAgent || (country && countryHeader !== null);
  const isConstant = !choice.isDrawn && !differsForPeople;
  if (hasNoOptions && isConstant) targets.set(record.values, { handle: record.handle, prefix, target });
  return target;
}

function joined(links: readonly string[]): string | undefined {
  return links.length === 0 ? undefined : links.join(', ');
}

const targets = new WeakMap<
  HandleRecord['values'],
  { readonly handle: HandleName; readonly prefix: PrefixLocations; readonly target: ChosenTarget }
>();

/** `action=metadata` means the same as `locatt=role:metadata`. */
function locationAttributes(query: Query): readonly string[] {
  const pairs = query.all('locatt');
  return actionOf(query) === 'metadata' ? ['role:metadata', ...pairs] : pairs;
}

/** The body of a redirect, for clients that do not follow it. */
export function linkTo(location: string): string {
  const link = escapeMarkup(location);
  return `<!doctype html>\n<title>Handle Redirect</title>\n<a href="${link}">${link}</a>\n`;
}

/** This name is specific to the gateway, because the name of the DOI proxy's cookie is not documented. */
const COOKIE = 'doi-local-service';

/**
 * The URL of the name at the local service of the reader's library ("appropriate copy": Resolution doc, section 3). Null
 * unless the cookie has the URL of a service in the operator's list: a cookie must not redirect to another site.
 */
export function localServiceUrl(
  cookies: string | undefined,
  services: readonly string[],
  name: HandleName,
): string | null {
  if (cookies === undefined || services.length === 0) return null;
  const wanted = parseCookie(cookies)[COOKIE] ?? '';
  const service = URL.canParse(wanted) ? services.find((base) => base === new URL(wanted).href) : undefined;
  if (service === undefined) return null;
  const separator = service.includes('?') ? '&' : '?';
  return `${service}${separator}id=doi:${encodeURIComponent(name).replaceAll('%2F', '/')}`;
}
