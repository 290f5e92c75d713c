// Whether two values of a field of BibTeX say different things. Spelling, LaTeX and abbreviations make no difference.

import { folded } from '../../../metadata/folded-words.ts';
import type { BibtexField } from './bibtex-entries.ts';

/** A work has several of these that are right, or each agency writes them in another way. */
const NOT_COMPARED = new Set('abstract doi howpublished isbn issn langid language type url'.split(' '));
const NAMES = new Set(['author', 'editor']);
const CONTAINERS = new Set(['booktitle', 'journal', 'journaltitle', 'series']);
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `ours` may be another field that says the same: `date` for `year`. */
export function differs(ours: BibtexField, theirs: BibtexField): boolean {
  if (ours.name === 'month') return monthIn(ours.value) !== monthIn(theirs.value);
  const { content: here } = ours;
  const { content: there } = theirs;
  // The file alone may know what a macro stands for.
  if (here === null || there === null || NOT_COMPARED.has(ours.name)) return false;
  if (ours.name === 'date') return theirs.name === 'year' && plain(here).slice(0, 4) !== plain(there);
  if (NAMES.has(ours.name)) return areOtherPeople(familiesOf(here), familiesOf(there));
  if (plain(here) === plain(there)) return false;
  return !CONTAINERS.has(ours.name) || !(abbreviates(here, there) || abbreviates(there, here));
}

/** Letters and digits. */
function plain(text: string): string {
  return folded(text).replace(/[^\p{L}\p{N}]+/gu, '');
}

/** `Proc. Natl. Acad. Sci.`: each word begins as the whole one does and has its letters in order. */
function abbreviates(short: string, long: string): boolean {
  const words = wordsOf(short);
  for (const whole of wordsOf(long)) {
    if (isShortened(words[0] ?? '', whole)) words.shift();
    else if (whole.length > LONGEST_LEFT_OUT) return false;
  }
  return words.length === 0;
}

/** `of`, `and`, `für` */
const LONGEST_LEFT_OUT = 3;

function wordsOf(text: string): string[] {
  return folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

function isShortened(word: string, whole: string): boolean {
  if (word[0] !== whole[0]) return false;
  let at = 0;
  for (const letter of whole) at += Number(letter === word[at]);
  return at === word.length;
}

/** `{8}`, `aug`, `{August}`, `"13~" # aug` */
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

/** `others` at the end stands for the names that are left out. */
function areOtherPeople(here: readonly string[], there: readonly string[]): boolean {
  const isCut = here.at(-1) === 'others';
  const named = isCut ? here.slice(0, -1) : here;
  return (!isCut && named.length !== there.length) || named.some((family, at) => family !== there[at]);
}
