// Which relation two inputs are in, and which inputs are the same name.

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

describe('the relation', () => {
  testTable([
    ['IDENTICAL', '10.1000/a', '10.1000/a'],
    ['CASE', '10.1000/aBc', '10.1000/AbC'],
    ['NORMALIZATION', `10.1000/${E_ACUTE}`, `10.1000/${E_ACUTE_DECOMPOSED}`],
    ['NORMALIZATION', '10.1000/q\u0307\u0323', '10.1000/q\u0323\u0307'],
    ['NORMALIZATION', `10.1000/${KELVIN}`, '10.1000/K'],
    ['NON_LATIN_CASE', '10.1000/\u00c9', `10.1000/${E_ACUTE}`],
    ['NON_LATIN_CASE', '10.1000/\u017f', '10.1000/s'],
    ['NON_LATIN_CASE', '10.1000/\u00df', '10.1000/SS'],
    ['NON_LATIN_CASE', '10.1000/\u{10400}', '10.1000/\u{10428}'],
    ['DOUBLE_ENCODING', '10.1000/a%252Fb', '10.1000/a/b'],
    ['DOUBLE_ENCODING', '10.1000/%25C3%25A9', `10.1000/${E_ACUTE}`],
    ['TRAILING_SLASH', '10.1000/a/', '10.1000/a'],
    ['CONFUSABLE', '10.1000/p\u0430ypal', '10.1000/paypal'],
    ['CONFUSABLE', '10.1000/a\u2014b', '10.1000/a-b'],
    ['CONFUSABLE', '10.1000/0', '10.1000/o'],
    ['CONFUSABLE', '10.1000/I', '10.1000/L'],
    ['CONFUSABLE', '10.1000/modern', '10.1000/rnodern'],
    ['CONFUSABLE', '10.1000/\uff21\u00b2', '10.1000/a2'],
    ['CONFUSABLE', '10.1000/a\ufe0f', '10.1000/a'],
    ['DISTINCT', '10.1000/a', '10.1000/b'],
    ['DISTINCT', '10.1000/0/', '10.1000/O'],
    ['DISTINCT', '10.1000/a', '10.1001/a'],
    ['DISTINCT', '10.1000/a', '10.1000/a//'],
    ['DISTINCT', '10.1000/a', '10.1000.1/a'],
    ['DISTINCT', '10.1000/a b', '10.1000/a+b'],
    ['DISTINCT', '10.1000/\ufb01', '10.1000/fi\u0302'],
    ['DISTINCT', '10.1000/%25252F', '10.1000//'],
  ])('%s: %j and %j, whichever comes first', (relation, a, b) => {
    expect(compared(a, b).relation).toBe(relation);
    expect(compared(b, a).relation).toBe(relation);
  });

  testTable([
    ['CASE before NORMALIZATION', '10.1000/A', '10.1000/a', 'CASE'],
    [
      'NORMALIZATION, folded afterwards',
      `10.1000/A${E_ACUTE}`,
      `10.1000/a${E_ACUTE_DECOMPOSED}`,
      'NORMALIZATION',
    ],
    // NFC makes K of the Kelvin sign, and only then is it folded.
    ['NORMALIZATION first, then folding', `10.1000/${KELVIN}`, '10.1000/k', 'NORMALIZATION'],
    ['NON_LATIN_CASE of decomposed letters', '10.1000/E\u0301', `10.1000/${E_ACUTE}`, 'NON_LATIN_CASE'],
    ['NON_LATIN_CASE with Basic Latin case', '10.1000/A\u00c9', `10.1000/a${E_ACUTE}`, 'NON_LATIN_CASE'],
    ['DOUBLE_ENCODING, folded', '10.1000/ABC%252fD', '10.1000/abc/d', 'DOUBLE_ENCODING'],
    ['DOUBLE_ENCODING before TRAILING_SLASH', '10.1000/a%252F', '10.1000/a/', 'DOUBLE_ENCODING'],
    ['TRAILING_SLASH, folded', '10.1000/ABC/', '10.1000/abc', 'TRAILING_SLASH'],
    ['TRAILING_SLASH before CONFUSABLE', '10.1000/0/', '10.1000/0', 'TRAILING_SLASH'],
    ['NORMALIZATION before CONFUSABLE', `10.1000/${KELVIN}`, '10.1000/K', 'NORMALIZATION'],
    ['one relation at a time', '10.1000/\u00c9/', `10.1000/${E_ACUTE}`, 'DISTINCT'],
  ])('every row', (_, a, b, relation) => {
    expect(compared(a, b).relation).toBe(relation);
    expect(compared(b, a).relation).toBe(relation);
  });

  test('the inputs are compared as the names they hold, whatever form they are in', () => {
    expect(compared('https://doi.org/10.1000/a%2Fb?noredirect', 'urn:doi:10.1000:a%2Fb').relation).toBe(
      'IDENTICAL',
    );
    expect(compared('doi:10.1000/%41', 'hdl:10.1000/a').relation).toBe('CASE');
  });

  test('a name that cannot be decoded once more is not double-encoded', () => {
    expect(compared('10.1000/%2541%25', '10.1000/A%25').relation).toBe('DISTINCT');
    expect(compared('10.1000/%25FF', '10.1000/\u00ff').relation).toBe('DISTINCT');
  });
});

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
  ])('says of %s and %s whether one is the other repaired', (a, b, words) => {
    expect(compared(a, b)).toMatchObject({ relation: 'DISTINCT', equivalent: false });
    expect(compared(a, b).explanation).toMatch(words);
  });
});

