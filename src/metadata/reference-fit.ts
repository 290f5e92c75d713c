// Whether the words of a reference are about the work that its DOI name identifies.

import type { ReferenceText } from '../doi/find/reference-around.ts';
import { foldedWords, saidIn } from './folded-words.ts';
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

/** That of most letters; Latin where there are none. */
function mainScript(text: string): Script {
  let main: Script = 'Latin';
  let most = 0;
  for (const script of Object.keys(SCRIPTS) as Script[]) {
    const letters = lettersIn(text, script);
    if (letters > most) [main, most] = [script, letters];
  }
  return main;
}

function lettersIn(text: string, script: Script): number {
  return text.match(SCRIPTS[script])?.length ?? 0;
}

/** CANNOT_TELL if there are too few words, or if they contradict each other. */
export type ReferenceFit = 'FITS' | 'DOES_NOT_FIT' | 'CANNOT_TELL';

/** What of a work a reference is compared with. */
export interface NamedWork {
  readonly title: string | null;
  /** family names, or the whole names of organizations, in their order */
  readonly authors: readonly string[];
  /** of publication */
  readonly year: number | null;
}

export function namedWork({
  title,
  creators,
  issued,
}: Pick<Work, 'title' | 'creators' | 'issued'>): NamedWork {
  const authors = creators.slice(0, MAX_AUTHORS).map(({ family, name }) => family ?? name);
  return { title, authors, year: issued?.year ?? null };
}

/** The share of the letters of the title's words that the reference also has. docs/decisions/0024 gives the reasons. */
const FITS = 0.6;
const HARDLY_ANY = 0.34;

/** With fewer words a title is in too many references, and a reference names no title. */
const MIN_TITLE_WORDS = 2;
const MIN_MAIN_LETTERS = 12;
const MIN_REFERENCE_WORDS = 5;

/** More words do not change the result. */
const MAX_CHARACTERS = 4_000;
const MAX_AUTHORS = 20;

export function fitOfReference(reference: ReferenceText, work: NamedWork): ReferenceFit {
  const { title, authors } = work;
  if (title === null) return 'CANNOT_TELL';
  const text = withoutAddresses(reference.text.slice(0, MAX_CHARACTERS));
  const said = saidIn(text);
  const cut = title.slice(0, MAX_CHARACTERS);
  const words = foldedWords(cut);
  if (said.count < MIN_REFERENCE_WORDS || words.length < MIN_TITLE_WORDS) return 'CANNOT_TELL';

  const main = foldedWords(cut.split(SUBTITLE)[0] ?? '');
  const isMainTelling = main.length >= MIN_TITLE_WORDS && main.join('').length >= MIN_MAIN_LETTERS;
  const share = Math.max(shareOf(words, said.has), isMainTelling ? shareOf(main, said.has) : 0);
  if (share >= FITS) return 'FITS';
  if (!reference.isWhole || !isReference(text)) return 'CANNOT_TELL';
  // A title that is translated has none of its words there, but the names of its authors.
  if (namesAuthors(authors.slice(0, MAX_AUTHORS), said.has)) return 'CANNOT_TELL';
  if (isOfOtherYear(text, work.year)) return 'DOES_NOT_FIT';
  // In Cyrillic, of a work that is registered in English, the names of its authors are none either.
  const isComparable = authors.length > 0 && mainScript(text) === mainScript(title);
  return isComparable && share <= HARDLY_ANY ? 'DOES_NOT_FIT' : 'CANNOT_TELL';
}

const SUBTITLE = /[:.?!;\u2013\u2014]\s/u;

/** A DOI name or URL may hold words of a title: they are no words of the reference. */
function withoutAddresses(reference: string): string {
  return reference.replace(/\bhttps?:\/\/[^\s"<>]+|\b10\.\d{4,9}\/[^\s"<>]+/gi, ' ');
}

const YEARS = /(?<!\d)(?:1[5-9]|20)\d\d(?!\d)/g;

/** Prose around a name says nothing of a title; a reference has a year, or fields. */
function isReference(text: string): boolean {
  return text.search(YEARS) !== -1 || /\btitle\s{0,20}=|^(?:TI|T1) {1,2}- /im.test(text);
}

/** Online and in print, a work may have come out in two years. */
function isOfOtherYear(text: string, year: number | null): boolean {
  const years = text.match(YEARS);
  return year !== null && years !== null && years.every((one) => Math.abs(Number(one) - year) > 1);
}

function shareOf(words: readonly string[], isSaid: (word: string) => boolean): number {
  let all = 0;
  let found = 0;
  for (const word of words) {
    all += word.length;
    if (isSaid(word)) found += word.length;
  }
  return found / all;
}

/** The first author, or two others: a family name alone is in many references. One without words may be there: Du, Le. */
function namesAuthors(authors: readonly string[], isSaid: (word: string) => boolean): boolean {
  const [first, ...others] = authors.map((author) => foldedWords(author).every(isSaid));
  return first === true || others.filter((isNamed) => isNamed).length >= 2;
}
