// Tables with the BibTeX and RIS names for the types and variables of CSL.

import { typeByWord } from './csl-item.ts';
import { type CslItem, readPlainText } from './work.ts';

/**
 * Each key is a type of BibTeX and a type of RIS. Each value lists types of CSL 1.0.2 (appendix III) and types of Crossref
 * (https://api.crossref.org/types), because Crossref's content negotiation sends its own types in CSL JSON. BibTeX:
 * Patashnik, "BibTeXing", 1988, section 3.1; `misc` if no type fits. RIS: "RIS Format Specifications", Reference
 * Manager, 2011.
 */
const TYPES = typeByWord({
  'article JOUR': 'article-journal review review-book journal-article',
  'article MGZN': 'article-magazine',
  'article NEWS': 'article-newspaper',
  'book BOOK': 'book monograph reference-book',
  'book CLSWK': 'classic',
  'book EDBOOK': 'edited-book',
  'book SER': 'book-series book-set report-series proceedings-series',
  'booklet PAMP': 'pamphlet',
  'incollection CHAP': 'chapter entry book-chapter book-part book-section book-track',
  'incollection DICT': 'entry-dictionary',
  'incollection ENCYC': 'entry-encyclopedia reference-entry',
  'inproceedings CPAPER': 'paper-conference proceedings-article',
  'misc ART': 'graphic',
  'misc BILL': 'bill',
  'misc BLOG': 'post-weblog',
  'misc CASE': 'legal_case',
  'misc COMP': 'software',
  'misc DATA': 'dataset',
  'misc DBASE': 'database',
  'misc ELEC': 'webpage post',
  'misc FIGURE': 'figure',
  'misc GRANT': 'grant',
  'misc HEAR': 'hearing',
  'misc JFULL': 'periodical journal journal-volume journal-issue',
  'misc MAP': 'map',
  'misc MPCT': 'motion_picture broadcast',
  'misc MUSIC': 'musical_score',
  'misc PAT': 'patent',
  'misc PCOMM': 'personal_communication',
  'misc SLIDE': 'speech',
  'misc SOUND': 'song',
  'misc STAND': 'standard',
  'misc STAT': 'legislation regulation treaty',
  'misc UNPB': 'article posted-content',
  'phdthesis THES': 'thesis dissertation',
  'proceedings CONF': 'proceedings',
  'techreport RPRT': 'report report-component',
  'unpublished UNPB': 'manuscript',
});

export function entryTypes(cslType: string | null): { readonly bibtex: string; readonly ris: string } {
  const [bibtex = '', ris = ''] = (TYPES.get(cslType ?? '') ?? 'misc GEN').split(' ');
  return { bibtex, ris };
}

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
 * same field, `addTexts` writes only the first of their variables that has a text.
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
    const text = readPlainText(csl[variable]);
    addField(fields, field, text === null ? null : write(text, field));
  }
}
