// Compares two values of a BibTeX field. Ignores differences in spelling, LaTeX and abbreviations.

import { folded } from '../../../works/folded-words.ts';
import type { BibtexField } from '../../../works/reference-lists/bibtex-entries.ts';
import { readTexLetters } from '../../../works/tex-letters.ts';

/** A work can have several right values for these fields, or each agency writes the fields differently. */
const NOT_COMPARED = new Set('abstract doi howpublished isbn issn langid language type url'.split(' '));
const NAMES = new Set(['author', 'editor']);
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** For a title, the field of biblatex for its subtitle. */
const SUBTITLES: Readonly<Record<string, string>> = {
  title: 'subtitle',
  booktitle: 'booksubtitle',
  journaltitle: 'journalsubtitle',
  maintitle: 'mainsubtitle',
};
/** Agencies mix up the book, its series and the journal, so a value is right in any of these fields. */
const CONTAINERS = ['booktitle', 'journal', 'journaltitle', 'series', 'maintitle', 'howpublished'];

/**
 * @param entry all fields of the entry
 * @param ours can be another field for the same fact. Example: `date` for `year`.
 */
export function differs(entry: readonly BibtexField[], ours: BibtexField, theirs: BibtexField): boolean {
  if (ours.name === 'month') return monthIn(ours.value) !== monthIn(theirs.value);
  const { content: here } = ours;
  const { content: there } = theirs;
  // The content is null for a macro and for joined values, whose text is unknown here.
  if (here === null || there === null || NOT_COMPARED.has(ours.name)) return false;
  if (ours.name === 'date') return theirs.name === 'year' && plainOf(here).slice(0, 4) !== plainOf(there);
  if (NAMES.has(ours.name)) return areDifferentPeople(familiesOf(here), familiesOf(there));
  if (ours.name === 'title') return !areSameTitles(wholeTitle(entry, ours), there);
  if (!CONTAINERS.includes(ours.name)) return plainOf(here) !== plainOf(there);
  const containers = entry.filter(({ name }) => CONTAINERS.includes(name));
  return !containers.some((field) => {
    const title = wholeTitle(entry, field);
    return areSameTitles(title, there) || abbreviates(title, there) || abbreviates(there, title);
  });
}

/** The title of the entry with its subtitle. */
function wholeTitle(entry: readonly BibtexField[], { name, content }: BibtexField): string {
  const subtitle = entry.find((field) => field.name === SUBTITLES[name])?.content;
  return subtitle == null ? (content ?? '') : `${content ?? ''}: ${subtitle}`;
}

/** Between a title and its subtitle. */
const BEFORE_SUBTITLE = /[:.?!\u2013\u2014]\}*\s|\s-{1,3}\s/;
/** A shorter beginning says too little. */
const MIN_MAIN_LETTERS = 5;

/** Whether the titles are equal, or one of them is the other without its subtitle. */
function areSameTitles(here: string, there: string): boolean {
  const [whole, otherWhole] = [plainOf(here), plainOf(there)];
  return whole === otherWhole || mainTitles(here).includes(otherWhole) || mainTitles(there).includes(whole);
}

/** The beginnings of a title that can be the title without a subtitle. */
function mainTitles(title: string): readonly string[] {
  const pieces = title.split(BEFORE_SUBTITLE).slice(0, MAX_PIECES);
  const beginnings = pieces.slice(1).map((_, at) => plainOf(pieces.slice(0, at + 1).join(' ')));
  return beginnings.filter((text) => text.length >= MIN_MAIN_LETTERS);
}

const MAX_PIECES = 5;

/** Keeps only letters and digits, in lower case and without accents. */
function plainOf(text: string): string {
  return folded(text).replace(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * Whether `short` is an abbreviation of `long`. Example: `Proc. Natl. Acad. Sci.` Each word of `short` stands for one word
 * of `long`. Both words begin with the same letter. The long word has all letters of the short word in the same order.
 */
function abbreviates(short: string, long: string): boolean {
  if (isInitialism(short, long)) return true;
  const words = wordsOf(short);
  for (const whole of wordsOf(long)) {
    if (isShortened(words[0] ?? '', whole)) words.shift();
    else if (whole.length > MAX_OMITTED_LENGTH) return false;
  }
  return words.length === 0;
}

/** An abbreviation can leave out words of at most this length, such as `of`, `and`, `für`. */
const MAX_OMITTED_LENGTH = 3;

/** `LNCS` for `Lecture Notes in Computer Science` */
function isInitialism(short: string, long: string): boolean {
  const initials = wordsOf(long)
    .filter((word) => word.length > MAX_OMITTED_LENGTH)
    .map((word) => word[0]);
  return initials.length >= MIN_INITIALS && plainOf(short) === initials.join('');
}

const MIN_INITIALS = 3;

function wordsOf(text: string): string[] {
  return folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

function isShortened(word: string, whole: string): boolean {
  if (word[0] !== whole[0]) return false;
  let at = 0;
  for (const letter of whole) at += Number(letter === word[at]);
  return at === word.length;
}

/** Examples of values: `{8}`, `aug`, `{August}`, `"13~" # aug`. */
function monthIn(value: string): number | string {
  const text = plainOf(value);
  const at = MONTHS.findIndex((month) => text.includes(month));
  return at === -1 ? Number(text) || text : at + 1;
}

/** Returns the last word of each family name. Given names are often initials, so they are ignored. */
function familiesOf(names: string): readonly string[] {
  const inOneLine = readTexLetters(names).replace(/\s+/g, ' ');
  return inOneLine.split(/ and /i).map((name) => plainOf(name.split(',')[0]?.trim().split(' ').at(-1) ?? ''));
}

/** Whether two lists name different people. `others` at the end of `here` stands for omitted names. */
function areDifferentPeople(here: readonly string[], there: readonly string[]): boolean {
  const isCut = here.at(-1) === 'others';
  const named = isCut ? here.slice(0, -1) : here;
  return (!isCut && named.length !== there.length) || named.some((family, at) => family !== there[at]);
}
