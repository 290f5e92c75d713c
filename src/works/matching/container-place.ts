// Finds the journal, book or proceedings of a work in the words of a reference, in full or abbreviated.

import { editDistance } from '../../edit-distance.ts';
import { isStopWord } from '../folded-words.ts';
import {
  isContent,
  isSameWord,
  isSeparated,
  MIN_LETTERS_OF_NAME,
  type PlacedWords,
  placedWords,
} from './reference-words.ts';
import type { WordRange } from './title-place.ts';

const MAX_CONTAINER_WORDS = 40;
const MIN_SHARE = 0.65;
const MIN_WORDS_ALONE = 3;

interface Walked extends WordRange {
  readonly share: number;
  readonly isWhole: boolean;
}

/** @param isFree whether the word at a place can belong to a container: it is not in the title */
export function placeOfContainer(
  reference: PlacedWords,
  container: string,
  isFree: (at: number) => boolean,
): WordRange | null {
  const title = placedWords(container).words.slice(0, MAX_CONTAINER_WORDS);
  const all = title.map(({ word }) => word);
  const content = all.filter((word) => !isStopWord(word));
  const words = content.length > 0 ? content : all;
  let best: Walked | null = null;
  for (let start = 0; start < reference.words.length; start += 1) {
    if (best?.share === 1) break;
    if (!isFree(start)) continue;
    const walked = walk(reference, start, words, isFree);
    if (walked.share > (best?.share ?? 0) && isContainer(reference, walked, words)) best = walked;
  }
  return best;
}

function isContainer(reference: PlacedWords, place: Walked, words: readonly string[]): boolean {
  if (place.share < MIN_SHARE) return false;
  if (words.length >= MIN_WORDS_ALONE) return true;
  const next = reference.words[place.end]?.word ?? '';
  return (
    /\d|^(?:vol|volume|no|v|bd)$/.test(next) ||
    (place.isWhole && isSeparated(reference, place.end - 1, place.end)) ||
    (!place.isWhole && next === '')
  );
}

/** Compares word for word. In the reference, small words may be absent, and one of three words may be absent. */
function walk(
  { text, words }: PlacedWords,
  start: number,
  container: readonly string[],
  isFree: (at: number) => boolean,
): Walked {
  const initials = container.map((word) => word[0]).join('');
  const first = words[start]?.word ?? '';
  if (container.length > 2 && first === initials) return { start, end: start + 1, share: 1, isWhole: true };
  let [at, next, letters, isWhole] = [start, 0, 0, true];
  let end = start;
  let skipped = 0;
  while (at < words.length && next < container.length && isFree(at)) {
    const word = words[at]?.word ?? '';
    const isDotted = text[words[at]?.end ?? 0] === '.';
    const fit = container.slice(next, next + 2).findIndex((other) => isSameOrPrefix(word, other, isDotted));
    if (fit === -1) {
      if (at === start) break;
      if (isContent(word)) {
        // The word is perhaps a word of the container with several typing errors.
        skipped += 1;
        next += 1;
        if (skipped * 3 > container.length) break;
      }
    } else {
      if (fit === 1) skipped += 1;
      if (skipped * 3 > container.length) break;
      const matched = container[next + fit] ?? '';
      letters += matched.length;
      isWhole = isSameWord(word, matched);
      next += fit + 1;
      end = at + 1;
    }
    at += 1;
  }
  const all = container.reduce((sum, word) => sum + word.length, 0);
  return { start, end, share: letters / all, isWhole };
}

function isSameOrPrefix(word: string, other: string, isDotted: boolean): boolean {
  if (isSameWord(word, other, MIN_LETTERS_OF_NAME)) return true;
  if (!(isDotted || word.length > 1) || word.length >= other.length) return false;
  return other.startsWith(word) || isSameWord(word, other.slice(0, word.length), MIN_LETTERS_OF_NAME);
}

const MAX_MISTYPED_WORDS = 20;
const MIN_MISTYPED_SHARE = 0.7;
const MIN_MISTYPED_LETTERS = 3;

/** Whether most letters are in words of the container, or in their beginnings, with one typing error in each. */
export function isMistypedContainer(words: readonly string[], container: string): boolean {
  const some = words.slice(0, MAX_MISTYPED_WORDS);
  const names = placedWords(container).words.slice(0, MAX_CONTAINER_WORDS);
  const letters = (list: readonly string[]): number => list.reduce((sum, word) => sum + word.length, 0);
  const known = some.filter((word) => names.some((name) => isMistyped(word, name.word)));
  return known.length > 0 && letters(known) >= MIN_MISTYPED_SHARE * letters(some);
}

function isMistyped(word: string, name: string): boolean {
  if (word.length < MIN_MISTYPED_LETTERS) return false;
  const lengths = [word.length - 1, word.length, word.length + 1];
  return lengths.some((length) => editDistance(word, name.slice(0, length)) <= 1);
}
