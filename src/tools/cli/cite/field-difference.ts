// Compares two values of a BibTeX field. Differences in spelling, LaTeX and abbreviations do not count.

import { folded } from '../../../metadata/folded-words.ts';
import type { BibtexField } from './bibtex-entries.ts';

/** A work may have several right values for these fields, or each agency writes them differently. */
const NOT_COMPARED = new Set('abstract doi howpublished isbn issn langid language type url'.split(' '));
const NAMES = new Set(['author', 'editor']);
const CONTAINERS = new Set(['booktitle', 'journal', 'journaltitle', 'series']);
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** @param ours may be another field for the same fact: `date` for `year` */
export function differs(ours: BibtexField, theirs: BibtexField): boolean {
  if (ours.name === 'month') return monthIn(ours.value) !== monthIn(theirs.value);
  const { content: here } = ours;
  const { content: there } = theirs;
  // A null content is a macro, or joined values. Their text is unknown here.
  if (here === null || there === null || NOT_COMPARED.has(ours.name)) return false;
  if (ours.name === 'date') return theirs.name === 'year' && plain(here).slice(0, 4) !== plain(there);
  if (NAMES.has(ours.name)) return areOtherPeople(familiesOf(here), familiesOf(there));
  if (plain(here) === plain(there)) return false;
  return !CONTAINERS.has(ours.name) || !(abbreviates(here, there) || abbreviates(there, here));
}

/** Only the letters and digits, folded. */
function plain(text: string): string {
  return folded(text).replace(/[^\p{L}\p{N}]+/gu, '');
}

/** `Proc. Natl. Acad. Sci.`: each short word has the first letter of a long word, then letters of it in order. */
function abbreviates(short: string, long: string): boolean {
  const words = wordsOf(short);
  for (const whole of wordsOf(long)) {
    if (isShortened(words[0] ?? '', whole)) words.shift();
    else if (whole.length > MAX_OMITTED_LENGTH) return false;
  }
  return words.length === 0;
}

/** Abbreviations leave out words such as `of`, `and`, `für`. */
const MAX_OMITTED_LENGTH = 3;

function wordsOf(text: string): string[] {
  return folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

function isShortened(word: string, whole: string): boolean {
  if (word[0] !== whole[0]) return false;
  let at = 0;
  for (const letter of whole) at += Number(letter === word[at]);
  return at === word.length;
}

/** Reads `{8}`, `aug`, `{August}`, `"13~" # aug`. */
function monthIn(value: string): number | string {
  const text = plain(value);
  const at = MONTHS.findIndex((month) => text.includes(month));
  return at === -1 ? Number(text) || text : at + 1;
}

/** The last word of each family name. Given names are often initials. */
function familiesOf(names: string): readonly string[] {
  const inOneLine = names.replace(/\s+/g, ' ');
  return inOneLine.split(/ and /i).map((name) => plain(name.split(',')[0]?.trim().split(' ').at(-1) ?? ''));
}

/** Whether two lists have other people. `others` at the end stands for the omitted names. */
function areOtherPeople(here: readonly string[], there: readonly string[]): boolean {
  const isCut = here.at(-1) === 'others';
  const named = isCut ? here.slice(0, -1) : here;
  return (!isCut && named.length !== there.length) || named.some((family, at) => family !== there[at]);
}
