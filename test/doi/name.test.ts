// The parts of a DOI name, and the spelling that equivalent names share.

import { describe, expect, test } from 'vitest';
import { canonicalName, foldBasicLatin, prefixOf, suffixOf, toHandleName } from '../../src/doi/name.ts';
import { doiName } from '../support/doi-names.ts';
import { testTable } from '../support/test-table.ts';

describe('prefix and suffix', () => {
  testTable([
    ['10.1000/182', '10.1000', '182'],
    ['10.1000/a/b', '10.1000', 'a/b'],
    ['10.1000//a', '10.1000', '/a'],
    ['10.1000//', '10.1000', '/'],
    ['10.978.8898392/315', '10.978.8898392', '315'],
  ])('%s is %s and %s', (text, prefix, suffix) => {
    expect([prefixOf(doiName(text)), suffixOf(doiName(text))]).toEqual([prefix, suffix]);
  });
});

describe('Basic Latin folding', () => {
  test('lower-cases A to Z and touches no other code point of Unicode', () => {
    const scalarValues = (from: number, to: number): string[] =>
      Array.from({ length: to - from }, (_, index) => String.fromCodePoint(from + index));
    const everything = [...scalarValues(0, 0xd800), ...scalarValues(0xe000, 0x110000)];
    const folded = Array.from(foldBasicLatin(everything.join('')));
    const changed = everything.flatMap((character, index) =>
      folded[index] === character ? [] : [`${character}${folded[index]}`],
    );
    expect(changed).toEqual(
      Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ', (letter) => letter + letter.toLowerCase()),
    );
  });

  test('makes the canonical name of suffix and prefix, without normalizing', () => {
    expect(canonicalName(doiName('10.1000/ABC/\u212a\u0130\u00c9E\u0301'))).toBe(
      '10.1000/abc/\u212a\u0130\u00c9e\u0301',
    );
  });
});

describe('a handle name', () => {
  testTable(['10.1000/182', '0.NA/10.5555', '10.SERV/CROSSREF', '10/abcde', '10.1000', ' a\u0007😀'])(
    '%j may be one, as it is',
    (text) => {
      expect(toHandleName(text)).toBe(text);
    },
  );

  testTable(['', '\ud800', '10.1000/\udc00\ud800'])('%j is none', (text) => {
    expect(toHandleName(text)).toBeNull();
  });
});
