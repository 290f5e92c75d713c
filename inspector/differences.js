// @ts-check
// Compares two names that are nearly the same, character by character.

/** @import { Character } from './answers.js' */

/**
 * @typedef {object} Difference
 * @property {number} position in characters of both names, from 0
 * @property {readonly Character[]} a
 * @property {readonly Character[]} b
 */

/**
 * Compares names of equal length position by position. For other names, returns the characters between the common
 * beginning and the common end. The case of A–Z makes no difference.
 * @param {readonly Character[]} a
 * @param {readonly Character[]} b
 * @returns {readonly Difference[]}
 */
export function differencesOf(a, b) {
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

/** @param {Character | undefined} one @param {Character | undefined} other */
function isSame(one, other) {
  return one !== undefined && other !== undefined && folded(one) === folded(other);
}

/** @param {Character} character */
function folded({ character }) {
  return /^[A-Z]$/.test(character) ? character.toLowerCase() : character;
}
