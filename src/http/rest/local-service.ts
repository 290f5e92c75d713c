// "Appropriate copy": a cookie sends readers to their library's service instead (Resolution doc, section 3).

import { parseCookie } from 'cookie';
import type { HandleName } from '../../doi/name.ts';

/** The name of the DOI proxy's cookie is not documented, so this name is the gateway's own. */
const COOKIE = 'doi-local-service';

/**
 * The URL of the name at the reader's local service. Null without a cookie that names a listed service. Only services
 * that the operator listed count, so that a cookie cannot redirect to any other site.
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
