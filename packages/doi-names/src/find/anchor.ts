// Finds the places in a text where a DOI name can begin: "10.", a registrant code and a slash. Any of these characters
// can be escaped or percent-encoded.

import { isDigit } from '../name.ts';
import { tripletAt } from './encoded-characters.ts';
import { type DecodedCharacter, escapedAt } from './escapes.ts';
import { tagsEnd } from './inline-tags.ts';
import {
  asciiTable,
  isAlphanumeric,
  isAsciiLetter,
  isIgnorable,
  isOfUnspacedScript,
  isWhiteSpace,
} from './text-characters.ts';

export interface Anchor {
  readonly start: number;
  /** the offset in the text where the suffix begins */
  readonly end: number;
  /** decoded, with the slash: `10.1000/` */
  readonly prefix: string;
  /** `10.1000%252F…`, as in the query of an address that is itself a parameter */
  readonly isEncodedTwice: boolean;
  /** a line break stands in the prefix, and no label before it */
  readonly isDoubtful: boolean;
}

const FULL_STOP = 0x2e;
const SLASH = 0x2f;
const DOLLAR_SIGN = 0x24;
const PERCENT_SIGN = 0x25;
/** Characters after which the rest of a prefix can be escaped, broken or marked up. */
const CONTINUES = asciiTable('%&\\:{=<\n\r ');

/**
 * An encoded `1`, or a `1` that can begin `10.`: the other two characters can be encoded. After `doi.org/` and `doi:`,
 * spaces can stand between the three characters, as in the text of a PDF. The `10.` of `3.10.` is part of a number.
 */
const CANDIDATE =
  /1(?:(?<!\d\.1)(?:0[.%&\\=\r\n]|[%&])|(?<=(?:g ?\/|i ?:?) ?1)\s{0,9}0\s{0,9}\.)|%31|&#(?:49|x31);/gi;

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
  return end === 0
    ? null
    : { start, end, prefix: text.slice(start, end), isEncodedTwice: false, isDoubtful: false };
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
    return CONTINUES[code] === 1 || isIgnorable(text[at] ?? '') ? null : 0;
  }
}

function encodedAnchorAt(text: string, start: number): Anchor | null {
  let prefix = '';
  let end = start;
  let isEncodedTwice = false;
  let hasSkipped = false;
  let isDoubtful = false;
  while (!prefix.endsWith('/')) {
    // Only one such part is skipped. After `10.10.10.…`, many of them would be read again for each `10.`.
    const skipped: number = hasSkipped ? end : skippedEnd(text, start, end);
    hasSkipped ||= skipped > end;
    isDoubtful ||= skipped > end && isWhiteSpace(text[end] ?? '') && !isAfterLabel(text, start);
    const decoded = characterAt(text, skipped);
    isEncodedTwice ||= text.startsWith('%25', skipped);
    const character = decoded.character === ':' && isInUrn(text, start) ? '/' : decoded.character;
    const canFollow =
      prefix.length < 3
        ? character === '10.'[prefix.length]
        : isDigit(character.charCodeAt(0)) || (/[./]/.test(character) && !prefix.endsWith('.'));
    if (!canFollow) return null;
    prefix += character;
    end = decoded.end;
  }
  return { start, end, prefix, isEncodedTwice, isDoubtful };
}

const LABEL_BEFORE = /(?:doi\.org\/|doi:? ?)$/i;

function isAfterLabel(text: string, start: number): boolean {
  return LABEL_BEFORE.test(text.slice(Math.max(0, start - 8), start));
}

/** A line break, also one of quoted-printable */
const BREAK = /[ \t]{0,8}(?:=?\r\n?|=?\n)[ \t]{0,8}/y;

/**
 * The end of an invisible character, of inline markup (`10.1016<wbr>/j`), or of a line break in a prefix; `at` if there is
 * no such part.
 */
function skippedEnd(text: string, start: number, at: number): number {
  const character = text[at] ?? '';
  if (character === '<') return at === start ? at : (tagsEnd(text, at) ?? at);
  if (character !== '=' && !isWhiteSpace(character)) {
    const decoded = (character === '%' ? tripletAt(text, at + 1) : null) ?? characterAt(text, at);
    return isIgnorable(decoded.character) ? decoded.end : at;
  }
  BREAK.lastIndex = at;
  return at + (BREAK.exec(text)?.[0].length ?? 0);
}

function isInUrn(text: string, start: number): boolean {
  return /^urn:(?:doi|hdl):$/i.test(text.slice(Math.max(0, start - 8), start));
}

/** The decoded character at an offset. The source can have the character itself, a percent triplet or another escape. */
function characterAt(text: string, at: number): DecodedCharacter {
  if (text.charCodeAt(at) === PERCENT_SIGN)
    return asciiTripletAt(text, at, at + 1) ?? { character: '%', end: at + 1 };
  const escaped = escapedAt(text, at);
  // TeX needs a backslash before the percent sign of `10.1371\%2Fjournal`.
  const triplet = escaped?.character === '%' ? asciiTripletAt(text, at, escaped.end) : null;
  return triplet ?? escaped ?? { character: text[at] ?? '', end: at + 1 };
}

/** @param after the offset after the percent sign */
function asciiTripletAt(text: string, at: number, after: number): DecodedCharacter | null {
  const digits = text.startsWith('25', after) && after === at + 1 ? after + 2 : after;
  const ascii = asciiOfTriplet(text, digits);
  return ascii === null ? null : { character: ascii, end: digits + 2 };
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
  if (isAsciiLetter(code)) return BEFORE_WITHOUT_SPACE.test(text.slice(Math.max(0, start - 8), start));
  if (code < 0x80) return character !== '$';
  return !/^[\p{L}\p{M}\p{N}\p{Sc}]$/u.test(character) || isOfUnspacedScript(character);
}

/** A label without a colon (`DOI10.1000/182`), a resolver without its slash (`doi.org10.1000/182`), a subfield of MARC (`$a10.1000/182`). */
const BEFORE_WITHOUT_SPACE = /(?:doi|(?<![a-z])doi\.org|[$|\u2021\u01C2\u001F][a-z0-9])$/i;

/** `=3D` before a name stands for `=`. Two digits, as in `a=2810.1000/1`, are part of a number. */
const QUOTED_PRINTABLE_HEX = /^[23][A-F]$/;

/** The decoded character before an offset. */
function characterBefore(text: string, at: number): { character: string; start: number } {
  const triplet = text[at - 3] === '%' ? at - 3 : text.startsWith('%25', at - 5) ? at - 5 : null;
  if (triplet !== null) {
    const ascii = asciiOfTriplet(text, at - 2);
    if (ascii !== null) return { character: ascii, start: triplet };
    // Such a byte is a part of a character that is no letter, such as the invisible `%E2%80%8B`.
    if (/[89AB][0-9A-F]/i.test(text.slice(at - 2, at))) return { character: '\u200B', start: triplet };
  }
  if (text[at - 3] === '=' && QUOTED_PRINTABLE_HEX.test(text.slice(at - 2, at))) {
    return { character: String.fromCharCode(Number.parseInt(text.slice(at - 2, at), 16)), start: at - 3 };
  }
  for (const length of [2, 6]) {
    const decoded = text[at - length] === '\\' ? escapedAt(text, at - length) : null;
    if (decoded?.end === at) return { character: decoded.character, start: at - length };
  }
  const low = text.charCodeAt(at - 1);
  const length = low >= 0xdc00 && low <= 0xdfff ? 2 : 1;
  return { character: text.slice(Math.max(0, at - length), at), start: at - length };
}
