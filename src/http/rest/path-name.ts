// Reads the name in a path such as `/10.1000/1`. Forgives what the DOI proxy forgives.

import { type Decoded, percentDecode, withoutScheme } from 'doi-names/parts';
import { shortDoiOfPath } from './short-doi-path.ts';

/** White space (with the no-break space and the byte-order mark), the zero-width space, and slashes. */
const BEGIN = /^[\s\u200b/]+/;
const WHITE_SPACE = /^[\s\u200b]$/;
/** The address of a DOI or handle proxy. The DOI proxy does not read www.doi.org. */
const ADDRESS = /^https?:\/\/(?:(?:dx\.)?doi\.org|hdl\.handle\.net)\//i;

/**
 * The name without a scheme such as `doi:`, the address of a proxy before the name, slashes before the name, and white
 * space at its ends. The path of a shortDOI becomes its handle. The result of decoding says why a path has no name.
 * @param encodedPath the path after its first slash
 */
export function nameOfPath(encodedPath: string): Decoded {
  const shortDoi = shortDoiOfPath(encodedPath);
  if (shortDoi !== null) return { ok: true, text: shortDoi };
  // The colon and the slash of a URN are looked for before decoding.
  const encodedName = withoutScheme(encodedPath);
  const decoded = percentDecode(encodedName);
  if (!decoded.ok) return decoded;
  const name = withoutBegin(withoutEnd(decoded.text));
  return { ok: true, text: encodedName === encodedPath ? withoutAddress(name) : name };
}

function withoutAddress(text: string): string {
  const address = ADDRESS.exec(text)?.[0] ?? '';
  return withoutBegin(withoutScheme(withoutBegin(text.slice(address.length))));
}

function withoutBegin(text: string): string {
  return text.replace(BEGIN, '');
}

/** A loop, because a regular expression for the end of a text is slow for long white space inside the text. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && WHITE_SPACE.test(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}
