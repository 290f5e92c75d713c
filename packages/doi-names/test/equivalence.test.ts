// The relation of two inputs, and the classes of equivalent inputs.

import { describe, expect, test } from 'vitest';
import { testTable } from '../../../test/support/test-table.ts';
import { compareDois, type DoiEquivalence, equivalenceClasses } from '../src/equivalence.ts';
import { lookalikes } from '../src/lookalikes.ts';
import { parseDoi } from '../src/parse.ts';

function compared(a: string, b: string): DoiEquivalence {
  return compareDois(parseDoi(a), parseDoi(b), lookalikes);
}

const E_ACUTE = '\u00e9';
const E_ACUTE_DECOMPOSED = 'e\u0301';
const KELVIN = '\u212a';

testTable([
  ['NORMALIZATION', '10.1000/q\u0307\u0323', '10.1000/q\u0323\u0307'],
  ['NON_LATIN_CASE', '10.1000/\u{10400}', '10.1000/\u{10428}'],
  ['DOUBLE_ENCODING', '10.1000/%25C3%25A9', `10.1000/${E_ACUTE}`],
  ['CONFUSABLE', '10.1000/0', '10.1000/o'],
  ['CONFUSABLE', '10.1000/I', '10.1000/L'],
  ['CONFUSABLE', '10.1000/modern', '10.1000/rnodern'],
  ['DISTINCT', '10.1000/0/', '10.1000/O'],
  ['DISTINCT', '10.1000/a', '10.1001/a'],
  ['DISTINCT', '10.1000/a', '10.1000/a//'],
  ['DISTINCT', '10.1000/a b', '10.1000/a+b'],
  ['DISTINCT', '10.1000/\ufb01', '10.1000/fi\u0302'],
  ['DISTINCT', '10.1000/%25252F', '10.1000//'],
  // A name that cannot be decoded again is not encoded twice.
  ['DISTINCT', '10.1000/%2541%25', '10.1000/A%25'],
  ['DISTINCT', '10.1000/%25FF', '10.1000/\u00ff'],
  // The first relation that fits holds.
  ['NORMALIZATION', `10.1000/A${E_ACUTE}`, `10.1000/a${E_ACUTE_DECOMPOSED}`],
  ['NORMALIZATION', `10.1000/${KELVIN}`, '10.1000/k'],
  ['NON_LATIN_CASE', '10.1000/E\u0301', `10.1000/${E_ACUTE}`],
  ['NON_LATIN_CASE', '10.1000/A\u00c9', `10.1000/a${E_ACUTE}`],
  ['DOUBLE_ENCODING', '10.1000/ABC%252fD', '10.1000/abc/d'],
  ['DOUBLE_ENCODING', '10.1000/a%252F', '10.1000/a/'],
  ['TRAILING_SLASH', '10.1000/0/', '10.1000/0'],
  // One relation at a time.
  ['DISTINCT', '10.1000/\u00c9/', `10.1000/${E_ACUTE}`],
  // The inputs are compared as names, in any form.
  ['IDENTICAL', 'https://doi.org/10.1000/a%2Fb?noredirect', 'urn:doi:10.1000:a%2Fb'],
  ['CASE', 'doi:10.1000/%41', 'hdl:10.1000/a'],
])('two names have the same relation in both orders', (relation, a, b) => {
  expect(compared(a, b).relation).toBe(relation);
  expect(compared(b, a).relation).toBe(relation);
});

testTable([
  ['10.1000/a', 'doi:10.1000/%61', true, true],
  ['10.1000/a', '10.1000/A', true, false],
  [`10.1000/${E_ACUTE}`, `10.1000/${E_ACUTE_DECOMPOSED}`, false, false],
  ['10.1000/\u00c9', `10.1000/${E_ACUTE}`, false, false],
  [`10.1000/${KELVIN}`, '10.1000/k', false, false],
  ['10.1000/a/', '10.1000/a', false, false],
])(
  'names are equivalent by Z39.84-2000 only if they also have the same letter case',
  (a, b, equivalent, equivalentInNiso2000) => {
    expect(compared(a, b)).toMatchObject({ equivalent, equivalentInNiso2000 });
    expect(Object.isFrozen(compared(a, b))).toBe(true);
  },
);

describe('the explanation', () => {
  testTable([
    [
      '10.1000/182.',
      '10.1000/182',
      / The first was probably meant to be the second: see the warnings of the first\.$/,
    ],
    [
      '10.1000/182',
      '10.1000/182)',
      / The second was probably meant to be the first: see the warnings of the second\.$/,
    ],
    ['10.1000/ABC?utm_source=x', '10.1000/abc', / The first was probably/],
    ['10.1000/182', '10.1000/183', /^The names are different\.$/],
    ['10.1000/182.', '10.1000/183', /^The names are different\.$/],
    // A name above 10,000 characters is not repaired.
    [`10.1000/${'1'.repeat(10_000)}.`, `10.1000/${'1'.repeat(10_000)}`, /^The names are different\.$/],
  ])('of distinct names says whether a repair of one name makes the other name', (a, b, words) => {
    expect(compared(a, b).relation).toBe('DISTINCT');
    expect(compared(a, b).explanation).toMatch(words);
  });

  test('has its own words for each relation', () => {
    const explanations = [
      compared('10.1000/a', '10.1000/a'),
      compared('10.1000/a', '10.1000/A'),
      compared(`10.1000/${E_ACUTE}`, `10.1000/${E_ACUTE_DECOMPOSED}`),
      compared('10.1000/\u00c9', `10.1000/${E_ACUTE}`),
      compared('10.1000/a%252Fb', '10.1000/a/b'),
      compared('10.1000/a/', '10.1000/a'),
      compared('10.1000/a', '10.1000/b'),
      compared('10.1000/a', 'b'),
    ].map(({ explanation }) => explanation);
    expect(new Set(explanations).size).toBe(8);
    for (const explanation of explanations) expect(explanation).toMatch(/^[A-Z].*\.$/);
  });

  testTable([
    ['nonsense', '10.1000/a', /^The first is not/],
    ['10.1000/a', '', /^The second is not/],
    ['10/abcde', '10.1000', /^Neither /],
    ['nonsense', 'nonsense', /^Neither /],
  ])('says which input is not a DOI name, and `equivalent` is null', (a, b, explanation) => {
    const result = compared(a, b);
    expect(Object.isFrozen(result)).toBe(true);
    expect(result).toEqual({
      equivalent: null,
      relation: 'INVALID',
      explanation: expect.stringMatching(explanation),
      equivalentInNiso2000: null,
    });
  });
});

describe('equivalence classes', () => {
  test('have the order of their first members; each input is a member with its index', () => {
    const inputs = [
      '10.1000/B',
      'x',
      'doi:10.1000/a',
      '10.1000/b',
      '10/abcde',
      '10.1000/A',
      '10.1000/B',
      'x',
    ];
    const parsed = inputs.map((input) => parseDoi(input));
    const members = (...indexes: number[]) => indexes.map((index) => ({ index, parsed: parsed[index] }));
    expect(equivalenceClasses(parsed)).toEqual({
      classes: [
        { name: '10.1000/B', members: members(0, 3, 6) },
        { name: '10.1000/a', members: members(2, 5) },
      ],
      unreadable: members(1, 4, 7),
    });
    expect(equivalenceClasses([])).toEqual({ classes: [], unreadable: [] });
  });
});
