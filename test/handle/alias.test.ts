import { describe, expect, test } from 'vitest';
import { aliasOf } from '../../src/handle/record.ts';
import { testTable } from '../support/test-table.ts';
import { recordWith } from './wire.ts';

function alias(...values: readonly Readonly<Record<string, unknown>>[]) {
  return aliasOf(recordWith(values.map((members) => ({ type: 'HS_ALIAS', ...members }))));
}

const to = (value: string, format = 'string') => ({ data: { format, value } });

describe('the alias of a record', () => {
  testTable([['10.1000/1'], ['10.1000/ÄbC'], ['10/abcde'], ['0.NA/10.1000'], [' doi:10.1000/1 ']])(
    'is the unchanged text of its HS_ALIAS value',
    (target) => {
      expect(alias(to(target))).toBe(target);
    },
  );

  testTable(['hs_alias', 'Hs_Alias'])('has its type in any letter case', (type) => {
    expect(alias({ type, ...to('10.1000/1') })).toBe('10.1000/1');
  });

  testTable(['HS_ALIAS.', 'HS_ALIAS.OLD', 'ALIAS', 'URL', 'HS_ALİAS', ''])('has no other type', (type) => {
    expect(alias({ type, ...to('10.1000/1') })).toBeNull();
  });

  test('has the lowest index, in any order and number of values', () => {
    const indexes = [3, 1, 2];
    const values = indexes.map((index) => ({ index, ...to(`10.1000/${index}`) }));
    const others = Array.from({ length: 20 }, (_, index) => ({ type: 'URL', index: 10 + index }));
    expect(alias(...values)).toBe('10.1000/1');
    expect(alias(...others, ...values)).toBe('10.1000/1');
  });

  test('may be bytes of UTF-8', () => {
    expect(alias(to('MTAuMTAwMC8x', 'base64'))).toBe('10.1000/1');
  });

  testTable([
    ['an empty text', [to('')]],
    ['bytes that are not UTF-8', [to('/w==', 'base64')]],
    ['a list', [{ data: { format: 'vlist', value: [{ handle: '10.1000/1', index: 1 }] } }]],
    ['an unknown format', [{ data: { format: 'new', value: '10.1000/1' } }]],
    ['no value', []],
  ])('is null without a text', (_, values) => {
    expect(alias(...values)).toBeNull();
  });
});
