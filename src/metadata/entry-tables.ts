// What the types and the fields of CSL are in BibTeX and RIS.

import { type Creator, type CslItem, readCreators, readPlainText } from './work.ts';

interface EntryTypes {
  readonly bibtex: string;
  readonly ris: string;
}

const BY_TYPES: Readonly<Record<string, readonly string[]>> = {
  'article JOUR': ['article-journal', 'review', 'review-book', 'journal-article'],
  'article MGZN': ['article-magazine'],
  'article NEWS': ['article-newspaper'],
  'book BOOK': ['book', 'monograph', 'reference-book'],
  'book CLSWK': ['classic'],
  'book EDBOOK': ['edited-book'],
  'book SER': ['book-series', 'book-set', 'report-series', 'proceedings-series'],
  'booklet PAMP': ['pamphlet'],
  'incollection CHAP': ['chapter', 'entry', 'book-chapter', 'book-part', 'book-section', 'book-track'],
  'incollection DICT': ['entry-dictionary'],
  'incollection ENCYC': ['entry-encyclopedia', 'reference-entry'],
  'inproceedings CPAPER': ['paper-conference', 'proceedings-article'],
  'misc ART': ['graphic'],
  'misc BILL': ['bill'],
  'misc BLOG': ['post-weblog'],
  'misc CASE': ['legal_case'],
  'misc COMP': ['software'],
  'misc DATA': ['dataset'],
  'misc DBASE': ['database'],
  'misc ELEC': ['webpage', 'post'],
  'misc FIGURE': ['figure'],
  'misc GRANT': ['grant'],
  'misc HEAR': ['hearing'],
  'misc JFULL': ['periodical', 'journal', 'journal-volume', 'journal-issue'],
  'misc MAP': ['map'],
  'misc MPCT': ['motion_picture', 'broadcast'],
  'misc MUSIC': ['musical_score'],
  'misc PAT': ['patent'],
  'misc PCOMM': ['personal_communication'],
  'misc SLIDE': ['speech'],
  'misc SOUND': ['song'],
  'misc STAND': ['standard'],
  'misc STAT': ['legislation', 'regulation', 'treaty'],
  'misc UNPB': ['article', 'posted-content'],
  'phdthesis THES': ['thesis', 'dissertation'],
  'proceedings CONF': ['proceedings'],
  'techreport RPRT': ['report', 'report-component'],
  'unpublished UNPB': ['manuscript'],
};

/**
 * The types that BibTeX's own styles know (Patashnik, "BibTeXing", 1988, section 3.1), `misc` where it knows none; the
 * types of RIS ("RIS Format Specifications", Reference Manager, 2011). Left are the types of CSL 1.0.2, appendix III,
 * then those of Crossref that CSL does not have (https://api.crossref.org/types).
 */
const TYPES: ReadonlyMap<string, EntryTypes> = new Map(
  Object.entries(BY_TYPES).flatMap(([both, types]) => {
    const [bibtex = '', ris = ''] = both.split(' ');
    return types.map((type) => [type, { bibtex, ris }] as const);
  }),
);

export function entryTypes(cslType: string | null): EntryTypes {
  return TYPES.get(cslType ?? '') ?? { bibtex: 'misc', ris: 'GEN' };
}

/** Where BibTeX has the container of an entry and its publisher; the types that are not here have the last row. */
export const PLACES: Readonly<Record<string, { readonly container: string; readonly publisher: string }>> = {
  article: { container: 'journal', publisher: 'publisher' },
  book: { container: 'series', publisher: 'publisher' },
  incollection: { container: 'booktitle', publisher: 'publisher' },
  inproceedings: { container: 'booktitle', publisher: 'publisher' },
  mastersthesis: { container: 'series', publisher: 'school' },
  phdthesis: { container: 'series', publisher: 'school' },
  proceedings: { container: 'series', publisher: 'publisher' },
  techreport: { container: 'series', publisher: 'institution' },
};
export const OTHER_PLACES = { container: 'howpublished', publisher: 'publisher' };

/**
 * Variables of CSL 1.0.2, appendix IV, that are one text in all three, and their fields in BibTeX and RIS. Of two rows
 * with the same field the first counts that the work has.
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
  ['ISBN', 'isbn', 'SN'],
  ['ISSN', 'issn', 'SN'],
  ['language', 'language', 'LA'],
  ['abstract', 'abstract', 'AB'],
] as const;

/** The longest list of authors that is known has 15,025. */
export const MAX_NAMES = 20_000;

export function readNames(people: unknown): readonly Creator[] {
  return readCreators(Array.isArray(people) ? people.slice(0, MAX_NAMES) : people);
}

/** Fields of an entry in their order. */
export type EntryFields = Map<string, string>;

/** Adds a field that the entry does not have. */
export function addField(fields: EntryFields, field: string, text: string | null): void {
  if (text !== null && !fields.has(field)) fields.set(field, text);
}

/** Adds the fields of the table above, each written by `write`. */
export function addTexts(
  fields: EntryFields,
  csl: CslItem,
  format: 'bibtex' | 'ris',
  write: (text: string, field: string) => string,
): void {
  for (const [variable, bibtex, ris] of TEXTS) {
    const field = format === 'bibtex' ? bibtex : ris;
    const text = readPlainText(csl[variable]);
    addField(fields, field, text === null ? null : write(text, field));
  }
}
