// The values of a record that match the requested types and indexes.

import { foldBasicLatin } from 'doi-names/parts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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

function selected(types: readonly string[], indexes: readonly number[] = []): number[] {
  return selectValues(values, types, indexes).map(({ index }) => index);
}

describe('types', () => {
  testTable([
    ['HS_ADMIN', [100]],
    ['hs_admin', [100]],
    ['URL', [1, 4]],
    ['uRl', [1, 4]],
    ['URL.PDF', [3]],
    ['url.pdf', [3]],
    ['UR', []],
    ['URL ', []],
    ['*', []],
    ['U.L', []],
  ])('%j matches exactly, but for the case of ASCII letters', (type, indexes) => {
    expect(selected([type])).toEqual(indexes);
  });

  testTable([
    ['URL.', [1, 4, 3, 2, 9]],
    ['url.', [1, 4, 3, 2, 9]],
    ['URL.PDF.', [3, 2]],
    ['URL.PDF.DRAFT.', [2]],
    ['HS_ADMIN.', [100]],
    ['URLS.', [5]],
    ['NONE.', []],
  ])('%j with a full stop at its end takes the subtypes as well', (type, indexes) => {
    expect(selected([type])).toEqual(indexes);
  });

  test('are not folded outside ASCII', () => {
    expect(selected(['GRÖSSE'])).toEqual([7]);
    expect(selected(['größe'])).toEqual([6]);
    expect(selected(['GRÖßE'])).toEqual([]);
    expect(selected(['\u212a'])).toEqual([]);
  });

  test('that are empty match nothing, not even a value of the empty type', () => {
    expect(selected([''])).toEqual([]);
    expect(selected(['', 'HS_ADMIN'])).toEqual([100]);
  });
});

describe('indexes', () => {
  test('match the values that have them, zero too', () => {
    expect(selected([], [1])).toEqual([1]);
    expect(selected([], [0])).toEqual([0]);
    expect(selected([], [77])).toEqual([]);
  });

  test('that are negative match nothing', () => {
    expect(selected([], [-1])).toEqual([]);
    expect(selected([], [-1, 100])).toEqual([100]);
  });
});

describe('several conditions', () => {
  test('are alternatives, each value once and in the order of the record', () => {
    expect(selected(['URL', 'url', 'HS_ADMIN', 'URL.PDF'], [3, 3, 1, 0])).toEqual([100, 1, 4, 3, 0]);
  });

  test('do not hide a value of the empty type from its index', () => {
    expect(selected(['HS_ADMIN'], [8])).toEqual([100, 8]);
  });
});

test('without types and indexes every value matches', () => {
  expect(selected([])).toEqual(values.map(({ index }) => index));
});

test('of no values none match', () => {
  expect(selectValues([], ['URL.'], [1])).toEqual([]);
});

describe('a filter', () => {
  test('is null without types and indexes', () => {
    expect(valueFilter([], [])).toBeNull();
    expect(valueFilter([''], [])).not.toBeNull();
    expect(valueFilter([], [-1])).not.toBeNull();
  });

  test('is made once and serves every record', () => {
    const filter = valueFilter(['URL.'], [100]);
    expect(filter).not.toBeNull();
    for (const value of [...values, ...values]) {
      expect(filter?.(value)).toBe([100, 1, 4, 3, 2, 9].includes(value.index));
    }
  });

  test('matches what trying each type in turn would', () => {
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

  test('for very many types is applied to very many values, with as many stops as there may be', () => {
    const families = Array.from({ length: 100_000 }, (_, n) => `t${n}.`);
    const nested = Array.from({ length: 1_000 }, (_, n) => `${'b.'.repeat(n)}a.`);
    const filter = valueFilter([...families, ...nested, 'c.'.repeat(250_000)], []);
    const asked = ['t5', 't99999.pdf', 't100000.pdf', 'b.b.a.x', 'b.b.b', 'b.'.repeat(100), 'c.'.repeat(100)];
    const many = decodeValues(
      Array.from({ length: 20_000 }, (_, index) =>
        wireValue({ index, type: asked[index % 10] ?? `x${index}.pdf` }),
      ),
    );
    expect(many.filter((value) => filter?.(value)).length).toBe(6_000);
    const [long] = decodeValues([wireValue({ type: 'c.'.repeat(250_000).slice(0, -1) })]);
    expect(long && filter?.(long)).toBe(true);
  });
});
