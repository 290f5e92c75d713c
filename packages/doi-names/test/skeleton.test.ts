// Texts that look alike have the same skeleton.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testTable } from '../../../test/support/test-table.ts';
import { plainSkeletonOf, skeletonOf } from '../src/skeleton.ts';

testTable([
  ['ASCII that is its own skeleton', 'paypal', 'paypal'],
  ['ASCII that looks like other ASCII', 'I1|0m', 'lllOrn'],
  ['a letter of another script', 'p\u0430ypal', 'paypal'],
  ['beyond the first plane', '\u{1D41A}\u{1D41B}', 'ab'],
  ['decomposed first', '\u00e9', 'e\u0301'],
  ['decomposed, each part mapped', '\u0457', 'i\u0308'],
  ['mapped, and decomposed and sorted again', 'a\u0340\u0323', 'a\u0323\u0300'],
  ['without invisible characters', 'a\u00adb\u200b\ufe0f\u{E0100}c', 'abc'],
  ['a dash that looks like another character', '\u2014', '\u30fc'],
  ['compatible, but of another shape', '\u00b2', '\u00b2'],
  ['nothing', '', ''],
])('the skeleton follows UTS #39', (_, text, skeleton) => {
  expect(skeletonOf(text)).toBe(skeleton);
});

testTable([
  ['every dash is a hyphen', 'a\u2014b\u2212c\u301cd\u05bee', 'a-b-c-d-e'],
  ['compatible characters are the same', '\uff21\u00b2\ufb01', 'A2fi'],
  ['invisible characters are left out', 'a\u3164\ufe0fb', 'ab'],
])('the skeleton for comparing names makes more characters equal than UTS #39 does', (_, text, skeleton) => {
  expect(plainSkeletonOf(text)).toBe(skeleton);
});

describe('the skeleton for comparing names is the skeleton of the NFKC form, with a hyphen for every dash', () => {
  const inSteps = (text: string) => skeletonOf(text.normalize('NFKC').replace(/\p{Dash}/gu, '-'));

  test('for any text', () => {
    const character = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 30 }), (text) => {
        expect(plainSkeletonOf(text)).toBe(inSteps(text));
      }),
      { numRuns: 300 },
    );
  });

  test('for every character of Unicode', () => {
    const characters = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));
    for (let from = 0; from < characters.length; from += 4_096) {
      const block = characters.slice(from, from + 4_096).filter((character) => character.isWellFormed());
      const text = block.join('x');
      expect(plainSkeletonOf(text)).toBe(inSteps(text));
    }
  });
});
