// Recognises one record of BibTeX, RIS, MEDLINE, EndNote, Web of Science or CSL JSON, and reads it as a reference in words.

import { readBibtex } from './bibtex-entries.ts';
import { bibtexWords, taggedWords } from './record-words.ts';

/** A longer record is cut here: the search compares fewer characters. */
const MAX_CHARACTERS = 10_000;

const BIBTEX_ENTRY = /^\s{0,100}@\w{1,30}\s{0,5}[{(]/;
/** The text around a name in a BibTeX entry begins with the key. */
const BIBTEX_FIELDS = /^\s{0,10}[^\s,{}()=]{1,100}\s{0,5},\s{0,20}\w{1,30}\s{0,5}=/;
const LAST_FIELD = /^[\s\S]*(?=\n\s{0,20}\w{1,30}\s{0,5}=)/;
const TAGGED_TITLE = /^\s{0,10}(?:T[I1] {1,2}- |%T |TI )/m;

const JSON_TITLE = /^[\s{,]{0,20}[\s\S]{0,2000}"title"\s{0,5}:/;
const JSON_NAME = /"[\w@:.-]{1,30}"\s{0,5}:/g;

/** The time is linear. Returns null for a text that is no record, and an empty text for a BibTeX entry without a title. */
export function wordsOfRecord(text: string): string | null {
  const source = text.slice(0, MAX_CHARACTERS);
  if (BIBTEX_ENTRY.test(source)) return wordsOfEntry(source);
  if (BIBTEX_FIELDS.test(source)) return wordsOfEntry(`@misc{${source}\n}`);
  if (TAGGED_TITLE.test(source)) return taggedWords(source);
  if (!JSON_TITLE.test(source)) return null;
  return source
    .replace(JSON_NAME, ' ')
    .replace(/[{}[\]"]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The last field of a cut entry is dropped. */
function wordsOfEntry(source: string): string {
  const { entries, macros } = readBibtex(source);
  const [whole] = entries;
  if (whole !== undefined) return bibtexWords(whole, macros);
  const [cut] = LAST_FIELD.exec(source) ?? [];
  const [entry] = cut === undefined ? [] : readBibtex(`${cut}\n}`).entries;
  return entry === undefined ? '' : bibtexWords(entry);
}
