// "Appropriate copy": a reader's library may ask to be sent there instead (Resolution doc, section 3).

import { parseCookie } from 'cookie';
import type { HandleName } from '../../doi/name.ts';

/** Our own name: the one that the DOI proxy used is not documented. */
const COOKIE = 'doi-local-service';

/**
 * Where the reader's local service takes the name; null without a cookie that names a service on the list.
 * Only what the operator listed counts: a cookie alone must not send anyone anywhere.
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
