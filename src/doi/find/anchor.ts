// Finds the places in a text where a DOI name can begin: "10.", a registrant code and a slash. Any of these characters
// can be escaped or percent-encoded.

import { isDigit } from '../name.ts';
import { type DecodedCharacter, escapedAt } from './escapes.ts';
import { isAlphanumeric, isAsciiLetter, isIgnorable, isOfUnspacedScript } from './text-characters.ts';

export interface Anchor {
  readonly start: number;
  /** the offset in the text where the suffix begins */
  readonly end: number;
  /** decoded, with the slash: `10.1000/` */
  readonly prefix: string;
  /** `10.1000%252F…`, as in the query of an address that is itself a parameter */
  readonly isEncodedTwice: boolean;
}

const FULL_STOP = 0x2e;
const SLASH = 0x2f;
const COLON = 0x3a;
const DOLLAR_SIGN = 0x24;
const BACKSLASH = 0x5c;
const PERCENT_SIGN = 0x25;
const AMPERSAND = 0x26;

/**
 * An encoded `1`, or a `1` that can begin `10.`: the other two characters can be encoded. After `doi.org/` and `doi:`,
 * spaces can stand between the three characters, as in the text of a PDF. The `10.` of `3.10.` is part of a number.
 */
const CANDIDATE = /1(?:(?<!\d\.1)(?:0[.%&\\]|[%&])|(?<=(?:g ?\/|i ?:) ?1) ?0 ?\.)|%31|&#(?:49|x31);/gi;

/** The first offset, `at` or later, where an anchor can begin; the length of the text if there is none. */
export function nextCandidate(text: string, at: number): number {
  CANDIDATE.lastIndex = at;
  return CANDIDATE.exec(text)?.index ?? text.length;
}

/** The anchor that begins exactly at `start`; null if none begins there. */
export function anchorAt(text: string, start: number): Anchor | null {
  if (!canBeginAt(text, start)) return null;
  const end = plainPrefixEnd(text, start);
  if (end === null) return encodedAnchorAt(text, start);
  return end === 0 ? null : { start, end, prefix: text.slice(start, end), isEncodedTwice: false };
}

/** The end of a prefix without escapes. 0: no prefix. Null: some of its characters are perhaps encoded or invisible. */
function plainPrefixEnd(text: string, start: number): number | null {
  if (!text.startsWith('10.', start)) return null;
  for (let at = start + 3; ; at += 1) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) continue;
    const isAfterDigit = isDigit(text.charCodeAt(at - 1));
    if (code === FULL_STOP && isAfterDigit) continue;
    if (code === SLASH) return isAfterDigit ? at + 1 : 0;
    const canContinue = code === PERCENT_SIGN || code === AMPERSAND || code === BACKSLASH || code === COLON;
    return canContinue || isIgnorable(text[at] ?? '') ? null : 0;
  }
}

function encodedAnchorAt(text: string, start: number): Anchor | null {
  let prefix = '';
  let end = start;
  let isEncodedTwice = false;
  let hasSkipped = false;
  while (!prefix.endsWith('/')) {
    let decoded = characterAt(text, end);
    // Only one invisible character is skipped. After `10.10.10.…`, many of them would be read again for each `10.`.
    if (!hasSkipped && isIgnorable(decoded.character)) {
      hasSkipped = true;
      end = decoded.end;
      decoded = characterAt(text, end);
    }
    isEncodedTwice ||= text.startsWith('%25', end);
    const character = decoded.character === ':' && isInUrn(text, start) ? '/' : decoded.character;
    const canFollow =
      prefix.length < 3
        ? character === '10.'[prefix.length]
        : isDigit(character.charCodeAt(0)) || (/[./]/.test(character) && !prefix.endsWith('.'));
    if (!canFollow) return null;
    prefix += character;
    end = decoded.end;
  }
  return { start, end, prefix, isEncodedTwice };
}

function isInUrn(text: string, start: number): boolean {
  return /^urn:(?:doi|hdl):$/i.test(text.slice(Math.max(0, start - 8), start));
}

/** The decoded character at an offset. The source can have the character itself, a percent triplet or another escape. */
function characterAt(text: string, at: number): DecodedCharacter {
  if (text.charCodeAt(at) === PERCENT_SIGN) {
    const digits = text.startsWith('25', at + 1) ? at + 3 : at + 1;
    const ascii = asciiOfTriplet(text, digits);
    if (ascii !== null) return { character: ascii, end: digits + 2 };
  }
  return escapedAt(text, at) ?? { character: text[at] ?? '', end: at + 1 };
}

function asciiOfTriplet(text: string, digitsAt: number): string | null {
  const digits = text.slice(digitsAt, digitsAt + 2);
  return /^[0-7][0-9A-Fa-f]$/.test(digits) ? String.fromCharCode(Number.parseInt(digits, 16)) : null;
}

/** Whether a name can begin here. False in a number, version or price: `110.1234/x`, `1.10.1234/x`, `v10.1234/x`, `$10.1234/x`. */
function canBeginAt(text: string, start: number): boolean {
  if (start === 0) return true;
  const last = text.charCodeAt(start - 1);
  if (last < 0x80 && last !== FULL_STOP && last !== DOLLAR_SIGN && !isAlphanumeric(last)) return true;
  const { character, start: before } = characterBefore(text, start);
  const code = character.charCodeAt(0);
  if (isDigit(code)) return false;
  if (character === '.') return !isDigit(characterBefore(text, before).character.charCodeAt(0));
  // A label can stand before the name without a colon: `DOI10.1000/182`.
  if (isAsciiLetter(code)) return /doi$/i.test(text.slice(Math.max(0, start - 3), start));
  if (code < 0x80) return character !== '$';
  return !/^[\p{L}\p{M}\p{N}\p{Sc}]$/u.test(character) || isOfUnspacedScript(character);
}

/** The decoded character before an offset. */
function characterBefore(text: string, at: number): { character: string; start: number } {
  const triplet = text[at - 3] === '%' ? at - 3 : text.startsWith('%25', at - 5) ? at - 5 : null;
  if (triplet !== null) {
    const ascii = asciiOfTriplet(text, at - 2);
    if (ascii !== null) return { character: ascii, start: triplet };
  }
  for (const length of [2, 6]) {
    const decoded = text[at - length] === '\\' ? escapedAt(text, at - length) : null;
    if (decoded?.end === at) return { character: decoded.character, start: at - length };
  }
  const low = text.charCodeAt(at - 1);
  const length = low >= 0xdc00 && low <= 0xdfff ? 2 : 1;
  return { character: text.slice(Math.max(0, at - length), at), start: at - length };
}
