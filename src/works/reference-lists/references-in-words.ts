// Splits a list of references into its references, each in words: a list as people paste it, BibTeX entries, or other
// records. The inspector also uses this file, so it must run in browsers.

import { type ReferenceList, splitReferences } from 'doi-names/parts';
import { readBibtex } from './bibtex-entries.ts';
import { bibtexWords, taggedWords } from './record-words.ts';

export interface ReferenceInWords {
  /** empty for a record without a title */
  readonly text: string;
  /** the number of its first line, from 1 */
  readonly line: number;
  /** offsets in the list, in UTF-16 units */
  readonly start: number;
  readonly end: number;
}

export interface ListInWords {
  readonly references: readonly ReferenceInWords[];
  /** how the list was split. Example: `numbered` */
  readonly layout: string;
  /** the number of lines with words that belong to no reference */
  readonly otherLines: number;
}

const BIBTEX = /^[ \t]*@[a-z]{1,30}\s{0,20}[{(]/im;

const LAYOUTS: Readonly<Record<ReferenceList['layout'], string>> = {
  numbered: 'numbered',
  bulleted: 'with bullets',
  hanging: 'with hanging indents',
  paragraphs: 'divided by blank lines',
  lines: 'one on each line',
  wrapped: 'divided where a line begins with people or follows a short line',
  elements: 'in elements',
  records: 'in records',
};

/** The time is linear. @param text at most MAX_LIST_CHARACTERS */
export function referencesInWords(text: string): ListInWords {
  const entries = BIBTEX.test(text) ? bibtexReferences(text) : [];
  if (entries.length > 0) return { references: entries, layout: 'in BibTeX entries', otherLines: 0 };
  const { references, layout, otherLines } = splitReferences(text);
  return {
    references:
      layout === 'records'
        ? references.map((reference) => ({ ...reference, text: taggedWords(reference.text) }))
        : references,
    layout: LAYOUTS[layout],
    otherLines,
  };
}

function bibtexReferences(text: string): readonly ReferenceInWords[] {
  const { entries, macros, unreadable } = readBibtex(text);
  const places = [
    ...entries.map((entry) => ({
      start: entry.start,
      end: entry.fieldsEnd,
      text: bibtexWords(entry, macros),
    })),
    ...unreadable.map((start) => ({ start, end: start, text: '' })),
  ].sort((a, b) => a.start - b.start);
  if (!places.some((place) => place.text !== '')) return [];
  let [line, counted] = [1, 0];
  return places.map((place) => {
    line += text.slice(counted, place.start).split(/\r\n?|\n/).length - 1;
    counted = place.start;
    return { ...place, line };
  });
}
