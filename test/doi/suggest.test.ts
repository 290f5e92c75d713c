// What a name that does not exist was probably meant to be.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalName } from '../../src/doi/name.ts';
import { likelyNames } from '../../src/doi/suggest.ts';
import { leastCpuMsOf } from '../support/cpu-time.ts';
import { doiName, doiNames } from '../support/doi-names.ts';

describe('likely names', () => {
  test.each([
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
    ['all of it at once', '10.1000/a%E2%80%93b/).', '10.1000/a-b'],
  ])('mend %s', (_, name, likely) => {
    expect(likelyNames(doiName(name))).toContain(likely);
  });

  test.each([
    '10.1000/182',
    '10.1000/a-b_c',
    '10.1000/100%',
    '10.1000/a%zz',
    '10.1000/%FF',
    '10.1000//',
    '10.1000/.',
  ])('are none for %s, which nothing of the kind is wrong with', (name) => {
    expect(likelyNames(doiName(name))).toEqual([]);
  });

  test('that would be no DOI names are left out', () => {
    expect(likelyNames(doiName('10.1000/a%00b'))).toEqual([]);
    expect(likelyNames(doiName('10.1000/%E2%80%8B'))).toEqual([]);
  });

  test('are at most five, each once, and never the name itself', () => {
    fc.assert(
      fc.property(doiNames(), (name) => {
        const likely = likelyNames(name);
        expect(likely.length).toBeLessThanOrEqual(5);
        expect(new Set(likely.map(canonicalName)).size).toBe(likely.length);
        expect(likely.map(canonicalName)).not.toContain(canonicalName(name));
        expect(likely.map((candidate) => doiName(candidate))).toEqual(likely);
      }),
      { numRuns: 1_000 },
    );
  });

  // What a repair looks for at the end is all over the middle: to look for it from every place is quadratic.
  test.each(['/', '.', '%41', ').x', '\u2013'])(
    'of a name of 50,000 times %j are found promptly',
    async (part) => {
      const name = doiName(`10.1/${part.repeat(50_000)}x`);
      expect(await leastCpuMsOf(() => likelyNames(name))).toBeLessThan(500);
    },
  );
});
