// Which alias a record has.

import { describe, expect, test } from 'vitest';
import { aliasOf, createRecord } from '../../src/handle/record.ts';
import { decodeValues } from '../../src/handle/value.ts';
import { doiName } from '../support/doi-names.ts';
import { testTable } from '../support/test-table.ts';
import { wireValue } from './wire.ts';

function alias(...values: readonly Readonly<Record<string, unknown>>[]) {
  const wire = values.map((members) => wireValue({ type: 'HS_ALIAS', ...members }));
  const handle = doiName('10.5555/x');
  return aliasOf(createRecord({ responseCode: 1, handle, values: decodeValues(wire), fetchedAt: 0 }));
}

const to = (value: string, format = 'string') => ({ data: { format, value } });

describe('the alias of a record', () => {
  testTable([['10.1000/1'], ['10.1000/ÄbC'], ['10/abcde'], ['0.NA/10.1000'], [' doi:10.1000/1 ']])(
    'is its HS_ALIAS to the letter: %j',
    (target) => {
      expect(alias(to(target))).toBe(target);
    },
  );

  testTable(['hs_alias', 'Hs_Alias'])('may be of type %s', (type) => {
    expect(alias({ type, ...to('10.1000/1') })).toBe('10.1000/1');
  });

  testTable(['HS_ALIAS.', 'HS_ALIAS.OLD', 'ALIAS', 'URL', 'HS_ALİAS', ''])('is not of type %j', (type) => {
    expect(alias({ type, ...to('10.1000/1') })).toBeNull();
  });

  test('has the lowest index, in any order of the values', () => {
    expect(
      alias(
        { index: 3, ...to('10.1000/3') },
        { index: 1, ...to('10.1000/1') },
        { index: 2, ...to('10.1000/2') },
      ),
    ).toBe('10.1000/1');
  });

  testTable([
    ['empty', to('')],
    ['no UTF-8', to('/w==', 'base64')],
    ['a list', { data: { format: 'vlist', value: [{ handle: '10.1000/1', index: 1 }] } }],
    ['of an unknown format', { data: { format: 'new', value: '10.1000/1' } }],
  ])('is null when it is %s', (_, members) => {
    expect(alias(members)).toBeNull();
  });

  test('is null without one, also of a record without values', () => {
    expect(alias()).toBeNull();
  });

  test('is read from bytes that are UTF-8', () => {
    expect(alias(to('MTAuMTAwMC8x', 'base64'))).toBe('10.1000/1');
  });
});

test('the alias of a record of many values is looked for once', () => {
  let looks = 0;
  const counted = decodeValues(Array.from({ length: 1_000 }, (_, index) => wireValue({ index }))).map(
    (value) =>
      Object.create(value, {
        type: {
          get: () => {
            looks += 1;
            return value.index === 999 ? 'HS_ALIAS' : 'URL';
          },
        },
      }),
  );
  const parts = { responseCode: 1, handle: doiName('10.5555/x'), values: counted, fetchedAt: 0 };
  for (const _ of [1, 2, 3]) expect(aliasOf(createRecord(parts))).toBe('https://example.org/');
  expect(looks).toBe(1_000);
});
