// The values of a record that match the requested types and indexes.

import { foldBasicLatin } from 'doi-names/parts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeValues, selectValues, valueFilter } from '../../src/handle/value.ts';
import { testTable } from '../support/test-table.ts';
import { wireValue } from './wire.ts';

const values = decodeValues(
  (
    [
      [100, 'HS_ADMIN'],
      [1, 'URL'],
      [4, 'url'],
      [3, 'URL.PDF'],
      [2, 'Url.pdf.draft'],
      [5, 'URLS'],
      [6, 'Größe'],
      [7, 'GRÖSSE'],
      [8, ''],
      [0, 'ZERO'],
      [-1, 'NEGATIVE'],
      [9, 'URL.'],
      [10, '.'],
    ] as const
  ).map(([index, type]) => wireValue({ index, type })),
);

testTable<[types: string[], indexes: number[], selected: number[]]>([
  // A type matches in any case of ASCII letters, and only as a whole.
  [['hs_admin'], [], [100]],
  [['uRl'], [], [1, 4]],
  [['url.pdf'], [], [3]],
  [['UR'], [], []],
  [['URL '], [], []],
  [['*'], [], []],
  [['U.L'], [], []],
  [['GRÖSSE'], [], [7]],
  [['größe'], [], [6]],
  [['GRÖßE'], [], []],
  [['\u212a'], [], []],
  // A full stop at the end includes subtypes.
  [['url.'], [], [1, 4, 3, 2, 9]],
  [['URL.PDF.'], [], [3, 2]],
  [['HS_ADMIN.'], [], [100]],
  [['URLS.'], [], [5]],
  [['NONE.'], [], []],
  // An empty type and a negative index match no value.
  [[''], [], []],
  [['', 'HS_ADMIN'], [], [100]],
  [[], [1], [1]],
  [[], [0], [0]],
  [[], [77], []],
  [[], [-1], []],
  [[], [-1, 100], [100]],
  // Types and indexes are alternatives. Each value is selected once, in the order of the record.
  [
    ['URL', 'url', 'HS_ADMIN', 'URL.PDF'],
    [3, 3, 1, 0],
    [100, 1, 4, 3, 0],
  ],
  [['HS_ADMIN'], [8], [100, 8]],
  [[], [], values.map(({ index }) => index)],
])('types and indexes select values', (types, indexes, selected) => {
  expect(selectValues(values, types, indexes).map(({ index }) => index)).toEqual(selected);
});

test('no filter is needed without types and indexes', () => {
  expect(valueFilter([], [])).toBeNull();
  expect(valueFilter([''], [])).not.toBeNull();
  expect(valueFilter([], [-1])).not.toBeNull();
});

test('a filter of several types matches like each type alone', () => {
  const type = fc
    .array(fc.constantFrom('a', 'A', 'b', '.', '..', 'é', ''), { maxLength: 6 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      fc.array(type, { minLength: 1, maxLength: 8 }),
      fc.array(type, { maxLength: 8 }),
      (wanted, types) => {
        const decoded = decodeValues(types.map((each, index) => wireValue({ index, type: each })));
        const matches = (one: string) =>
          wanted.map(foldBasicLatin).some((want) => {
            const folded = foldBasicLatin(one);
            if (want === '' || folded === '') return false;
            return folded === want || (want.endsWith('.') && `${folded}.`.startsWith(want));
          });
        expect(selectValues(decoded, wanted, []).map(({ index }) => index)).toEqual(
          [...types.keys()].filter((index) => matches(types[index] ?? '')),
        );
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a filter of 100,000 types is applied to 20,000 values in linear time', () => {
  const families = Array.from({ length: 100_000 }, (_, n) => `t${n}.`);
  const nested = Array.from({ length: 1_000 }, (_, n) => `${'b.'.repeat(n)}a.`);
  const filter = valueFilter([...families, ...nested, 'c.'.repeat(250_000)], []);
  const types = ['t5', 't99999.pdf', 't100000.pdf', 'b.b.a.x', 'b.b.b', 'b.'.repeat(100), 'c.'.repeat(100)];
  const wire = Array.from({ length: 20_000 }, (_, index) =>
    wireValue({ index, type: types[index % 10] ?? `x${index}.pdf` }),
  );
  expect(decodeValues(wire).filter((value) => filter?.(value)).length).toBe(6_000);
  const [long] = decodeValues([wireValue({ type: 'c.'.repeat(250_000).slice(0, -1) })]);
  expect(long && filter?.(long)).toBe(true);
});
