// Finds the entries of a BibTeX file and the places of their fields, so that a program can add to it and keep the rest.

export interface BibtexField {
  /** in lower case */
  readonly name: string;
  readonly start: number;
  /** behind the value */
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
  /** behind the last field; behind the key if there is no field */
  readonly fieldsEnd: number;
}

export interface BibtexFile {
  readonly entries: readonly BibtexEntry[];
  /** where entries begin that have a fault, such as a brace that is not closed */
  readonly unreadable: readonly number[];
}

/** bibtex reads an entry in a comment of one line, biber does not: such an entry is none here. */
const ENTRY_OR_COMMENT = /%[^\n]*|@/g;
/** After a fault nothing says whether braces are open, so the next entry must begin a line. */
const NEXT_LINE_WITH_ENTRY = /^[ \t]*@/gm;

/** Never throws. `@comment`, `@string` and `@preamble` are no entries. */
export function readBibtex(text: string): BibtexFile {
  const entries: BibtexEntry[] = [];
  const unreadable: number[] = [];
  let at = 0;
  for (;;) {
    const start = nextEntry(text, at);
    if (start === null) return { entries, unreadable };
    const reader = new EntryReader(text, start + 1);
    try {
      const entry = reader.entry(start);
      if (entry !== null) entries.push(entry);
      at = reader.at;
    } catch (error) {
      if (!(error instanceof UnreadableEntry)) throw error;
      unreadable.push(start);
      NEXT_LINE_WITH_ENTRY.lastIndex = start + 1;
      const next = NEXT_LINE_WITH_ENTRY.exec(text);
      if (next === null) return { entries, unreadable };
      at = next.index;
    }
  }
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

const BLANK = /(?:\s|%[^\n]*)*/y;
const TYPE = /\s*([^\s"#%'(),={}@]+)\s*(?=[{(])/y;
const WORD = /[^\s"#%'(),={}]+/y;
const KEYS = { '}': /[^\s,}]*/y, ')': /[^\s,)]*/y } as const;

class EntryReader {
  at: number;
  readonly #text: string;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  /** From behind the `@`. Null: no entry begins here, and `at` is where to go on. */
  entry(start: number): BibtexEntry | null {
    const type = this.#match(TYPE).trim().toLowerCase();
    if (type === '') return null;
    const isBraced = this.#text[this.at] === '{';
    if (type === 'comment') {
      if (isBraced) this.#skipTo('}', 1);
      return null;
    }
    this.at += 1;
    const close = isBraced ? '}' : ')';
    this.#match(BLANK);
    if (type === 'preamble') {
      this.#value();
      this.#expect(close);
      return null;
    }
    if (type === 'string') {
      this.#field();
      this.#match(BLANK);
      if (this.#text[this.at] === ',') this.at += 1;
      this.#expect(close);
      return null;
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
    this.#match(BLANK);
    const start = this.at;
    const name = this.#match(WORD).toLowerCase();
    if (name === '') throw new UnreadableEntry();
    this.#expect('=');
    this.#match(BLANK);
    const valueStart = this.at;
    const { end, isJoined } = this.#value();
    const value = this.#text.slice(valueStart, end);
    return { name, start, end, value, content: isJoined ? null : contentOf(value) };
  }

  /** `at` may then be behind white space. */
  #value(): { readonly end: number; readonly isJoined: boolean } {
    for (let isJoined = false; ; isJoined = true) {
      const first = this.#text[this.at];
      if (first === '{') this.#skipTo('}', 1);
      else if (first === '"') this.#skipTo('"', 0);
      else if (this.#match(WORD) === '') throw new UnreadableEntry();
      const end = this.at;
      if (!this.#isNext('#')) return { end, isJoined };
      this.#match(BLANK);
    }
  }

  /**
   * From an opening character to behind the closing one. A brace counts behind a backslash too, as for bibtex.
   * @param depth open braces, the opening one included
   */
  #skipTo(close: string, depth: number): void {
    const text = this.#text;
    let open = depth;
    for (let at = this.at + 1; at < text.length; at += 1) {
      const character = text[at];
      if (character === '{') open += 1;
      else if (character === '}') open -= 1;
      if (open < 0) break;
      if (open === 0 && character === close) {
        this.at = at + 1;
        return;
      }
    }
    throw new UnreadableEntry();
  }

  /** Whether the character follows white space. Steps behind it, or with `false` stays. */
  #isNext(character: string, steps = true): boolean {
    this.#match(BLANK);
    if (this.#text[this.at] !== character) return false;
    if (steps) this.at += 1;
    return true;
  }

  #expect(character: string): void {
    if (!this.#isNext(character)) throw new UnreadableEntry();
  }

  /** @param pattern sticky */
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }
}
