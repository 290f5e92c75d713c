// Makes the Location header of a redirect.

/** Many clients and proxies refuse headers above 8 to 16 kB. */
const MAX_LENGTH = 8_000;

const REDIRECTABLE = /^(?:https?|ftp):$/;
// RFC 3986: unreserved, reserved and the percent sign.
const URI_CHARACTERS = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/;

/**
 * The URL for a Location header. If the stored URL has only characters that a URI may have, it is not changed. Else it is
 * serialised by the rules of the WHATWG URL standard, which also remove line breaks. Null if the URL is not an absolute
 * http, https or ftp URL, or if it is too long for a header.
 */
export function redirectTarget(stored: string): string | null {
  // Remembers the last result, because each choice of a redirect needs the same URL twice in a row.
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
 * Adds the proxy's parameter `urlappend` to the end of a URL. Null if the result is not redirectable, or if its host is
 * different: `https://example.org` and `.evil.example` would together lead to another host.
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
