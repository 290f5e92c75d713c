// The name as it is put together from the source: escapes decoded, breaks healed, and where each part of it stands.

import type { Context } from './context.ts';
import { escapedAt } from './escapes.ts';
import {
  isAlphanumeric,
  isAsciiLetter,
  isDigit,
  isForeignDelimiter,
  isGraphic,
  isIgnorable,
  isUnspaced,
  mayBeginForm,
} from './text-characters.ts';

// Markup inside a name: a highlighted part, a place where a line may break.

const INLINE = new Set('a b code em font hl highlight i mark small span strong tt u wbr'.split(' '));
const LONGEST_TAG = 200;

/** Whether a `<` before `at` is of the name, as in `10:5<1::AID-X1>3.0.CO;2-A` and `42:1<>1.0.CO;2-#`, and not of a tag. */
export function isSiciAngle(text: string, start: number): boolean {
  const at = isIgnorable(text[start] ?? '') ? start + 1 : start;
  const character = escapedAt(text, at)?.character ?? text[at] ?? '';
  if (character === '>' || character === ':' || isDigit(character.charCodeAt(0))) return true;
  let end = at;
  while (end < at + 3 && isAsciiLetter(text.charCodeAt(end))) end += 1;
  if (end === at || !isDigit(text.charCodeAt(end))) return false;
  const digits = end;
  while (end < digits + 6 && isDigit(text.charCodeAt(end))) end += 1;
  return text[end] === ':';
}

export class InlineTags {
  readonly #text: string;
  readonly #open: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the name goes on after the tag that begins at `at`; null where the tag ends the name. */
  skip(at: number, last: string): number | null {
    const written = this.#text.slice(at, at + LONGEST_TAG);
    const length = written.indexOf('>') + 1;
    const isClosing = written[1] === '/';
    let nameEnd = isClosing ? 2 : 1;
    while (isAsciiLetter(written.charCodeAt(nameEnd))) nameEnd += 1;
    const name = written.slice(isClosing ? 2 : 1, nameEnd).toLowerCase();
    if (length === 0 || !INLINE.has(name)) return null;
    const isBreak = name === 'wbr';
    const closesOwn = isClosing && this.#open.at(-1) === name;
    const isJoined = isBreak || closesOwn || /^[-/_]$/.test(last);
    if (!isJoined || !this.#goesOnAt(at + length)) return null;
    if (closesOwn) this.#open.pop();
    else if (!isBreak && !isClosing) this.#open.push(name);
    return at + length;
  }

  #goesOnAt(at: number): boolean {
    const next = this.#text.charCodeAt(at);
    if (isAlphanumeric(next)) return true;
    return /^[-._/(]$/.test(this.#text[at] ?? '') && isAlphanumeric(this.#text.charCodeAt(at + 1));
  }
}

interface Edit {
  /** the first length of the name that includes the inserted text */
  readonly from: number;
  /** length of the name after the edit, and where in the source that is */
  readonly length: number;
  readonly source: number;
}

export class NameText {
  readonly #source: string;
  readonly #edits: Edit[] = [];
  #text: string;
  #keptFrom: number;
  /** kept separately: reading a string that still grows would copy it each time */
  #last: string;

  /** @param prefix what stands before `at` in the source, decoded */
  constructor(source: string, prefix: string, at: number) {
    this.#source = source;
    this.#text = prefix;
    this.#keptFrom = at;
    this.#last = prefix.slice(-1);
    this.#edits.push({ from: 0, length: prefix.length, source: at });
  }

  /** What stands from `start` to `end` in the source is `replacement` in the name. */
  replace(start: number, end: number, replacement: string): void {
    this.#last = replacement === '' ? this.lastAt(start) : replacement.slice(-1);
    this.#text += this.#source.slice(this.#keptFrom, start) + replacement;
    this.#keptFrom = end;
    const length = this.#text.length;
    this.#edits.push({ from: replacement === '' ? length + 1 : length, length, source: end });
  }

  /** The length of the name when the source has been read up to `at`. */
  lengthAt(at: number): number {
    return this.#text.length + at - this.#keptFrom;
  }

  /** The last character of the name when the source has been read up to `at`. */
  lastAt(at: number): string {
    return at > this.#keptFrom ? (this.#source[at - 1] ?? '') : this.#last;
  }

  /** The whole name, when the source has been read up to `at`. */
  upTo(at: number): string {
    return this.#text + this.#source.slice(this.#keptFrom, at);
  }

  /** Where in the source the first `length` characters of the name end. */
  sourceEnd(length: number): number {
    let found = this.#edits.length - 1;
    while (found > 0 && (this.#edits[found]?.from ?? 0) > length) found -= 1;
    const edit = this.#edits[found];
    return edit === undefined ? 0 : edit.source + length - edit.length;
  }
}

// Decides by the neighbours whether a delimiter, escape or closing character belongs to the name.

/** A character of the source, from `at` to `end`: more than itself where it is escaped. */
export interface Place {
  readonly text: string;
  readonly at: number;
  readonly end: number;
}

/** Of `,` and `;`: not between two names, two fields, or a name and a title; but in `CO;2-L`. */
export function isOwnSeparator(character: string, { text, at, end }: Place, delimiter: string): boolean {
  if (mayBeginForm(text, end) || /^["'\u201C\u2018]/.test(text.slice(end, end + 1))) return false;
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
  const isLabel = before.endsWith('doi') && mayBeginForm(text, end + (text[end] === ' ' ? 1 : 0));
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
  if (character === '\u2013' && mayBeginForm(text, end)) return false;
  return !isUnspaced(character) || last === '/' || isUnspaced(last);
}
