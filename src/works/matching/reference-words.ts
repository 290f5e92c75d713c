// The words of a reference or title with their places, and which words of two texts are the same.

import { foldedLetters, isStopWord, printedText, UNSPACED } from '../folded-words.ts';

/** A longer reference or title is cut: 70 authors, title and journal are shorter. */
export const MAX_CHARACTERS = 3_000;
/** A longer text is no reference. */
export const MAX_REFERENCE_CHARACTERS = 10_000;
/** One operation has at most this many references. */
export const MAX_REFERENCES_AT_ONCE = 200;
const MAX_WORDS = 500;
const MAX_WORD_CHARACTERS = 40;

export interface PlacedWord {
  /** in lower case, without accents */
  readonly word: string;
  /** offsets in `PlacedWords.text` */
  readonly start: number;
  readonly end: number;
}

export interface PlacedWords {
  /** without markup */
  readonly text: string;
  readonly words: readonly PlacedWord[];
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** In a script without spaces between words, each character is a word. */
export function placedWords(source: string): PlacedWords {
  const text = printedText(source.slice(0, MAX_CHARACTERS));
  const words = Array.from(text.matchAll(WORD), ({ 0: raw, index }) => ({ raw, index })).flatMap(
    ({ raw, index }) => {
      if (!UNSPACED.test(raw)) return [placed(raw, index)];
      let at = index;
      return Array.from(raw, (character) => {
        at += character.length;
        return placed(character, at - character.length);
      });
    },
  );
  return { text, words: words.slice(0, MAX_WORDS) };
}

function placed(raw: string, start: number): PlacedWord {
  const word = foldedLetters(raw).slice(0, MAX_WORD_CHARACTERS);
  return { word, start, end: start + raw.length };
}

/** Whether a word has meaning: it is not a stop word, and not a single letter of a script with spaces. */
export const isContent = (word: string): boolean =>
  !isStopWord(word) && (word.length > 1 || UNSPACED.test(word));

/** A shorter word with one different letter is another word. */
export const MIN_LETTERS_WITH_TYPO = 6;
/** Names and containers stand at known places. So a word with this many letters can have a typo there. */
export const MIN_LETTERS_OF_NAME = 5;

/** Whether the words are the same, or differ in one letter (missing, other, more, or swapped with its neighbour). */
export function isSameWord(one: string, other: string, minLetters = MIN_LETTERS_WITH_TYPO): boolean {
  if (one === other) return true;
  if (Math.min(one.length, other.length) < minLetters - 1) return false;
  if (Math.max(one.length, other.length) < minLetters) return false;
  if (Math.abs(one.length - other.length) > 1 || /\d/.test(one + other)) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  const shorter = Math.min(one.length, other.length) - start;
  while (end < shorter && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}

/** The number of letters in the words that have meaning. */
export function weightOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + (isContent(word) ? word.length : 0), 0);
}

/** Whether a mark separates the words at these places, so that a title can begin or end there. */
export function isSeparated({ text, words }: PlacedWords, before: number, after: number): boolean {
  const [left, right] = [words[before], words[after]];
  if (left === undefined || right === undefined) return true;
  return /[.,:;?!"'“”‘’«»()[\]\u2013\u2014/]/u.test(text.slice(left.end, right.start));
}
