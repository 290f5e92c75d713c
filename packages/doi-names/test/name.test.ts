// The parts of a DOI name, and the canonical name that equivalent names share.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { doiName } from '../../../test/support/doi-names.ts';
import { testTable } from '../../../test/support/test-table.ts';
import {
  canonicalName,
  foldBasicLatin,
  type HandleName,
  prefixOf,
  suffixOf,
  toHandleName,
} from '../src/name.ts';

testTable([
  ['10.1000/182', '10.1000', '182'],
  ['10.1000/a/b', '10.1000', 'a/b'],
  ['10.1000//a', '10.1000', '/a'],
  ['10.1000//', '10.1000', '/'],
  ['10.978.8898392/315', '10.978.8898392', '315'],
])('the first slash divides prefix and suffix', (text, prefix, suffix) => {
  expect([prefixOf(doiName(text)), suffixOf(doiName(text))]).toEqual([prefix, suffix]);
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

  test('makes the canonical name, and does not normalize', () => {
    expect(canonicalName(doiName('10.1000/ABC/\u212a\u0130\u00c9E\u0301'))).toBe(
      '10.1000/abc/\u212a\u0130\u00c9e\u0301',
    );
  });
});

describe('the canonical name of a handle', () => {
  testTable([
    ['2381/ABC', '2381/ABC'],
    ['20.500.ABC/X/Y', '20.500.abc/X/Y'],
    ['0.na/10.1000', '0.na/10.1000'],
    ['0.NA/10.SERV', '0.na/10.SERV'],
    ['10.SERV/CROSSREF', '10.serv/crossref'],
    ['10/ABCDE', '10/abcde'],
    ['10.SERV', '10.serv'],
    ['ABC', 'abc'],
    ['100/ABC', '100/ABC'],
    ['10A/ABC', '10a/ABC'],
    ['/ABC', '/ABC'],
  ])(
    'folds the prefix. It folds the suffix only if the prefix is 10 or begins with "10."',
    (text, canonical) => {
      expect(canonicalName(text as HandleName)).toBe(canonical);
    },
  );

  const prefix = fc.stringMatching(/^[0-9A-Za-z\u212a.]{1,6}$/);
  const suffix = fc.stringMatching(/^[0-9A-Za-z\u212a./]{1,6}$/);
  const isAnyCase = (name: string): boolean => /^10[./]/.test(name);

  test('is its own canonical name, and differs only in the case of Basic Latin letters', () => {
    const property = fc.property(prefix, suffix, (before, after) => {
      const name = `${before}/${after}` as HandleName;
      const canonical = canonicalName(name);
      expect(canonicalName(canonical)).toBe(canonical);
      expect(foldBasicLatin(canonical)).toBe(foldBasicLatin(name));
    });
    fc.assert(property);
  });

  test('ignores the letter case of the prefix, but not of the suffix of a handle that is not a DOI name', () => {
    const first = fc.oneof(fc.constantFrom('10', '10.1000', '10.Serv', '100', '2381'), prefix);
    const property = fc.property(first, suffix, (before, after) => {
      const name = `${before}/${after}` as HandleName;
      const others = [before.toUpperCase(), foldBasicLatin(before)].map((p) => `${p}/${after}` as HandleName);
      for (const other of others) expect(canonicalName(other)).toBe(canonicalName(name));
      const folded = `${before}/${foldBasicLatin(after)}` as HandleName;
      const isShared = isAnyCase(name) || folded === name;
      expect(canonicalName(folded) === canonicalName(name)).toBe(isShared);
    });
    fc.assert(property);
  });
});

testTable(['10.1000/182', '0.NA/10.5555', '10.SERV/CROSSREF', '10/abcde', '10.1000', ' a\u0007😀'])(
  'any well-formed text is a handle name',
  (text) => {
    expect(toHandleName(text)).toBe(text);
  },
);

testTable(['', '\ud800', '10.1000/\udc00\ud800'])(
  'an empty or malformed text is not a handle name',
  (text) => {
    expect(toHandleName(text)).toBeNull();
  },
);
