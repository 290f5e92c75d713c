// The names that a name without a record was probably meant to be.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { doiName, doiNames } from '../../../test/support/doi-names.ts';
import { testTable } from '../../../test/support/test-table.ts';
import { lookalikes } from '../src/lookalikes.ts';
import { canonicalName } from '../src/name.ts';
import { digitTypos, letterTypos, repairsOf } from '../src/suggest.ts';

describe('repaired names', () => {
  testTable([
    ['several trailing slashes', '10.1000/182//', '10.1000/182'],
    ['a bracket and a full stop', '10.1000/182).', '10.1000/182'],
    ['a name that was encoded twice', '10.1000/456%23789', '10.1000/456#789'],
    ['an encoded slash', '10.1000/a%2Fb', '10.1000/a/b'],
    ['an en dash', '10.1000/a\u2013b', '10.1000/a-b'],
    ['typographic quotation marks', '10.1006/rwei.1999\u201d.0001', '10.1006/rwei.1999".0001'],
    ['the end of the address of a page', '10.1000/182/full', '10.1000/182'],
    ['a broken line', '10.1000/ 182', '10.1000/182'],
    ['another name', '10.1000/182;10.1000/183', '10.1000/182'],
    ['one mistake after the other', '10.1000/182/full?a=b).', '10.1000/182'],
    [
      'more mistakes than are repaired one by one',
      '10.1000/e\u0301%41\u2010?a=b</i>, 10.1/2)}',
      '10.1000/\u00e9A-',
    ],
    ['several mistakes at once', '10.1000/a%E2%80%93b/).', '10.1000/a-b'],
  ])('remove each copying mistake', (_, name, likely) => {
    expect(repairsOf(doiName(name), lookalikes)).toContain(likely);
  });

  testTable([
    '10.1000/a-b_c',
    '10.1000/100%',
    '10.1000/a%zz',
    '10.1000/%FF',
    '10.1000//',
    '10.1000/.',
    '10.1000/a%00b',
    '10.1000/%E2%80%8B',
  ])('do not exist for a name without a mistake, or if the repaired text is not a name', (name) => {
    expect(repairsOf(doiName(name), lookalikes)).toEqual([]);
  });

  test('are at most five different names, without the name itself', () => {
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
  ])('have two digits in another order, or have only one of two equal digits', (name, typos) => {
    expect(digitTypos(doiName(name), 10)).toEqual(typos);
  });

  test('are at most the given number, and repairs of the suffix come first', () => {
    expect(digitTypos(doiName('10.5678/123456789'), 3)).toEqual([
      '10.5678/213456789',
      '10.5678/132456789',
      '10.5678/124356789',
    ]);
    expect(digitTypos(doiName('10.5678/123456789'), 0)).toEqual([]);
    expect(digitTypos(doiName('10.5/11112'), 2)).toEqual(['10.5/1112', '10.5/11121']);
  });

  test('are names with the same digits, or with one digit less', () => {
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

describe('typos of letters and digits that look alike', () => {
  testTable([
    ['10.1001/a0bO', ['10.1001/aobO', '10.1001/a0b0']],
    ['10.5/l1I', ['10.5/11I', '10.5/llI', '10.5/l11']],
    ['10.5/i2', []],
  ])('each have one other character', (name, typos) => {
    expect(letterTypos(doiName(name), 10)).toEqual(typos);
    expect(letterTypos(doiName(name), 1)).toEqual(typos.slice(0, 1));
  });
});
