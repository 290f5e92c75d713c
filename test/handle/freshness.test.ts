// Until when a record may be believed.

import { toHandleName } from 'doi-names/parts';
import { describe, expect, test } from 'vitest';
import { createRecord } from '../../src/handle/record.ts';
import { decodeValues } from '../../src/handle/value.ts';
import { testTable } from '../support/test-table.ts';
import { wireValue } from './wire.ts';

const FETCHED_AT = Date.parse('2026-11-20T12:00:00Z');
const DAY_S = 86_400;
const name = toHandleName('10.5555/x') ?? expect.unreachable();

function lifeMs(responseCode: number, ttls: readonly unknown[] = []): number {
  const values = decodeValues(ttls.map((ttl) => wireValue({ ttl })));
  const { fetchedAt, freshUntil } = createRecord({
    responseCode,
    handle: name,
    values,
    fetchedAt: FETCHED_AT,
  });
  expect(fetchedAt).toBe(FETCHED_AT);
  return freshUntil - fetchedAt;
}

describe('a found record is fresh for', () => {
  testTable([
    ['the ttl of its only value', [60], 60],
    ['the smallest ttl of its values', [3_600, 60, 7_200], 60],
    ['a day, where a ttl is longer', [10_000_000], DAY_S],
    ['a day, where a ttl is the longest there can be', [2_147_483_647], DAY_S],
    ['a day, where a ttl is exactly that', [DAY_S], DAY_S],
    ['a second less than a day, where a ttl is that', [DAY_S - 1], DAY_S - 1],
    ['a day, where no value says', [undefined, undefined], DAY_S],
    ['as long as those say that say anything', [undefined, 60], 60],
    ['five minutes, where there are no values', [], 300],
    ['no time at all, where a ttl is 0', [DAY_S, 0], 0],
    ['no time at all, where a ttl is negative', [DAY_S, -60], 0],
    ['no time at all, where a ttl is the least there can be', [-2_147_483_648], 0],
    ['the time until a value expires', ['2026-11-20T12:00:30Z', 60], 30],
    ['the time until a value expires, by its offset', ['2026-11-20T14:01:00+02:00'], 60],
    ['the time until a value expires, in other ISO 8601', ['20261120T120100Z'], 60],
    ['the ttl, where that ends before another value expires', ['2026-11-20T13:00:00Z', 60], 60],
    ['a day, where a value expires later', ['2030-01-01T00:00:00Z'], DAY_S],
    ['no time at all, where a value has expired', ['2026-11-20T11:59:59Z', 60], 0],
    ['no time at all, where a value expires right now', ['2026-11-20T12:00:00Z'], 0],
  ])('every row', (_, ttls, seconds) => {
    expect(lifeMs(1, ttls)).toBe(seconds * 1000);
  });

  test('milliseconds, where a value expires between seconds', () => {
    expect(lifeMs(1, ['2026-11-20T12:00:00.250Z'])).toBe(250);
  });
});

describe('the absence', () => {
  test('of a handle is believed for five minutes', () => {
    expect(lifeMs(100)).toBe(300_000);
  });

  test('of values is believed for five minutes', () => {
    expect(lifeMs(200)).toBe(300_000);
  });
});

testTable([2, 3, 4, 7, 102, 301, 302, 303, 401, 404, 0, -1, 999])(
  'the error %d is never fresh',
  (responseCode) => {
    expect(lifeMs(responseCode)).toBe(0);
  },
);

test('a record that was just made is not stale', () => {
  const { stale } = createRecord({ responseCode: 1, handle: name, values: [], fetchedAt: FETCHED_AT });
  expect(stale).toBe(false);
});
