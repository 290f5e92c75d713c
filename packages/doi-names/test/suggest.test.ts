// What a name that does not exist was probably meant to be.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { leastCpuMsOf } from '../../../test/support/cpu-time.ts';
import { doiName, doiNames } from '../../../test/support/doi-names.ts';
import { testTable } from '../../../test/support/test-table.ts';
import { lookalikes } from '../src/lookalikes.ts';
import { canonicalName } from '../src/name.ts';
import { digitTypos, letterTypos, repairsOf } from '../src/suggest.ts';

describe('repaired names', () => {
  testTable([
    ['a trailing slash', '10.1000/182/', '10.1000/182'],
    ['several trailing slashes', '10.1000/182//', '10.1000/182'],
    ['a full stop', '10.1000/182.', '10.1000/182'],
    ['a comma', '10.1000/182,', '10.1000/182'],
    ['a bracket and a full stop', '10.1000/182).', '10.1000/182'],
    ['one decoding too few', '10.1000/456%23789', '10.1000/456#789'],
    ['an encoded slash', '10.1000/a%2Fb', '10.1000/a/b'],
    ['an en dash', '10.1000/a\u2013b', '10.1000/a-b'],
    ['a non-breaking hyphen', '10.1000/a\u2011b', '10.1000/a-b'],
    ['a minus sign', '10.1000/a\u2212b', '10.1000/a-b'],
    ['typographic quotation marks', '10.1006/rwei.1999\u201d.0001', '10.1006/rwei.1999".0001'],
    ['a quote and a comma', '10.1000/182”,', '10.1000/182'],
    ['a query', '10.1000/182?utm_source=x', '10.1000/182'],
    ['the end of a page’s address', '10.1000/182/full', '10.1000/182'],
    ['an element', '10.1000/182</a>', '10.1000/182'],
    ['an entity', '10.1000/a&lt;b', '10.1000/a<b'],
    ['a broken line', '10.1000/ 182', '10.1000/182'],
    ['another name', '10.1000/182;10.1000/183', '10.1000/182'],
    ['a decomposed letter', '10.1000/e\u0301', '10.1000/\u00e9'],
    ['one thing behind the other', '10.1000/182/full?a=b).', '10.1000/182'],
    [
      'many things, of which not all are tried one by one',
      '10.1000/e\u0301%41\u2010?a=b</i>, 10.1/2)}',
      '10.1000/\u00e9A-',
    ],
    ['all of it at once', '10.1000/a%E2%80%93b/).', '10.1000/a-b'],
  ])('mend %s', (_, name, likely) => {
    expect(repairsOf(doiName(name), lookalikes)).toContain(likely);
  });

  testTable([
    '10.1000/182',
    '10.1000/a-b_c',
    '10.1000/100%',
    '10.1000/a%zz',
    '10.1000/%FF',
    '10.1000//',
    '10.1000/.',
  ])('are none for %s, which nothing of the kind is wrong with', (name) => {
    expect(repairsOf(doiName(name), lookalikes)).toEqual([]);
  });

  test('that would be no DOI names are left out', () => {
    expect(repairsOf(doiName('10.1000/a%00b'), lookalikes)).toEqual([]);
    expect(repairsOf(doiName('10.1000/%E2%80%8B'), lookalikes)).toEqual([]);
  });

  test('are at most five, each once, and never the name itself', () => {
    fc.assert(
      fc.property(doiNames(), (name) => {
        const likely = repairsOf(name, lookalikes);
        expect(likely.length).toBeLessThanOrEqual(5);
        expect(new Set(likely.map(canonicalName)).size).toBe(likely.length);
        expect(likely.map(canonicalName)).not.toContain(canonicalName(name));
        expect(likely.map((candidate) => doiName(candidate))).toEqual(likely);
      }),
      { numRuns: 1_000 },
    );
  });

  // What a repair looks for at the end is all over the middle: to look for it from every place is quadratic.
  testTable(['/', '.', '%41', ').x', '\u2013'])(
    'of a name of 50,000 times %j are found promptly',
    async (part) => {
      const name = doiName(`10.1/${part.repeat(50_000)}x`);
      expect(await leastCpuMsOf(() => repairsOf(name, lookalikes))).toBeLessThan(500);
    },
  );
});

describe('typos of digits', () => {
  testTable([
    ['10.1000/12', ['10.1000/21', '10.100/12', '10.0100/12']],
    ['10.5/a11b', ['10.5/a1b']],
    ['10.5/111', ['10.5/11']],
    ['10.5/1-2', []],
    ['10.5/a1b2', []],
    ['10.5555/a', ['10.555/a']],
    ['10.1234.5/a', ['10.2134.5/a', '10.1324.5/a', '10.1243.5/a']],
    ['10.5/12334', ['10.5/1234', '10.5/21334', '10.5/13234', '10.5/12343']],
    ['10.5/\u0661\u0662', []],
  ])('of %s', (name, typos) => {
    expect(digitTypos(doiName(name), 10)).toEqual(typos);
  });

  test('are so many at the most as are asked for, the suffix first', () => {
    expect(digitTypos(doiName('10.5678/123456789'), 3)).toEqual([
      '10.5678/213456789',
      '10.5678/132456789',
      '10.5678/124356789',
    ]);
    expect(digitTypos(doiName('10.5678/123456789'), 0)).toEqual([]);
    expect(digitTypos(doiName('10.5/11112'), 2)).toEqual(['10.5/1112', '10.5/11121']);
  });

  test('are other names, of the same digits or one less, and lead back', () => {
    fc.assert(
      fc.property(doiNames(), (name) => {
        for (const typo of digitTypos(name, 10)) {
          expect(doiName(typo)).toBe(typo);
          expect(name.length - typo.length).toBeOneOf([0, 1]);
          expect(typo.startsWith('10.')).toBe(true);
          if (typo.length === name.length) expect([...typo].sort()).toEqual([...name].sort());
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('letters taken for digits', () => {
  testTable([
    ['10.1001/a0bO', ['10.1001/aobO', '10.1001/a0b0']],
    ['10.5/l1I', ['10.5/11I', '10.5/llI', '10.5/l11']],
    ['10.5/i2', []],
  ])('of %s', (name, typos) => {
    expect(letterTypos(doiName(name), 10)).toEqual(typos);
  });

  test('are so many at the most as are asked for', () => {
    expect(letterTypos(doiName('10.5/0000'), 2)).toEqual(['10.5/o000', '10.5/0o00']);
  });
});
