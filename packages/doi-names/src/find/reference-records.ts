// Finds where a record of BibTeX, RIS, MEDLINE, EndNote or Web of Science begins and ends in a text that arrives in lines.

import { FORMATS, type RecordFormat } from './record-around.ts';

/** The types of BibTeX and biblatex. `@string`, `@comment` and the decorators of programs are no entries. */
const ENTRY_TYPES: ReadonlySet<string> = new Set(
  'article artwork audio book bookinbook booklet collection conference dataset electronic eprint inbook incollection inproceedings inreference jurisdiction legal legislation letter manual mastersthesis misc mvbook mvcollection mvproceedings mvreference online patent performance periodical phdthesis preprint proceedings reference report review software standard suppbook suppcollection suppperiodical techreport thesis unpublished video www'.split(
    ' ',
  ),
);
const ENTRY = /^[ \t]*@(\w{1,20})\s{0,5}([{(])\s{0,5}([^\s,{}()=]{1,100})\s{0,5},/;
/** The end of `@article(key, …)`. Braces end the usual entry. */
const PARENTHESIS = /\)[ \t]*\n$/;

/** `title = {…}`, `TI  - …`, `%T …` */
const TITLES = [
  /(?:^|[\s,{])title\s{0,5}=\s{0,5}[{"]{1,3}([^\n]{0,200})/i,
  /(?:^|\n)(?:T[I1] {1,2}- |%T |TI )([^\n]{0,200})/,
];
/** About this many characters of a record are kept: an abstract can stand before the title. */
const MAX_KEPT = 10_000;

export class ReferenceRecord {
  readonly #key: string;
  readonly #end: RegExp | null;
  #text = '';
  /** the number of open braces of a BibTeX entry */
  #depth = 0;

  private constructor(key: string, end: RegExp | null) {
    this.#key = key;
    this.#end = end;
  }

  /** The record that begins with this line; null if none begins. */
  static beginningWith(line: string): ReferenceRecord | null {
    const [, type = '', bracket, key = ''] = ENTRY.exec(line) ?? [];
    if (ENTRY_TYPES.has(type.toLowerCase()))
      return new ReferenceRecord(key, bracket === '(' ? PARENTHESIS : null);
    const format = OTHER_FORMATS.find(({ begin }) => `${line}\n`.search(begin) === 0);
    return format === undefined ? null : new ReferenceRecord('', format.end);
  }

  /** Returns whether the line ends the record. Call it also with the first line. */
  add(line: string): boolean {
    if (this.#text.length < MAX_KEPT) this.#text += `${line.slice(0, MAX_KEPT)}\n`;
    if (this.#end !== null) return `\n${line}\n`.search(this.#end) !== -1;
    for (const [brace] of line.matchAll(/[{}]/g)) this.#depth += brace === '{' ? 1 : -1;
    return this.#depth <= 0;
  }

  /** as written; the end of a long record is missing */
  get text(): string {
    return this.#text;
  }

  /** Example: `smith2020: The title` */
  get words(): string {
    const title = TITLES.map((pattern) => pattern.exec(this.#text)?.[1] ?? '').find((text) => text !== '');
    const words =
      title
        ?.replace(/["}],?\s*$|[{}]/g, '')
        .replace(/["}],?$/, '')
        .trim() ?? '';
    return [this.#key, words].filter(Boolean).join(': ');
  }
}

const { bibtex: _, ...OTHERS } = FORMATS;
const OTHER_FORMATS: readonly RecordFormat[] = Object.values(OTHERS);
