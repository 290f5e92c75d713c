// Classes of characters that decide where a name begins and ends.

import { isDigit } from '../name.ts';

export function isAsciiLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

export function isAlphanumeric(code: number): boolean {
  return isDigit(code) || isAsciiLetter(code);
}

/** A table with 1 at the code of each character. The characters must be ASCII. */
export function asciiTable(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

/** Whether `String.prototype.trim` removes the character. */
export function isWhiteSpace(character: string): boolean {
  if (character > ' ' && character < '\u0080') return false;
  return /^\s$/.test(character);
}

export function isLineBreak(character: string | undefined): boolean {
  return character !== undefined && /^[\n\r\v\f\u0085\u2028\u2029]$/.test(character);
}

/** Whether the character is invisible. Such a character is never part of a name. */
export function isIgnorable(character: string): boolean {
  return /^[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]$/.test(character);
}

/** Whether the character is Chinese, Japanese, Korean or Thai. Such text can stand next to a name without a space. */
export function isOfUnspacedScript(character: string): boolean {
  return /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]$/u.test(character);
}

/** Whether the character is a quotation mark, bracket or stop outside ASCII. */
export function isNonAsciiDelimiter(character: string): boolean {
  return /^[\u00AB\u00BB\u060C\u061B\u061F\u0964\u2014\u2018\u201A-\u201F\u2022\u2025\u2026\u2039\u203A\u3000-\u3003\u3008-\u3011\u3014-\u301F\uFF01\uFF08\uFF09\uFF0C\uFF1A\uFF1B\uFF1F\uFF3B\uFF3D\uFF5B-\uFF65]$/.test(
    character,
  );
}

const FORM = /10\.\d|doi:|(?:dx\.)?doi\.org\/|https?:\/\/|hdl:|info:(?:doi|hdl)\/|urn:(?:doi|hdl):/iy;

/** Whether a DOI name begins at `at`, or a label or address that can stand before a DOI name. */
export function canBeginForm(text: string, at: number): boolean {
  FORM.lastIndex = at;
  return FORM.test(text);
}

/** Characters that never end the reading of a name. trim-name.ts can cut them off again. */
const PLAIN = asciiTable('-._~*@!^/0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ');

/** The whole character at an offset: one or two UTF-16 units. */
export function characterAt(text: string, at: number): string {
  const code = text.charCodeAt(at);
  return code < 0xd800 ? (text[at] ?? '') : String.fromCodePoint(text.codePointAt(at) ?? code);
}

/** The offset of the first character, at `start` or later, that can end a name. */
export function endOfPlain(text: string, start: number): number {
  let at = start;
  while (PLAIN[text.charCodeAt(at)] === 1) at += 1;
  return at;
}

/** Whether the `s` of a possessive is at `at`: `10.1000/182's authors`. */
export function isPossessive(text: string, at: number): boolean {
  return /^s(?![A-Za-z0-9])/.test(text.slice(at, at + 2));
}

/** The text before the first match of `end`; the whole text if there is no match. */
export function textBefore(end: RegExp, text: string): string {
  const at = text.search(end);
  return at === -1 ? text : text.slice(0, at);
}
