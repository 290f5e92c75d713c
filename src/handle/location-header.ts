// Makes the Location header of a redirect from a stored URL.

import { encoderOf } from 'doi-names/parts';

/** In characters. Many clients and proxies refuse headers of more than 8 to 16 kB. */
const MAX_LENGTH = 8_000;

/** Scheme, slashes, authority, and the rest. For browsers a backslash is a slash, so the authority must have none. */
const REDIRECTABLE = /^(https?|ftp):(\/*)([^/?#\\]+)((?:[/?#].*)?)$/is;
const NON_ASCII = /[^\u0000-\u007f]/;

/** Encodes what RFC 3986 has no place for. Brackets and a single `%` stay as stored, as at the DOI proxy. */
const encode = encoderOf(' "<>\\^`{|}');

/**
 * The URL for a Location header: as stored, but each character that RFC 3986 has no place for is percent-encoded. A host
 * that is not ASCII becomes Punycode. White space at the ends is removed. Null if the text is not an absolute http, https
 * or ftp URL, or if it is too long.
 */
export function locationHeader(stored: string): string | null {
  // The last result is remembered, because each redirect needs the target of the same URL twice.
  if (stored !== last.stored) last = { stored, target: parseTarget(stored) };
  return last.target;
}

let last: { readonly stored: string; readonly target: string | null } = { stored: '', target: null };

function parseTarget(stored: string): string | null {
  if (stored.length > MAX_LENGTH) return null;
  const [, scheme, slashes = '', authority = '', rest = ''] =
    REDIRECTABLE.exec(stored.trim().toWellFormed()) ?? [];
  if (scheme === undefined) return null;
  const origin = asciiOrigin(`${scheme}:${slashes.padEnd(2, '/')}${authority}`);
  if (origin === null) return null;
  const target = encode(origin + rest);
  return target.length <= MAX_LENGTH && URL.canParse(target) ? target : null;
}

/** As stored if the host is ASCII. Null if it is no host. */
function asciiOrigin(stored: string): string | null {
  if (!NON_ASCII.test(stored)) return stored;
  return URL.canParse(stored) ? new URL(stored).href.replace(/\/$/, '') : null;
}

/**
 * Appends the text of the parameter `urlappend` to a URL. Null if the result is not a valid target, or has another scheme,
 * user or host: `https://example.org` with `.evil.example` becomes `https://example.org.evil.example`.
 */
export function appendToTarget(stored: string, appended: string): string | null {
  const target = locationHeader(stored + appended);
  const original = locationHeader(stored);
  return target !== null && original !== null && authorityOf(target) === authorityOf(original)
    ? target
    : null;
}

function authorityOf(target: string): string {
  const { protocol, username, password, host } = new URL(target);
  return `${protocol}//${username}:${password}@${host}`;
}
