// Builds a name from the source text: escapes are decoded, tags and line breaks are removed. NameText also knows where
// each part of the name stands in the source.

import { NON_GRAPHIC } from '../parse.ts';
import { canBeginForm, isNonAsciiDelimiter, isOfUnspacedScript } from './text-characters.ts';

const OPENER_OF: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{', '>': '<' };

export interface UnclosedBracket {
  readonly opener: string;
  /** the number of characters of the name before the bracket */
  readonly lengthBefore: number;
}

/** The open brackets of a name. They decide whether a closing bracket belongs to the name. */
export class Brackets {
  /** key: `(`; value: for each `(` that is still open, the number of characters of the name before it */
  readonly #open = new Map<string, number[]>();

  open(opener: string, lengthBefore: number): void {
    const lengths = this.#open.get(opener);
    if (lengths) lengths.push(lengthBefore);
    else this.#open.set(opener, [lengthBefore]);
  }

  isOpen(opener: string): boolean {
    return (this.#open.get(opener)?.length ?? 0) > 0;
  }

  /** False if no bracket of this kind is open. */
  close(closer: string): boolean {
    return this.#open.get(OPENER_OF[closer] ?? '')?.pop() !== undefined;
  }

  /** The first open bracket of each kind. Brackets after the first `nameLength` characters are ignored. */
  unclosed(nameLength: number): UnclosedBracket[] {
    return [...this.#open].flatMap(([opener, [lengthBefore]]) =>
      lengthBefore === undefined || lengthBefore > nameLength ? [] : [{ opener, lengthBefore }],
    );
  }
}

interface Edit {
  /** a part of the name from its start includes this edit if it has at least this length */
  readonly minLength: number;
  /** the length of the name after the edit */
  readonly length: number;
  /** the offset in the source after the edit */
  readonly source: number;
}

export class NameText {
  readonly #source: string;
  readonly #edits: Edit[] = [];
  #text: string;
  #keptFrom: number;
  /** kept separately, because reading one character of `#text` would make the engine copy the growing string */
  #last: string;

  /** @param prefix the decoded text before `at` in the source */
  constructor(source: string, prefix: string, at: number) {
    this.#source = source;
    this.#text = prefix;
    this.#keptFrom = at;
    this.#last = prefix.slice(-1);
    this.#edits.push({ minLength: 0, length: prefix.length, source: at });
  }

  /** Writes `replacement` into the name instead of the source text from `start` to `end`. */
  replace(start: number, end: number, replacement: string): void {
    this.#last = replacement === '' ? this.lastAt(start) : replacement.slice(-1);
    this.#text += this.#source.slice(this.#keptFrom, start) + replacement;
    this.#keptFrom = end;
    const length = this.#text.length;
    this.#edits.push({ minLength: replacement === '' ? length + 1 : length, length, source: end });
  }

  /** The length of the name if the name ends at `at` in the source. */
  lengthAt(at: number): number {
    return this.#text.length + at - this.#keptFrom;
  }

  /** The last character of the name if the name ends at `at` in the source. */
  lastAt(at: number): string {
    return at > this.#keptFrom ? (this.#source[at - 1] ?? '') : this.#last;
  }

  /** The name if it ends at `at` in the source. */
  upTo(at: number): string {
    return this.#text + this.#source.slice(this.#keptFrom, at);
  }

  /** The offset in the source after the first `length` characters of the name. */
  sourceEnd(length: number): number {
    let found = this.#edits.length - 1;
    while (found > 0 && (this.#edits[found]?.minLength ?? 0) > length) found -= 1;
    const edit = this.#edits[found];
    return edit === undefined ? 0 : edit.source + length - edit.length;
  }
}

// The functions below decide from the neighbouring text whether a character belongs to the name.

/** The span of one character in the source. The span of an escaped character has several units. */
export interface CharacterSpan {
  readonly text: string;
  readonly at: number;
  readonly end: number;
}

/** Whether a `,` or `;` is part of the name and does not divide names or fields. The `;` of `CO;2-L` is part of it. */
export function isSeparatorOfName(
  character: string,
  { text, at, end }: CharacterSpan,
  delimiter: string,
): boolean {
  if (canBeginForm(text, end) || /^["'\u201C\u2018]/.test(text.slice(end, end + 1))) return false;
  if (character === ';') {
    if (/^jsessionid=/i.test(text.slice(end, end + 11))) return false;
    if (text[end] === '2' && text.slice(at - 2, at).toLowerCase() === 'co') return true;
  }
  return character !== delimiter;
}

/** The length of the label or scheme before the `:` at `at`: 5 for `https` in `10.1000/1https://…`. 0 if no label is there. */
export function gluedFormLength({ text, at, end }: CharacterSpan): number {
  const before = text.slice(Math.max(0, at - 5), at).toLowerCase();
  const scheme = text.startsWith('//', end) ? /https?$/.exec(before)?.[0] : undefined;
  const isLabel = before.endsWith('doi') && canBeginForm(text, end + (text[end] === ' ' ? 1 : 0));
  return scheme?.length ?? (isLabel ? 3 : 0);
}

/** Whether the character at `at` is the last one of a SICI. The `#` of `CO;2-#` belongs to the name, also in a URL. */
export function isCheckCharacter(text: string, at: number): boolean {
  return /co(?:;|%3b)2-$/i.test(text.slice(Math.max(0, at - 7), at));
}

/** Whether an ordinary character belongs to the name. A CJK or Thai letter must follow a slash or another such letter. */
export function isCharacterOfName(character: string, { text, end }: CharacterSpan, last: string): boolean {
  if (NON_GRAPHIC.test(character) || isNonAsciiDelimiter(character)) return false;
  if (character === '\u2013' && canBeginForm(text, end)) return false;
  return !isOfUnspacedScript(character) || last === '/' || isOfUnspacedScript(last);
}
