// The status, message and freshness of a record.

import { toHandleName } from 'doi-names/parts';
import { describe, expect, test } from 'vitest';
import { createRecord, type RecordParts } from '../../src/handle/record.ts';
import { decodeValues } from '../../src/handle/value.ts';
import { testTable } from '../support/test-table.ts';
import { unfrozenIn, wireValue } from './wire.ts';

const handle = toHandleName('10.5555/AbC') ?? expect.unreachable();
const ERRORS = [2, 3, 4, 7, 102, 301, 302, 303, 401, 402, 403, 404];

function recordOf(parts: Partial<RecordParts> = {}) {
  return createRecord({ responseCode: 1, handle, values: [], fetchedAt: 1_000, ...parts });
}

test('a record is frozen and has the name and values of its parts', () => {
  const values = decodeValues([wireValue()]);
  expect(recordOf({ values })).toMatchObject({
    handle: '10.5555/AbC',
    values,
    fetchedAt: 1_000,
    stale: false,
  });
  expect(unfrozenIn(recordOf({ values }))).toEqual([]);
});

describe('the status of a record', () => {
  const hidden = wireValue({ permissions: '1100' });

  testTable<[values: unknown[], responseCode: number, status: string]>([
    [[hidden, wireValue()], 1, 'SUCCESS'],
    [[hidden], 200, 'VALUES_NOT_FOUND'],
    [[], 200, 'VALUES_NOT_FOUND'],
  ])('is VALUES_NOT_FOUND without public values', (wire, responseCode, status) => {
    expect(recordOf({ values: decodeValues(wire) })).toMatchObject({ responseCode, status });
  });

  testTable<[responseCode: number, status: string]>([
    [100, 'HANDLE_NOT_FOUND'],
    [200, 'VALUES_NOT_FOUND'],
    ...[...ERRORS, 0, 999].map((responseCode): [number, string] => [responseCode, 'ERROR']),
  ])('comes from its response code', (responseCode, status) => {
    expect(recordOf({ responseCode })).toMatchObject({ responseCode, status });
  });
});

describe('the message of a record', () => {
  testTable([1, 100, 200])('is null if the directory did not fail', (responseCode) => {
    expect(recordOf({ responseCode }).message).toBeNull();
  });

  testTable(ERRORS)('is a sentence for each error', (responseCode) => {
    expect(recordOf({ responseCode }).message).toMatch(/^The directory .+\.$/);
  });

  test('contains an unknown response code', () => {
    expect(recordOf({ responseCode: 999 }).message).toContain('999');
  });

  test('is the message that the caller gives, even if the message is null', () => {
    expect(recordOf({ responseCode: 100, message: 'Not here.' }).message).toBe('Not here.');
    expect(recordOf({ responseCode: 2, message: null }).message).toBeNull();
  });
});

describe('a record is fresh for', () => {
  const fetchedAt = Date.parse('2026-11-20T12:00:00Z');
  const DAY_S = 86_400;

  function freshS(responseCode: number, ttls: readonly unknown[] = []): number {
    const values = decodeValues(ttls.map((ttl) => wireValue({ ttl })));
    return (recordOf({ responseCode, values, fetchedAt }).freshUntil - fetchedAt) / 1_000;
  }

  testTable([
    ['the smallest ttl of its values', [3_600, 60, 7_200], 60],
    ['a day if every ttl is longer', [2_147_483_647], DAY_S],
    ['a second less than a day', [DAY_S - 1], DAY_S - 1],
    ['a day without a ttl', [undefined, undefined], DAY_S],
    ['the ttl of the values with a ttl', [undefined, 60], 60],
    ['five minutes without values', [], 300],
    ['no time if a ttl is 0', [DAY_S, 0], 0],
    ['no time if a ttl is negative', [DAY_S, -60], 0],
    ['no time if a ttl is the smallest possible', [-2_147_483_648], 0],
    ['the time until a value expires', ['2026-11-20T12:00:30Z', 60], 30],
    ['the time until a value expires, in another time zone', ['2026-11-20T14:01:00+02:00'], 60],
    ['the time until a value expires, in other ISO 8601', ['20261120T120100Z'], 60],
    ['the time until a value expires, in milliseconds', ['2026-11-20T12:00:00.250Z'], 0.25],
    ['the ttl if it ends first', ['2026-11-20T13:00:00Z', 60], 60],
    ['a day if a value expires later', ['2030-01-01T00:00:00Z'], DAY_S],
    ['no time if a value is expired', ['2026-11-20T11:59:59Z', 60], 0],
    ['no time if a value expires now', ['2026-11-20T12:00:00Z'], 0],
    ['no time if the time of expiry is unreadable', ['never'], 0],
  ])('the shortest time of its values', (_, ttls, seconds) => {
    expect(freshS(1, ttls)).toBe(seconds);
  });

  testTable([100, 200])('five minutes if the handle or its values are absent', (responseCode) => {
    expect(freshS(responseCode)).toBe(300);
  });

  testTable([...ERRORS, 0, -1, 999])('no time if the directory failed', (responseCode) => {
    expect(freshS(responseCode)).toBe(0);
  });
});
