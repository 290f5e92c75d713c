// Finds the words of references and titles, for comparisons. Removes differences in case, accents, LaTeX, markup and
// hyphens.

import { normalized } from 'doi-names/parts';
import { readTexLetters } from './tex-letters.ts';

const TAG = /<\/?[a-z][^<>]{0,300}>/gi;
const AT_LINE_END = /(\p{L})[-\u2010]\s{0,3}\r?\n[ \t]{0,20}(?=\p{L})/gu;
/** `\textquoteright`, `\textendash `. `\textit{x}` is LATEX_COMMAND. */
const LATEX_SIGN = /\\text[a-z]{1,20}(?![A-Za-z])(?:\{\}|[ \t]?(?![ \t{[]))/g;
const LATEX_COMMAND = /\\[A-Za-z]{1,20}\s?(?=[{[])/g;
// Each of these patterns matches at every place where it begins, so that no word is read twice.
const WORD_OR_COMPOUND = /[\p{L}\p{N}]+(?:[-\u2010\u2011\u2013][\p{L}\p{N}]+)*/gu;
const WORD = /[\p{L}\p{N}]+/gu;
/** The abbreviations in `Autom. quant. histol.` */
const PERHAPS_ABBREVIATION = /\p{L}{3,}\.?/gu;
/** Scripts without spaces between words. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const STOP_WORDS = new Set(
  (
    'a an and are as at by for from in into is of on or the to with der die das des den dem ein eine und von zu im fur ' +
    'le la les de du des et un une en el los las y o del al na do da dos das e em il lo gli di per i w z v s'
  ).split(' '),
);
/** Letters that normalization to NFKD does not decompose. */
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
  ȷ: 'j',
};

/** The folded words without stop words. In a script without spaces, each pair of neighbouring characters is a word. */
export function foldedWords(text: string): readonly string[] {
  return wordsOf(folded(text));
}

/** `count`: the number of different words. `has`: whether a word is in the text, perhaps with hyphens or abbreviated. */
export function wordsIn(text: string) {
  const plain = folded(text);
  const words = new Set(wordsOf(plain));
  const count = words.size;
  for (const [compound] of plain.matchAll(WORD_OR_COMPOUND)) {
    const joined = compound.replace(/[^\p{L}\p{N}]/gu, '');
    if (joined.length < compound.length) words.add(joined);
  }
  const abbreviations = new Set<string>();
  for (const [word] of plain.matchAll(PERHAPS_ABBREVIATION)) {
    if (word.endsWith('.')) abbreviations.add(word.slice(0, -1));
  }
  // A text has few different lengths, because long abbreviations fill it. So few beginnings of a long word are compared.
  const lengths = [...new Set(Array.from(abbreviations, (abbreviation) => abbreviation.length))];
  const isAbbreviated = (word: string): boolean =>
    lengths.some((length) => length < word.length && abbreviations.has(word.slice(0, length)));
  return { count, has: (word: string): boolean => words.has(word) || isAbbreviated(word) };
}

/** The text in lower case, without accents, markup and LaTeX. */
export function folded(text: string): string {
  return foldedLetters(printedText(text));
}

export const isStopWord = (word: string): boolean => STOP_WORDS.has(word);

/** The text with its capitals and accents, but without markup and LaTeX. */
export function printedText(text: string): string {
  const printed = text
    .replace(TAG, ' ')
    .replace(/\u00ad/g, '')
    .replace(AT_LINE_END, '$1-');
  return readTexLetters(printed).replace(LATEX_SIGN, ' ').replace(LATEX_COMMAND, '').replace(/[{}]/g, '');
}

/** In lower case, without accents. */
export function foldedLetters(plain: string): string {
  return normalized(plain, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþıȷ]/g, (letter) => LETTERS[letter] ?? letter);
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
