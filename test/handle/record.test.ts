// A handle record as the rest of the gateway gets it.

import { toHandleName } from 'doi-names/parts';
import { describe, expect, test } from 'vitest';
import { createRecord, type RecordParts } from '../../src/handle/record.ts';
import { decodeValues } from '../../src/handle/value.ts';
import { testTable } from '../support/test-table.ts';
import { wireValue } from './wire.ts';

const handle = toHandleName('10.5555/AbC') ?? expect.unreachable();

function recordOf(parts: Partial<RecordParts> = {}) {
  return createRecord({ responseCode: 1, handle, values: [], fetchedAt: 1_000, ...parts });
}

describe('the status of a record', () => {
  test('with values is SUCCESS, and without public values VALUES_NOT_FOUND', () => {
    const hidden = wireValue({ permissions: '1100' });
    const statusWith = (...wire: unknown[]) => {
      const { responseCode, status } = recordOf({ values: decodeValues(wire) });
      return [responseCode, status];
    };
    expect(statusWith(hidden, wireValue())).toEqual([1, 'SUCCESS']);
    expect(statusWith(hidden)).toEqual([200, 'VALUES_NOT_FOUND']);
    expect(statusWith()).toEqual([200, 'VALUES_NOT_FOUND']);
  });

  testTable([
    [100, 'HANDLE_NOT_FOUND'],
    [200, 'VALUES_NOT_FOUND'],
    [2, 'ERROR'],
    [3, 'ERROR'],
    [4, 'ERROR'],
    [7, 'ERROR'],
    [102, 'ERROR'],
    [301, 'ERROR'],
    [302, 'ERROR'],
    [303, 'ERROR'],
    [401, 'ERROR'],
    [402, 'ERROR'],
    [403, 'ERROR'],
    [404, 'ERROR'],
    [0, 'ERROR'],
    [999, 'ERROR'],
  ])('of response code %d is %s', (responseCode, status) => {
    expect(recordOf({ responseCode })).toMatchObject({ responseCode, status });
  });
});

describe('the message of a record', () => {
  testTable([1, 100, 200])('is none for the answer %d', (responseCode) => {
    expect(recordOf({ responseCode }).message).toBeNull();
  });

  testTable([2, 3, 4, 7, 102, 301, 302, 303, 401, 402, 403, 404])(
    'is a sentence for the error %d',
    (responseCode) => {
      expect(recordOf({ responseCode }).message).toMatch(/^The directory .+\.$/);
    },
  );

  test('names an unknown response code', () => {
    expect(recordOf({ responseCode: 999 }).message).toContain('999');
  });

  test('can be given, or taken away', () => {
    expect(recordOf({ responseCode: 100, message: 'Not here.' }).message).toBe('Not here.');
    expect(recordOf({ responseCode: 2, message: null }).message).toBeNull();
  });
});

describe('a record', () => {
  test('keeps the name and the values it was made of', () => {
    const values = decodeValues([wireValue()]);
    expect(recordOf({ values })).toMatchObject({ handle: '10.5555/AbC', values, fetchedAt: 1_000 });
  });
});
