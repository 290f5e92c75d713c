// Whether a character that divides, encodes or ends elsewhere is the name's own: what stands beside it tells.

import type { Context } from './context.ts';
import { beginsForm, isForeignDelimiter, isGraphic, isUnspaced } from './text-characters.ts';

/** A character of the source, from `at` to `end`: more than itself where it is escaped. */
export interface Place {
  readonly text: string;
  readonly at: number;
  readonly end: number;
}

/** Of `,` and `;`: not between two names, two fields, or a name and a title; but in `CO;2-L`. */
export function isOwnSeparator(character: string, { text, at, end }: Place, delimiter: string): boolean {
  if (beginsForm(text, end) || /^["'\u201C\u2018]/.test(text.slice(end, end + 1))) return false;
  if (character === ';') {
    if (/^jsessionid=/i.test(text.slice(end, end + 11))) return false;
    if (text[end] === '2' && text.slice(at - 2, at).toLowerCase() === 'co') return true;
  }
  return character !== delimiter;
}

/** The length of the label or the scheme that a `:` ends, which stands behind the name without a space; 0 for none. */
export function gluedLabelLength({ text, at, end }: Place): number {
  const before = text.slice(Math.max(0, at - 5), at).toLowerCase();
  const scheme = text.startsWith('//', end) ? /https?$/.exec(before)?.[0] : undefined;
  const isLabel = before.endsWith('doi') && beginsForm(text, end + (text[end] === ' ' ? 1 : 0));
  return scheme?.length ?? (isLabel ? 3 : 0);
}

/** Encoded white space and quotation marks end a name that nothing calls a DOI; `?`, `#`, `&` one in an encoded address. */
export function isOwnTriplet(
  { text, at, end }: Place,
  { isEncodedUrl, isNamedDoi, isQuery }: Context,
): boolean {
  const digits = text.slice(end, end + 2).toUpperCase();
  if (isEncodedUrl && ['3F', '23', '26'].includes(digits))
    return digits === '23' && isCheckCharacter(text, at);
  const isNamed = isNamedDoi && !isQuery;
  return isNamed || !['20', '09', '0A', '0D', '22'].includes(digits);
}

/** The last character of a SICI, `CO;2-#`, is the name's even where `#` begins a fragment. */
export function isCheckCharacter(text: string, at: number): boolean {
  return /co(?:;|%3b)2-$/i.test(text.slice(Math.max(0, at - 7), at));
}

/** Not of the sentence around it, where no spaces are written, and not the dash between two names. */
export function isOwnLetter(character: string, { text, end }: Place, last: string): boolean {
  if (!isGraphic(character) || isForeignDelimiter(character)) return false;
  if (character === '\u2013' && beginsForm(text, end)) return false;
  return !isUnspaced(character) || last === '/' || isUnspaced(last);
}
