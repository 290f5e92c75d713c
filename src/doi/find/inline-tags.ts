// Markup inside a name: a highlighted part, a place where a line may break.

import { escapedAt } from './escapes.ts';
import { isAlphanumeric, isAsciiLetter, isDigit, isIgnorable } from './text-characters.ts';

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
