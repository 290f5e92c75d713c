// Compares the words of a reference with the work that its DOI name identifies.

import type { ReferenceText } from 'doi-names/parts';
import { foldedWords, wordsIn } from './folded-words.ts';
import type { Work } from './work.ts';

const SCRIPTS = {
  Latin: /\p{Script=Latin}/gu,
  Cyrillic: /\p{Script=Cyrillic}/gu,
  Greek: /\p{Script=Greek}/gu,
  Arabic: /\p{Script=Arabic}/gu,
  Hebrew: /\p{Script=Hebrew}/gu,
  Hangul: /\p{Script=Hangul}/gu,
  EastAsian: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
} as const;

type Script = keyof typeof SCRIPTS;

/** The script of most letters; Latin if the text has no letters. */
function mainScript(text: string): Script {
  let main: Script = 'Latin';
  let most = 0;
  for (const script of Object.keys(SCRIPTS) as Script[]) {
    const letters = text.match(SCRIPTS[script])?.length ?? 0;
    if (letters > most) [main, most] = [script, letters];
  }
  return main;
}

/** CANNOT_TELL if there are too few words, if the scripts differ, or if only some details fit. */
export type ReferenceFit = 'FITS' | 'DOES_NOT_FIT' | 'CANNOT_TELL';

/** The details of a work that are compared with a reference. */
export interface NamedWork {
  readonly title: string | null;
  /** family names, or the whole names of organizations, in their order */
  readonly authors: readonly string[];
  /** the year of publication */
  readonly year: number | null;
}

type ComparedMembers = Pick<Work, 'title' | 'creators' | 'issued'>;

export function namedWork({ title, creators, issued }: ComparedMembers): NamedWork {
  const authors = creators.slice(0, MAX_AUTHORS).map(({ family, name }) => family ?? name);
  return { title, authors, year: issued?.year ?? null };
}

/** The share is the part of the title's letters in words that the reference also has (docs/decisions/0024). */
const MIN_SHARE_TO_FIT = 0.6;
const MAX_SHARE_OF_MISFIT = 0.34;

/** The words of a shorter title are in too many references. A reference with fewer words has no title. */
const MIN_TITLE_WORDS = 2;
const MIN_MAIN_LETTERS = 12;
const MIN_REFERENCE_WORDS = 5;

/** Longer texts are cut, because more words do not change the result. */
const MAX_CHARACTERS = 4_000;
const MAX_AUTHORS = 20;

export function fitOfReference(reference: ReferenceText, work: NamedWork): ReferenceFit {
  const { title, authors } = work;
  if (title === null) return 'CANNOT_TELL';
  const text = withoutAddresses(reference.text.slice(0, MAX_CHARACTERS));
  const referenceWords = wordsIn(text);
  const titleText = title.slice(0, MAX_CHARACTERS);
  const words = foldedWords(titleText);
  if (referenceWords.count < MIN_REFERENCE_WORDS || words.length < MIN_TITLE_WORDS) return 'CANNOT_TELL';

  const mainTitle = foldedWords(titleText.split(SUBTITLE)[0] ?? '');
  const isMainLong = mainTitle.length >= MIN_TITLE_WORDS && mainTitle.join('').length >= MIN_MAIN_LETTERS;
  const share = Math.max(
    shareOf(words, referenceWords.has),
    isMainLong ? shareOf(mainTitle, referenceWords.has) : 0,
  );
  if (share >= MIN_SHARE_TO_FIT) return 'FITS';
  if (!reference.isWhole || !isReference(text)) return 'CANNOT_TELL';
  // A reference with a translated title has other words than the title, but it has the names of the authors.
  if (namesAuthors(authors.slice(0, MAX_AUTHORS), referenceWords.has)) return 'CANNOT_TELL';
  if (isOfOtherYear(text, work.year)) return 'DOES_NOT_FIT';
  // If the scripts differ, the names of the authors also have other letters, so nothing can be compared.
  const isComparable = authors.length > 0 && mainScript(text) === mainScript(titleText);
  return isComparable && share <= MAX_SHARE_OF_MISFIT ? 'DOES_NOT_FIT' : 'CANNOT_TELL';
}

export const SUBTITLE = /[:.?!;\u2013\u2014]\s/u;

/** Removes DOI names and URLs, because their words are not words of the reference. */
export function withoutAddresses(reference: string): string {
  return reference.replace(/\bhttps?:\/\/[^\s"<>]+|\b10\.\d{4,9}\/[^\s"<>]+/gi, ' ');
}

const YEARS = /(?<!\d)(?:1[5-9]|20)\d\d(?!\d)/g;

/** Whether the text is a reference and not prose. A reference has a year, or fields of BibTeX or RIS. */
function isReference(text: string): boolean {
  return text.search(YEARS) !== -1 || /\btitle\s{0,20}=|^(?:TI|T1) {1,2}- /im.test(text);
}

/** A difference of one year is allowed, because a work can appear online and in print in different years. */
function isOfOtherYear(text: string, year: number | null): boolean {
  const years = text.match(YEARS);
  return year !== null && years !== null && years.every((other) => Math.abs(Number(other) - year) > 1);
}

function shareOf(words: readonly string[], isInReference: (word: string) => boolean): number {
  let all = 0;
  let found = 0;
  for (const word of words) {
    all += word.length;
    if (isInReference(word)) found += word.length;
  }
  return found / all;
}

/**
 * Whether the reference has the name of the first author, or the names of two other authors. One other name is not
 * enough, because the name can be there by chance. A name of stop words only, such as Du or Le, always counts as found.
 */
function namesAuthors(authors: readonly string[], isInReference: (word: string) => boolean): boolean {
  const [first, ...others] = authors.map((author) => foldedWords(author).every(isInReference));
  return first === true || others.filter((isNamed) => isNamed).length >= 2;
}
