// Whether the words of a reference are about the work that its DOI name identifies.

import type { ReferenceText } from '../doi/find/reference-around.ts';
import type { Work } from './work.ts';

// The words of references and titles, so that two spellings of a word are one: case, accents, LaTeX, markup, hyphens.

const TAG = /<\/?[a-z][^<>]{0,300}>/gi;
const AT_LINE_END = /(\p{L})[-\u2010]\s{0,3}\r?\n[ \t]{0,20}(?=\p{L})/gu;
/** `\"{o}`, `\'e`, `\v{s}`, `\c c` */
const LATEX_ACCENT =
  /\\(?:[`'^"~=.]\s?|[uvHcdbrk](?=\{|\s\\?\p{L}(?!\p{L})))\s?(?:\{\\?(\p{L})\}|\\?(\p{L}))/gu;
/** `\o`, `\ss`, `\ae` */
const LATEX_LETTER = /\\(o|O|l|L|i|j|ss|ae|AE|oe|OE|aa|AA)(?![A-Za-z])(?:\{\}|[ \t])?/g;
const LATEX_COMMAND = /\\[A-Za-z]{1,20}\s?(?=[{[])/g;
const COMPOUND = /[\p{L}\p{N}]+(?:[-\u2010\u2011\u2013][\p{L}\p{N}]+)+/gu;
const WORD = /[\p{L}\p{N}]+/gu;
/** `Autom. quant. histol.` */
const ABBREVIATION = /\p{L}{3,}(?=\.)/gu;
/** Written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const STOP_WORDS = new Set(
  (
    'a an and are as at by for from in into is of on or the to with der die das des den dem ein eine und von zu im fur ' +
    'le la les de du des et un une en el los las y o del al na do da dos das e em il lo gli di per i w z v s'
  ).split(' '),
);
/** Letters that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** In lower case, without accents and without the small words; scripts without spaces in pairs of characters. */
function foldedWords(text: string): readonly string[] {
  return wordsOf(folded(text));
}

interface SaidWords {
  readonly count: number;
  /** also by an abbreviation of it, or as a part of a compound */
  readonly has: (word: string) => boolean;
}

function saidIn(text: string): SaidWords {
  const plain = folded(text);
  const words = new Set(wordsOf(plain));
  const count = words.size;
  for (const [compound] of plain.matchAll(COMPOUND)) words.add(compound.replace(/[^\p{L}\p{N}]/gu, ''));
  const abbreviations = new Set(plain.match(ABBREVIATION));
  const isAbbreviated = (word: string): boolean => {
    for (let length = 3; length < word.length; length += 1) {
      if (abbreviations.has(word.slice(0, length))) return true;
    }
    return false;
  };
  return { count, has: (word) => words.has(word) || isAbbreviated(word) };
}

function folded(text: string): string {
  return text
    .replace(TAG, ' ')
    .replace(/\u00ad/g, '')
    .replace(AT_LINE_END, '$1-')
    .replace(LATEX_ACCENT, '$1$2')
    .replace(LATEX_LETTER, '$1')
    .replace(LATEX_COMMAND, '')
    .replace(/[{}]/g, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter] ?? letter);
}

function wordsOf(plain: string): readonly string[] {
  return (plain.match(WORD) ?? []).flatMap((word) => {
    if (UNSPACED.test(word)) return pairsOf([...word]);
    return word.length < 2 || STOP_WORDS.has(word) ? [] : [word];
  });
}

function pairsOf(characters: readonly string[]): readonly string[] {
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

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
