// Makes the Location header of a redirect from a stored URL.

/** In characters. Many clients and proxies refuse headers of more than 8 to 16 kB. */
const MAX_LENGTH = 8_000;

const REDIRECTABLE = /^(?:https?|ftp):$/;
// RFC 3986: unreserved, reserved and the percent sign.
const URI_CHARACTERS = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/;

/**
 * The URL for a Location header. A stored URL with only the characters of RFC 3986 is not changed. Other URLs are
 * serialised by the WHATWG URL standard, which also removes line breaks. Null if the text is not an absolute http,
 * https or ftp URL, or if it is too long.
 */
export function redirectTarget(stored: string): string | null {
  // The last result is remembered, because each redirect needs the target of the same URL twice.
  if (stored !== last.stored) last = { stored, target: parseTarget(stored) };
  return last.target;
}

let last: { readonly stored: string; readonly target: string | null } = { stored: '', target: null };

function parseTarget(stored: string): string | null {
  if (stored.length > MAX_LENGTH || !URL.canParse(stored)) return null;
  const { protocol, href } = new URL(stored);
  if (!REDIRECTABLE.test(protocol)) return null;
  if (href.length > MAX_LENGTH) return null;
  const isUri = stored.toLowerCase().startsWith(`${protocol}//`) && URI_CHARACTERS.test(stored);
  return isUri ? stored : href;
}

/**
 * Appends the text of the parameter `urlappend` to a URL. Null if the result is not a valid target, or has another scheme,
 * user or host: `https://example.org` with `.evil.example` becomes `https://example.org.evil.example`.
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
