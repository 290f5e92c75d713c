// "Appropriate copy" (Resolution doc, section 3): a cookie redirects a reader to the local service of the reader's library.

import { parseCookie } from 'cookie';
import type { HandleName } from '../../doi/name.ts';

/** The gateway chose this name, because the name of the DOI proxy's cookie is not documented. */
const COOKIE = 'doi-local-service';

/**
 * The URL of the name at the reader's local service. Null unless the cookie has the URL of a service in the operator's
 * list: a cookie must not redirect to any other site.
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
