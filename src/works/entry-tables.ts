// Tables with the BibTeX and RIS names for the variables of CSL.

import { cslIdentifiers } from './csl-item.ts';
import { type CslItem, readPlainText } from './work.ts';

/** For each BibTeX type, the fields for the container and the publisher of a work. */
export const FIELDS_BY_TYPE: Readonly<
  Record<string, { readonly container: string; readonly publisher: string }>
> = {
  article: { container: 'journal', publisher: 'publisher' },
  book: { container: 'series', publisher: 'publisher' },
  incollection: { container: 'booktitle', publisher: 'publisher' },
  inproceedings: { container: 'booktitle', publisher: 'publisher' },
  mastersthesis: { container: 'series', publisher: 'school' },
  phdthesis: { container: 'series', publisher: 'school' },
  proceedings: { container: 'series', publisher: 'publisher' },
  techreport: { container: 'series', publisher: 'institution' },
};
export const FIELDS_OF_OTHER_TYPES = { container: 'howpublished', publisher: 'publisher' };

/**
 * Each row has a variable of CSL 1.0.2 (appendix IV), its field in BibTeX, and its field in RIS. If several rows have the
 * same field, `addTexts` writes only the first of their variables that has a text. RIS has a line for each number.
 */
const TEXTS = [
  ['collection-title', 'series', 'T3'],
  ['volume', 'volume', 'VL'],
  ['issue', 'number', 'IS'],
  ['number', 'number', 'IS'],
  ['publisher-place', 'address', 'CY'],
  ['edition', 'edition', 'ET'],
  ['version', 'version', 'ET'],
  ['genre', 'type', 'M3'],
  ['ISBN', 'isbn', null],
  ['ISSN', 'issn', null],
  ['language', 'language', 'LA'],
] as const;

const IDENTIFIERS: ReadonlySet<string> = new Set(['ISBN', 'ISSN']);

/** The fields of an entry, in the order of writing. */
export type EntryFields = Map<string, string>;

/** Adds a field, unless its text is null or the entry already has the field. */
export function addField(fields: EntryFields, field: string, text: string | null): void {
  if (text !== null && !fields.has(field)) fields.set(field, text);
}

/** Adds the fields of the table TEXTS. @param write escapes a text */
export function addTexts(
  fields: EntryFields,
  csl: CslItem,
  format: 'bibtex' | 'ris',
  write: (text: string, field: string) => string,
): void {
  for (const [variable, bibtex, ris] of TEXTS) {
    const field = format === 'bibtex' ? bibtex : ris;
    if (field === null) continue;
    const read = IDENTIFIERS.has(variable) ? cslIdentifiers : readPlainText;
    const text = read(csl[variable]);
    addField(fields, field, text === null ? null : write(text, field));
  }
}
