// Finds which authors of a work a reference names.

import type { Creator } from '../creators.ts';
import {
  isContent,
  isSameWord,
  MIN_LETTERS_OF_NAME,
  type PlacedWords,
  placedWords,
} from './reference-words.ts';

export const MAX_AUTHORS = 60;
/** In every style, the name of the first author begins after at most this many words. */
const FIRST_NAME_WORDS = 6;

export interface AuthorNames {
  /** the words of the family names, or of the names of organizations */
  readonly families: readonly (readonly string[])[];
  /** all words of all names, and the initials of given names */
  readonly words: ReadonlySet<string>;
}

export function namesOf(creators: readonly Creator[]): AuthorNames {
  const some = creators.slice(0, MAX_AUTHORS);
  const wordsOf = (text: string): readonly string[] =>
    placedWords(text.slice(0, 200)).words.map(({ word }) => word);
  const families = some.map(({ family, name }) => {
    const all = wordsOf(family ?? name);
    const content = all.filter(isContent);
    return content.length > 0 ? content : all;
  });
  return { families, words: new Set(some.flatMap(({ name }) => wordsOf(name))) };
}

/** Whether the words before `end` name the first author at their beginning, or half of all authors. */
export function isByAuthors(
  reference: PlacedWords,
  { families }: AuthorNames,
  isFree: (at: number) => boolean,
): boolean {
  const free = reference.words.filter((_, at) => isFree(at)).map(({ word }) => word);
  const isNamed = (family: readonly string[], words: readonly string[]): boolean =>
    family.length > 0 &&
    family.every((name) => words.some((word) => isSameWord(word, name, MIN_LETTERS_OF_NAME)));
  const [first = []] = families;
  const names = free.filter((word) => !/^\d/.test(word)).slice(0, FIRST_NAME_WORDS + first.length);
  if (isNamed(first, names)) return true;
  const named = families.filter((family) => isNamed(family, free)).length;
  return named >= 2 && named * 2 >= families.length;
}
