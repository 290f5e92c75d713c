// Kinds of characters that matter to where a name begins and ends.

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

export function isAsciiLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

export function isAlphanumeric(code: number): boolean {
  return isDigit(code) || isAsciiLetter(code);
}

/** The codes of the characters, for text that is all ASCII, by which a table can be asked. */
export function asciiTable(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

/** As `String.prototype.trim` has it. */
export function isWhiteSpace(character: string): boolean {
  if (character > ' ' && character < '\u0080') return false;
  return /^\s$/.test(character);
}

export function isLineBreak(character: string | undefined): boolean {
  return character !== undefined && /^[\n\r\v\f\u0085\u2028\u2029]$/.test(character);
}

/** Invisible in a text, and never part of a name. */
export function isIgnorable(character: string): boolean {
  return /^[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]$/.test(character);
}

/** A character that a name may contain: general category L, M, N, P, S or Zs. */
export function isGraphic(character: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]$/u.test(character);
}

/** Of scripts that are written without spaces, so that a name may stand right beside their words. */
export function isUnspaced(character: string): boolean {
  return /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]$/u.test(character);
}

/** Quotation marks, brackets and stops outside ASCII. */
export function isForeignDelimiter(character: string): boolean {
  return /^[\u00AB\u00BB\u060C\u061B\u061F\u0964\u2014\u2018\u201A-\u201F\u2022\u2025\u2026\u2039\u203A\u3000-\u3003\u3008-\u3011\u3014-\u301F\uFF01\uFF08\uFF09\uFF0C\uFF1A\uFF1B\uFF1F\uFF3B\uFF3D\uFF5B-\uFF65]$/.test(
    character,
  );
}

/** Whether something begins here that is written before, or is the beginning of, a DOI name. */
export function mayBeginForm(text: string, at: number): boolean {
  switch (text.charCodeAt(at) | 0x20) {
    case 0x31: // 1, and the control character that becomes one
      return text.startsWith('10.', at) && isDigit(text.charCodeAt(at + 3));
    case 0x64: // d
      return /^(?:doi:|doi\.org\/|dx\.doi\.org\/)/i.test(text.slice(at, at + 11));
    case 0x68: // h
      return /^(?:https?:\/\/|hdl:)/i.test(text.slice(at, at + 8));
    case 0x69: // i
      return /^info:(?:doi|hdl)\//i.test(text.slice(at, at + 9));
    case 0x75: // u
      return /^urn:(?:doi|hdl):/i.test(text.slice(at, at + 8));
    default:
      return false;
  }
}

/** What needs no decision, wherever it stands. */
const PLAIN = asciiTable('-._~*+@!^/0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ');

/** The whole character, which may be two units. */
export function characterAt(text: string, at: number): string {
  const code = text.charCodeAt(at);
  return code < 0xd800 ? (text[at] ?? '') : String.fromCodePoint(text.codePointAt(at) ?? code);
}

/** The first offset from `start` on where something may end a name. */
export function endOfPlain(text: string, start: number): number {
  let at = start;
  while (PLAIN[text.charCodeAt(at)] === 1) at += 1;
  return at;
}

/** `10.1000/182's authors` */
export function isPossessive(text: string, at: number): boolean {
  return /^s(?![A-Za-z0-9])/.test(text.slice(at, at + 2));
}
