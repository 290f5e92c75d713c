// The URL of a redirect as it goes into a Location header.

/** Clients and servers in between refuse headers of more than 8 to 16 kB. */
const MAX_LENGTH = 8_000;

const REDIRECTABLE = /^(?:https?|ftp):$/;
// RFC 3986: unreserved, reserved and the percent sign.
const URI_CHARACTERS = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/;

/**
 * The URL as it goes into a Location header: as stored, unless it holds characters that no URI may hold;
 * then it is serialised by the rules of the WHATWG URL standard, which also drop line breaks. Null when
 * it is not an absolute http, https or ftp URL, or too long for a header.
 */
export function redirectTarget(stored: string): string | null {
  // Of one decision the same text is asked for twice in a row.
  if (stored !== last.stored) last = { stored, target: parseTarget(stored) };
  return last.target;
}

let last: { readonly stored: string; readonly target: string | null } = { stored: '', target: null };

function parseTarget(stored: string): string | null {
  if (stored.length > MAX_LENGTH || !URL.canParse(stored)) return null;
  const { protocol, href } = new URL(stored);
  if (!REDIRECTABLE.test(protocol)) return null;
  if (href.length > MAX_LENGTH) return null;
  const isAsTyped = stored.toLowerCase().startsWith(`${protocol}//`) && URI_CHARACTERS.test(stored);
  return isAsTyped ? stored : href;
}

/**
 * `stored` with the proxy's `urlappend` at its end, as one target. Null when that is no redirectable URL
 * or leads to another host: `https://example.org` and `.evil.example` would make one.
 */
export function appendToTarget(stored: string, appended: string): string | null {
  const target = redirectTarget(stored + appended);
  return target !== null && authorityOf(target) === authorityOf(stored) ? target : null;
}

function authorityOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, username, password, host } = new URL(url);
  return `${protocol}//${username}:${password}@${host}`;
}
