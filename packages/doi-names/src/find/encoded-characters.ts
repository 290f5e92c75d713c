// Decides which percent triplets belong to a name. The finder keeps the triplets, and the parser decodes them.

import type { Context } from './context.ts';
import { isCheckCharacter } from './name-text.ts';
import { canBeginForm, isIgnorable, isNonAsciiDelimiter, isWhiteSpace } from './text-characters.ts';

export interface Triplet {
  /** the character that the triplet encodes, with the next triplets for a character outside ASCII */
  readonly character: string;
  /** the hexadecimal digits in upper case */
  readonly digits: string;
  readonly end: number;
}

/** @param after the offset after the percent sign. Null if no two hexadecimal digits are there. */
export function tripletAt(text: string, after: number): Triplet | null {
  const digits = text.slice(after, after + 2).toUpperCase();
  if (!/^[0-9A-F]{2}$/.test(digits)) return null;
  const code = Number.parseInt(digits, 16);
  if (code < 0x80) return { character: String.fromCharCode(code), digits, end: after + 2 };
  const length = code >= 0xf0 ? 4 : code >= 0xe0 ? 3 : 2;
  const end = after - 1 + 3 * length;
  try {
    return { character: decodeURIComponent(text.slice(after - 1, end)), digits, end };
  } catch {
    return { character: '', digits, end: after + 2 };
  }
}

/** The rest of a label in brackets that follows a name: `%5Bdoi%5D`. */
const LINK_IN_BRACKETS = /^(?:doi|aid|pii|pmid|all)(?:%5D|\])/i;
/** The text that follows a name in a list or in JSON. */
const AFTER_QUOTE = /^(?:%(?:2C|7D|5D|3A|29|20|0A|0D)|[+&\s"'<>]|$)/i;

/**
 * Whether a percent triplet belongs to the name. An encoded `?`, `#` or `&` ends the name in an encoded address. Encoded
 * white space or an encoded quotation mark ends a name in a query. It also ends a name that no label calls a DOI.
 */
export function isTripletOfName(
  text: string,
  at: number,
  { character, digits, end }: Triplet,
  { isEncodedUrl, isNamedDoi, isQuery, charactersBefore }: Context,
): boolean {
  const isNamed = isNamedDoi && !isQuery;
  if (isIgnorable(character)) return true;
  if (character > '\u007F')
    return !(isNonAsciiDelimiter(character) || character === '\uFFFD' || isWhiteSpace(character));
  switch (digits) {
    case '3F':
    case '26':
      return !isEncodedUrl;
    case '23':
      return !isEncodedUrl || isCheckCharacter(text, at);
    case '20':
    case '09':
    case '0A':
    case '0D':
      return isNamed && !canBeginForm(text, end);
    case '22':
    case '27':
      if (charactersBefore.includes(character) || AFTER_QUOTE.test(text.slice(end, end + 3))) return false;
      return isNamed || digits === '27';
    case '2C':
    case '3B':
    case '7C':
      return !canBeginForm(text, end) && !/^(?:%20|%22|\+|%0A)/i.test(text.slice(end, end + 3));
    case '5B':
      return !LINK_IN_BRACKETS.test(text.slice(end, end + 8));
    case '28':
    case '7B':
    case '3C':
      return !canBeginForm(text, end);
    default:
      return true;
  }
}