describe('the verdict', () => {
  testTable([
    ['10.1000/a', '10.1000/a', true, true],
    ['10.1000/a', '10.1000/A', true, false],
    ['10.1000/a', 'doi:10.1000/%61', true, true],
    [`10.1000/${E_ACUTE}`, `10.1000/${E_ACUTE_DECOMPOSED}`, false, false],
    ['10.1000/\u00c9', `10.1000/${E_ACUTE}`, false, false],
    [`10.1000/${KELVIN}`, '10.1000/k', false, false],
    ['10.1000/\u0130', '10.1000/i', false, false],
    ['10.1000/a%252Fb', '10.1000/a/b', false, false],
    ['10.1000/a/', '10.1000/a', false, false],
    ['10.1000/a', '10.1000/b', false, false],
  ])('%j and %j: %s, in Z39.84-2000 %s', (a, b, equivalent, equivalentInNiso2000) => {
    expect(compared(a, b)).toMatchObject({ equivalent, equivalentInNiso2000 });
  });

  test('a name above 10,000 characters has no sentence about repairs', () => {
    const explanationOf = (name: string): string => compared(`${name}.`, name).explanation;
    expect(explanationOf('10.1000/182')).toMatch(/^The names are different\. The first was probably/);
    expect(explanationOf(`10.1000/${'1'.repeat(10_000)}`)).toBe('The names are different.');
  });

  test('each relation is explained in its own words', () => {
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

  test('is frozen', () => {
    expect(Object.isFrozen(compared('10.1000/a', '10.1000/a'))).toBe(true);
    expect(Object.isFrozen(compared('10.1000/a', 'b'))).toBe(true);
  });
});

describe('a side that is no DOI name', () => {
  testTable([
    ['nonsense', '10.1000/a', /^The first is not/],
    ['10.1000/a', '', /^The second is not/],
    ['10/abcde', '10.1000', /^Neither /],
  ])('%j and %j: INVALID, no verdict, and the explanation says which side', (a, b, explanation) => {
    expect(compared(a, b)).toEqual({
      equivalent: null,
      relation: 'INVALID',
      explanation: expect.stringMatching(explanation),
      equivalentInNiso2000: null,
    });
  });

  test('the same unreadable text twice is still INVALID', () => {
    expect(compared('nonsense', 'nonsense').relation).toBe('INVALID');
  });
});

describe('equivalence classes', () => {
  function classesOf(...inputs: string[]): unknown {
    const { classes, unreadable } = equivalenceClasses(inputs.map((input) => parseDoi(input)));
    return {
      classes: classes.map(({ name, members }) => [name, ...members.map(({ index }) => index)]),
      unreadable: unreadable.map(({ index }) => index),
    };
  }

  test('stand in the order of their first members, which name them; members in input order', () => {
    expect(
      classesOf('10.1000/B', 'doi:10.1000/a', '10.1000/b', 'https://doi.org/10.1000/A', '10.1000/B'),
    ).toEqual({
      classes: [
        ['10.1000/B', 0, 2, 4],
        ['10.1000/a', 1, 3],
      ],
      unreadable: [],
    });
  });

  test('duplicates are members of their own', () => {
    expect(classesOf('10.1000/a', '10.1000/a', '10.1000/a')).toEqual({
      classes: [['10.1000/a', 0, 1, 2]],
      unreadable: [],
    });
  });

  test('what is no DOI name is kept apart, with its index and its problem', () => {
    expect(classesOf('x', '10.1000/a', 'x', '10/abcde', '10.1000/A')).toEqual({
      classes: [['10.1000/a', 1, 4]],
      unreadable: [0, 2, 3],
    });
    const { unreadable } = equivalenceClasses([parseDoi('10.1000/a'), parseDoi('10/abcde')]);
    expect(unreadable).toMatchObject([
      { index: 1, parsed: { input: '10/abcde', problem: { code: 'SHORT_DOI' } } },
    ]);
  });

  test('what only nearly matches is not joined', () => {
    expect(
      classesOf(
        `10.1000/${E_ACUTE}`,
        `10.1000/${E_ACUTE_DECOMPOSED}`,
        `10.1000/${KELVIN}`,
        '10.1000/k',
        '10.1000/k/',
      ),
    ).toMatchObject({
      classes: [
        [`10.1000/${E_ACUTE}`, 0],
        [expect.anything(), 1],
        [expect.anything(), 2],
        ['10.1000/k', 3],
        ['10.1000/k/', 4],
      ],
    });
  });

  test('members keep what was read of them', () => {
    const parsed = parseDoi('https://doi.org/10.1000/a?noredirect');
    expect(equivalenceClasses([parsed]).classes[0]?.members[0]?.parsed).toBe(parsed);
  });

  test('of nothing there are none', () => {
    expect(classesOf()).toEqual({ classes: [], unreadable: [] });
  });
});
