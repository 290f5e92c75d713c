// Which requests may come from a browser, and by which name the gateway may be asked: against pages of other sites,
// and against pages that have their own name lead to this machine (DNS rebinding).

import type { HttpRequest } from '../http/exchange.ts';

/** Names that nobody can register for others to see: a page of another site has none of them. */
const PRIVATE_NAME = /^(?:[^.]+|.+\.(?:localhost|local|internal))$/i;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/**
 * Why a request is refused; null: it is let in.
 * - Host is `publicUrl`'s, an address, or a private name; a request without one is none of a browser.
 * - Origin is missing, as from all that is no browser, or `publicUrl`'s, or that of the Host itself.
 * @param publicUrl the gateway's own address as clients see it; null: not said
 */
export function refusalOf(request: Pick<HttpRequest, 'header'>, publicUrl: string | null): string | null {
  const own = publicUrl === null ? null : new URL(publicUrl);
  const host = request.header('host')?.toLowerCase();
  if (host !== undefined && host !== own?.host && !isPrivate(host)) {
    return 'The Host header is not a name of this gateway. Whoever runs it can set PUBLIC_URL to its address.';
  }
  const origin = request.header('origin');
  if (origin === undefined || origin === own?.origin) return null;
  const from = URL.canParse(origin) ? new URL(origin) : null;
  if (from !== null && /^https?:$/.test(from.protocol) && from.host === host) return null;
  return 'Pages of other sites may not ask here. Ask from a program, or from a page of this gateway.';
}

function isPrivate(host: string): boolean {
  const name = host.replace(/:\d*$/, '');
  return name.startsWith('[') || IPV4.test(name) || PRIVATE_NAME.test(name);
}
