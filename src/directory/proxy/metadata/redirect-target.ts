// Where a redirect may be followed to: the services of agencies, and nothing else.

import { isIP } from 'node:net';

export interface RedirectTarget {
  /** `https://api.crossref.org` */
  readonly origin: string;
  /** as it stands in METADATA_HOSTS: `api.crossref.org`, `127.0.0.1:8080` */
  readonly host: string;
  /** path and query */
  readonly path: string;
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/;

/** Hosts on this very machine, for tests and for services that an institution runs beside the gateway. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/**
 * null where it leads elsewhere: to a scheme other than https (http is taken for loopback hosts that are listed), to a
 * host that is not listed, or to an address in place of one.
 * @param hosts lower case, with their ports where those are not the usual ones
 */
export function redirectTarget(
  location: string,
  base: string,
  hosts: ReadonlySet<string>,
): RedirectTarget | null {
  if (!URL.canParse(location, base)) return null;
  const { protocol, host, hostname, origin, pathname, search, username, password } = new URL(location, base);
  if (!hosts.has(host) || username !== '' || password !== '') return null;
  const isHere = isLoopback(hostname);
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  if (isAddress && !isHere) return null;
  if (protocol !== 'https:' && !(protocol === 'http:' && isHere)) return null;
  return { origin, host, path: pathname + search };
}
