// Whether the words of a reference are about the work that its DOI name identifies.

import type { Work } from './work.ts';

/** Where the words are too few, or say one thing and the other, it cannot be told. */
export type ReferenceFit = 'FITS' | 'DOES_NOT_FIT' | 'CANNOT_TELL';

/** Of the letters in the title's words, the share that the reference has as well. docs/decisions/0024 says why these. */
const FITS = 0.6;
const DOES_NOT_FIT = 0.34;

/** With fewer words a title is in too many references, and a reference names no title. */
const MIN_TITLE_WORDS = 2;
const MIN_REFERENCE_WORDS = 5;

/** More of either tells nothing more. */
const MAX_CHARACTERS = 4_000;

/** @param reference what stands around the DOI: a line of a bibliography, an entry of BibTeX */
export function fitOfReference(reference: string, work: Pick<Work, 'title' | 'creators'>): ReferenceFit {
  if (work.title === null) return 'CANNOT_TELL';
  const said = new Set(wordsOf(withoutNames(reference.slice(0, MAX_CHARACTERS))));
  const title = wordsOf(work.title.slice(0, MAX_CHARACTERS));
  if (said.size < MIN_REFERENCE_WORDS || title.length < MIN_TITLE_WORDS) return 'CANNOT_TELL';
  const main = wordsOf(work.title.slice(0, MAX_CHARACTERS).split(SUBTITLE)[0] ?? '');
  const share = Math.max(shareOf(title, said), main.length < MIN_TITLE_WORDS ? 0 : shareOf(main, said));
  if (share >= FITS) return 'FITS';
  if (share > DOES_NOT_FIT) return 'CANNOT_TELL';
  // A title that is translated or abbreviated has none of its words there, but the names of its authors.
  return namesOf(work).some((names) => names.every((name) => said.has(name)))
    ? 'CANNOT_TELL'
    : 'DOES_NOT_FIT';
}

const SUBTITLE = /[:.?!;\u2013\u2014]\s/u;

function shareOf(words: readonly string[], said: ReadonlySet<string>): number {
  let all = 0;
  let found = 0;
  for (const word of words) {
    all += word.length;
    if (said.has(word)) found += word.length;
  }
  return found / all;
}

function namesOf({ creators }: Pick<Work, 'creators'>): readonly (readonly string[])[] {
  return creators
    .slice(0, 20)
    .map(({ family, name }) => wordsOf(family ?? name))
    .filter((words) => words.length > 0);
}

/** A DOI name or URL may hold words of a title: they are no words of the reference. */
function withoutNames(reference: string): string {
  return reference.replace(/\bhttps?:\/\/\S+|\b10\.\d{4,9}\/\S+/gi, ' ');
}

const HYPHENATED = /(\p{L})-[ \t]*\r?\n[ \t]*(?=\p{Ll})/gu;
const LATEX_ACCENT = /\\[`'^"~=.uvHcdbr](?:\{\\?(\p{L})\}|(\p{L}))/gu;
const WORD = /[\p{L}\p{N}]+/gu;
/** Written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const STOP_WORDS = new Set(
  (
    'a an and are as at by for from in into is of on or the to with der die das des den dem ein eine und von zu im für ' +
    'le la les de du des et un une en el los las y o del al na do da dos das e em'
  ).split(' '),
);

/** In lower case, without accents and without the small words; scripts without spaces in pairs of characters. */
function wordsOf(text: string): readonly string[] {
  const plain = text
    .replace(HYPHENATED, '$1')
    .replace(LATEX_ACCENT, '$1$2')
    .replace(/[{}]/g, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase();
  return (plain.match(WORD) ?? []).flatMap((word) => {
    if (UNSPACED.test(word)) return pairsOf([...word]);
    return word.length < 2 || STOP_WORDS.has(word) ? [] : [word];
  });
}

function pairsOf(characters: readonly string[]): readonly string[] {
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}
