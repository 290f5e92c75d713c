// Finds the entries of a BibTeX file and the offsets of their fields, so that a program can add fields and keep all other
// bytes.

export interface BibtexField {
  /** in lower case */
  readonly name: string;
  readonly start: number;
  /** the offset after the value */
  readonly end: number;
  /** the value as written: `{A {Title}}`, `"A" # macro`, `2020` */
  readonly value: string;
  /** the value without its delimiters; null for a macro, and for values that `#` joins */
  readonly content: string | null;
}

export interface BibtexEntry {
  readonly key: string;
  readonly start: number;
  readonly fields: readonly BibtexField[];
  /** the offset after the last field, or after the key if there is no field */
  readonly fieldsEnd: number;
}

/** If `%` is before an entry on the same line, the reader skips the entry, as biber does. bibtex would read the entry. */
const ENTRY_OR_COMMENT = /%[^\n]*|@/g;
/** After an unreadable entry, the number of open braces is unknown. So the next entry must begin a line. */
const NEXT_LINE_WITH_ENTRY = /^[ \t]*@/gm;

/** Never throws. Leaves out `@comment`, `@string` and `@preamble`. */
export function readBibtex(text: string) {
  const entries: BibtexEntry[] = [];
  /** the offsets of entries with a fault, such as a brace that is not closed */
  const unreadable: number[] = [];
  /** the texts of `@string`, by name in lower case */
  const macros = new Map<string, string>();
  const closing = closingBraces(text);
  let at = 0;
  for (let start = nextEntry(text, at); start !== null; start = nextEntry(text, at)) {
    const reader = new EntryReader(text, closing, start + 1);
    try {
      const entry = reader.entry(start);
      if (entry !== null && 'content' in entry) macros.set(entry.name, entry.content ?? '');
      else if (entry !== null) entries.push(entry);
      at = reader.at;
    } catch (error) {
      if (!(error instanceof UnreadableEntry)) throw error;
      unreadable.push(start);
      NEXT_LINE_WITH_ENTRY.lastIndex = start + 1;
      at = NEXT_LINE_WITH_ENTRY.exec(text)?.index ?? text.length;
    }
  }
  return { entries, unreadable, macros };
}

/** Maps the offset of an opening brace to the offset of its closing brace. As in bibtex, a backslash escapes no brace. */
function closingBraces(text: string): ReadonlyMap<number, number> {
  const open: number[] = [];
  const closing = new Map<number, number>();
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    const opened = brace === '{' ? undefined : open.pop();
    if (opened !== undefined) closing.set(opened, index);
    else if (brace === '{') open.push(index);
  }
  return closing;
}

function nextEntry(text: string, from: number): number | null {
  ENTRY_OR_COMMENT.lastIndex = from;
  for (;;) {
    const found = ENTRY_OR_COMMENT.exec(text);
    if (found === null) return null;
    if (found[0] === '@') return found.index;
  }
}

function contentOf(value: string): string | null {
  if (/^["{]/.test(value)) return value.slice(1, -1);
  return /^\d+$/.test(value) ? value : null;
}

class UnreadableEntry extends Error {}

// Each repeat needs stack space in the regular expression engine, so repeats have a limit.
const LINE_END = /[\n\r]/g;
const BLANK = /\s{1,10000}/y;
const TYPE = /\s{0,1000}([^\s"#%'(),={}@]{1,1000})\s{0,1000}(?=[{(])/y;
const UNQUOTED = /[^"{}]{1,10000}/y;
const WORD = /[^\s"#%'(),={}]{1,10000}/y;
const KEYS = { '}': /[^\s,}]*/y, ')': /[^\s,)]*/y } as const;

class EntryReader {
  at: number;
  readonly #text: string;
  readonly #closing: ReadonlyMap<number, number>;

  constructor(text: string, closing: ReadonlyMap<number, number>, at: number) {
    this.#text = text;
    this.#closing = closing;
    this.at = at;
  }

  /**
   * Reads from `at`, which must be after an `@`. Returns the field of a `@string`, or null if this is no entry. Afterwards,
   * `at` is after the read text.
   */
  entry(start: number): BibtexEntry | BibtexField | null {
    const type = this.#match(TYPE).trim().toLowerCase();
    if (type === '') return null;
    const isBraced = this.#text[this.at] === '{';
    if (type === 'comment') {
      if (isBraced) this.#braced();
      return null;
    }
    this.at += 1;
    const close = isBraced ? '}' : ')';
    this.#skipBlanks();
    if (type === 'preamble') {
      this.#value();
      this.#expect(close);
      return null;
    }
    if (type === 'string') {
      const macro = this.#field();
      this.#skipBlanks();
      if (this.#text[this.at] === ',') this.at += 1;
      this.#expect(close);
      return macro;
    }
    const key = this.#match(KEYS[close]);
    let fieldsEnd = this.at;
    const fields: BibtexField[] = [];
    while (this.#isNext(',') && !this.#isNext(close, false)) {
      const field = this.#field();
      fields.push(field);
      fieldsEnd = field.end;
    }
    this.#expect(close);
    return { key, start, fields, fieldsEnd };
  }

  #field(): BibtexField {
    this.#skipBlanks();
    const start = this.at;
    const name = this.#match(WORD).toLowerCase();
    if (name === '') throw new UnreadableEntry();
    this.#expect('=');
    this.#skipBlanks();
    const valueStart = this.at;
    const { end, isJoined } = this.#value();
    const value = this.#text.slice(valueStart, end);
    return { name, start, end, value, content: isJoined ? null : contentOf(value) };
  }

  /** Reads a value. Afterwards `at` can be after white space that follows the value. */
  #value(): { readonly end: number; readonly isJoined: boolean } {
    for (let isJoined = false; ; isJoined = true) {
      const first = this.#text[this.at];
      if (first === '{') this.#braced();
      else if (first === '"') this.#quoted();
      else if (this.#match(WORD) === '') throw new UnreadableEntry();
      const end = this.at;
      if (!this.#isNext('#')) return { end, isJoined };
      this.#skipBlanks();
    }
  }

  #braced(): void {
    const closed = this.#closing.get(this.at);
    if (closed === undefined) throw new UnreadableEntry();
    this.at = closed + 1;
  }

  /** Reads up to the next quotation mark that is not in braces. */
  #quoted(): void {
    this.at += 1;
    for (;;) {
      while (this.#match(UNQUOTED) !== '');
      if (this.#text[this.at] !== '{') break;
      this.#braced();
    }
    if (this.#text[this.at] !== '"') throw new UnreadableEntry();
    this.at += 1;
  }

  /** Skips white space and comments. */
  #skipBlanks(): void {
    for (;;) {
      if (this.#text[this.at] === '%') {
        LINE_END.lastIndex = this.at;
        this.at = LINE_END.exec(this.#text)?.index ?? this.#text.length;
      } else if (this.#match(BLANK) === '') return;
    }
  }

  /** Skips white space and comments. Returns whether the character follows, and skips it unless `skips` is false. */
  #isNext(character: string, skips = true): boolean {
    this.#skipBlanks();
    if (this.#text[this.at] !== character) return false;
    if (skips) this.at += 1;
    return true;
  }

  #expect(character: string): void {
    if (!this.#isNext(character)) throw new UnreadableEntry();
  }

  /** @param pattern a sticky pattern */
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }
}
