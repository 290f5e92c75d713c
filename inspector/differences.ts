// Compares two names that are nearly the same, character by character.

import type { Character } from './answers.ts';

type Shown = Pick<Character, 'character'>;

export interface Difference<Side extends Shown> {
  /** in characters of both names, from 0 */
  readonly position: number;
  readonly a: readonly Side[];
  readonly b: readonly Side[];
}

/**
 * Compares names of equal length position by position. For other names, returns the characters between the common
 * beginning and the common end. The case of A–Z makes no difference.
 */
export function differencesOf<Side extends Shown>(
  a: readonly Side[],
  b: readonly Side[],
): readonly Difference<Side>[] {
  if (a.length === b.length) {
    return a.flatMap((character, position) => {
      const other = b[position];
      return other && !isSame(character, other) ? [{ position, a: [character], b: [other] }] : [];
    });
  }
  let start = 0;
  while (isSame(a[start], b[start])) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && isSame(a.at(-1 - end), b.at(-1 - end))) end += 1;
  return [{ position: start, a: a.slice(start, a.length - end), b: b.slice(start, b.length - end) }];
}

function isSame(one: Shown | undefined, other: Shown | undefined) {
  return one !== undefined && other !== undefined && folded(one) === folded(other);
}

function folded({ character }: Shown) {
  return /^[A-Z]$/.test(character) ? character.toLowerCase() : character;
}
