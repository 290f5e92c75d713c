// Finds the title of a work in the words of a reference.

import {
  isContent,
  isSameWord,
  isSeparated,
  type PlacedWords,
  placedWords,
  weightOf,
} from './reference-words.ts';

/** Words from `start` until before `end`. */
export interface WordRange {
  readonly start: number;
  readonly end: number;
}

export interface TitlePlace extends WordRange {
  /** the share of the title's letters that stand here in the order of the title */
  readonly share: number;
  /** the share of the letters here that belong to the title */
  readonly purity: number;
}

const MIN_SHARE = 0.7;
const MIN_PURITY = 0.7;
/** A shorter title also needs marks around the title, because its words are in too many references. */
const MIN_LETTERS_ALONE = 25;
const MAX_TITLE_WORDS = 80;

/** With one of these words, a title is the title of another work: a notice, an answer, a review, a part. */
const NOTICE =
  /^(?:correction|corrections|corrigendum|corrigenda|erratum|errata|addendum|retraction|retracted|withdrawn|withdrawal|reply|response|rejoinder|comment|comments|commentary|discussion|review|editorial|letter|concern)$/;
const PART = /^(?:part|teil|partie|parte|ii|iii|iv|v|vi|vii|viii|ix|x)$/;

/**
 * Null if the reference has no such title, or if the reference names another work, such as the correction of the work.
 * @param whole the title with its subtitle, if `title` has no subtitle
 */
export function placeOfTitle(reference: PlacedWords, title: string, whole = title): TitlePlace | null {
  const [words, wholeTitle] = [titleWords(title), titleWords(whole)];
  const place = bestPlace(reference, words);
  if (place === null || place.share < MIN_SHARE || place.purity < MIN_PURITY) return null;
  if (isOtherWork(reference, place, wholeTitle)) return null;
  const isEnclosed =
    isSeparated(reference, place.start - 1, place.start) && isSeparated(reference, place.end - 1, place.end);
  return isEnclosed || weightOf(words) * place.share >= MIN_LETTERS_ALONE ? place : null;
}

const titleWords = (title: string): readonly string[] =>
  placedWords(title)
    .words.slice(0, MAX_TITLE_WORDS)
    .map(({ word }) => word);

function bestPlace({ words }: PlacedWords, title: readonly string[]): TitlePlace | null {
  const weigh = weightOf(title) > 0 ? (word: string) => (isContent(word) ? word.length : 0) : wordLength;
  const window = bestWindow(
    words.map(({ word }) => word),
    title,
    weigh,
  );
  if (window === null) return null;
  const inWindow = words.slice(window.start, window.end).map(({ word }) => word);
  const matched = commonInOrder(inWindow, title, weigh);
  const [first, last] = [matched[0], matched.at(-1)];
  if (first === undefined || last === undefined) return null;
  const letters = (some: readonly string[]): number => some.reduce((sum, word) => sum + weigh(word), 0);
  const found = letters(matched.map((at) => inWindow[at] ?? ''));
  return {
    start: window.start + first,
    end: window.start + last + 1,
    share: Math.min(1, found / letters(title)),
    purity: found / letters(inWindow.slice(first, last + 1)),
  };
}

const wordLength = (word: string): number => word.length;
type Weigh = (word: string) => number;

/** The run of words, a little longer than the title, that has most letters of the title. */
function bestWindow(words: readonly string[], title: readonly string[], weigh: Weigh): WordRange | null {
  const length = title.length + 2 + Math.ceil(title.length / 5);
  const distinct = [...new Set(title)];
  const keys = words.map((word) => distinct.find((other) => isSameWord(word, other)) ?? null);
  const free = new Map<string, number>();
  for (const word of title) free.set(word, (free.get(word) ?? 0) + 1);
  let [score, best, end] = [0, 0, 0];
  keys.forEach((key, at) => {
    score += taken(free, key, 1, weigh);
    if (at >= length) score += taken(free, keys[at - length] ?? null, -1, weigh);
    if (score > best) [best, end] = [score, at + 1];
  });
  return best === 0 ? null : { start: Math.max(0, end - length), end };
}

/** Removes a word from the free words, or returns the word to the free words. Returns the change of the score. */
function taken(free: Map<string, number>, key: string | null, by: 1 | -1, weigh: Weigh): number {
  if (key === null) return 0;
  const left = free.get(key) ?? 0;
  free.set(key, left - by);
  const counts = by === 1 ? left > 0 : left >= 0;
  return counts ? by * weigh(key) : 0;
}

/** The places of the heaviest words that both lists have in the same order. */
function commonInOrder(words: readonly string[], title: readonly string[], weigh: Weigh): readonly number[] {
  const width = title.length + 1;
  const best = new Float64Array((words.length + 1) * width);
  const at = (row: number, column: number): number => best[row * width + column] ?? 0;
  for (let row = words.length - 1; row >= 0; row -= 1) {
    for (let column = title.length - 1; column >= 0; column -= 1) {
      const skipped = Math.max(at(row + 1, column), at(row, column + 1));
      const both = gain(words[row], title[column], weigh) + at(row + 1, column + 1);
      best[row * width + column] = Math.max(skipped, both);
    }
  }
  const places: number[] = [];
  for (let [row, column] = [0, 0]; row < words.length && column < title.length; ) {
    const worth = gain(words[row], title[column], weigh);
    if (worth > 0 && at(row, column) === worth + at(row + 1, column + 1)) {
      places.push(row);
      [row, column] = [row + 1, column + 1];
    } else if (at(row, column) === at(row + 1, column)) row += 1;
    else column += 1;
  }
  return places;
}

/** Stop words count a little, so that the place includes the stop words at its ends. */
function gain(word = '', other = '', weigh: Weigh): number {
  return isSameWord(word, other) ? weigh(other) + 1 / 64 : 0;
}

function isOtherWork({ words }: PlacedWords, { start, end }: WordRange, title: readonly string[]): boolean {
  const inside = words.slice(start, end).map(({ word }) => word);
  const before = words.slice(Math.max(0, start - 4), start).map(({ word }) => word);
  const after = words.slice(end, end + 2).map(({ word }) => word);
  const has = (list: readonly string[], word: string): boolean =>
    list.some((other) => isSameWord(word, other));
  const isMissing = (word: string): boolean => !has(inside, word) && !has(after, word) && !has(before, word);
  const parts = (list: readonly string[]) => list.filter((word) => PART.test(word));
  if (title.some((word) => (NOTICE.test(word) || PART.test(word)) && isMissing(word))) return true;
  const isMore = (word: string): boolean => !title.includes(word);
  return (
    before.some((word) => NOTICE.test(word) && isMore(word)) ||
    parts(after).some((word) => word !== 'v' && word !== 'x' && isMore(word))
  );
}
