// The members of a value, and the order of values.

import { describe, expect, test } from 'vitest';
import { MalformedRecordError } from '../../src/handle/json.ts';
import { decodeValues, expiresAtOf, timestampOf } from '../../src/handle/value.ts';
import { testTable } from '../support/test-table.ts';
import { decodedValue, wireValue } from './wire.ts';

const INT32_MAX = 2_147_483_647;
const INT32_MIN = -2_147_483_648;

describe('a value', () => {
  test('is read with all members', () => {
    const references = [{ handle: '0.NA/10.5555', index: 200 }];
    expect(decodedValue({ index: 6, type: 'DESC', permissions: '1110', references })).toMatchObject({
      index: 6,
      type: 'DESC',
      data: { kind: 'string', format: 'string', value: 'https://example.org/' },
      ttl: 86_400,
      permissions: '1110',
      references,
    });
  });

  test('may lack ttl, timestamp, permissions and references', () => {
    const value = decodedValue({ ttl: undefined, timestamp: undefined });
    expect(value).toMatchObject({ ttl: null, permissions: null, references: [] });
    expect([expiresAtOf(value), timestampOf(value)]).toEqual([null, null]);
  });

  testTable(['index', 'type', 'data'])('must have index, type and data', (member) => {
    expect(() => decodedValue({ [member]: undefined })).toThrow(MalformedRecordError);
  });

  test('may have a bare JSON string as its data', () => {
    const { data, wire } = decodedValue({ data: 'text' });
    expect(data).toEqual({ kind: 'string', format: 'string', value: 'text' });
    expect(wire).toEqual(wireValue({ data: { format: 'string', value: 'text' } }));
  });

  testTable(['', 'URL', '#HS_SITE#rackspace', '10320/loc', 'Größe', '__proto__'])(
    'may have any type',
    (type) => {
      expect(decodedValue({ type }).type).toBe(type);
    },
  );

  testTable([0, 1, -1, INT32_MAX, INT32_MIN])('may have index and ttl of 32 bits', (number) => {
    expect(decodedValue({ index: number, ttl: number })).toMatchObject({ index: number, ttl: number });
  });

  testTable([[INT32_MAX + 1], [INT32_MIN - 1], [4_294_967_297], [1.5], [-0.5], [true], [null], [[1]]])(
    'is rejected with another index or ttl',
    (number) => {
      expect(() => decodedValue({ index: number })).toThrow(MalformedRecordError);
      expect(() => decodedValue({ ttl: number })).toThrow(MalformedRecordError);
    },
  );

  testTable([
    ['index', '1'],
    ['type', 5],
    ['type', null],
    ['data', null],
    ['data', [{ format: 'string', value: 'text' }]],
    ['data', { value: 'text' }],
    ['data', { format: null, value: 'text' }],
    ['data', { format: 1, value: 'text' }],
    ['permissions', null],
    ['permissions', 1110],
    ['references', null],
    ['references', {}],
    ['references', ['0.NA/10.5555']],
    ['references', [{ handle: '0.NA/10.5555', index: 200.5 }]],
  ])('is rejected with a member of another kind', (member, wire) => {
    expect(() => decodedValue({ [member]: wire })).toThrow(MalformedRecordError);
  });
});

test('a value keeps its JSON unchanged, with its members in their order', () => {
  const wire = { ttl: 60, new: [{ a: null }], data: { value: 'ff', format: 'hex' }, type: 'X', index: 1 };
  const kept = decodeValues([wire]).map((value) => value.wire);
  expect(JSON.stringify(kept)).toBe(JSON.stringify([wire]));
});

testTable([
  ['2030-01-01T00:00:00Z', '2030-01-01T00:00:00Z'],
  ['20300101T000000+0000', '2030-01-01T00:00:00Z'],
  ['never', null],
  ['86400', null],
])('a ttl that is text is a time of expiry, or null', (ttl, expiresAt) => {
  const value = decodedValue({ ttl });
  expect([value.ttl, expiresAtOf(value)]).toEqual([null, expiresAt]);
});

describe('a timestamp', () => {
  test('in RFC 3339 stays unchanged, and in another notation of ISO 8601 is converted', () => {
    const timestamp = '2020-07-29t04:52:30.10-00:00';
    expect(timestampOf(decodedValue({ timestamp }))).toBe(timestamp);
    expect(timestampOf(decodedValue({ timestamp: '2020-07-29T04:52:30+0200' }))).toBe('2020-07-29T02:52:30Z');
  });

  testTable([['yesterday'], ['04:52:30Z'], ['2020'], [''], ['\ud800'], [null], [1_595_998_350], [{}]])(
    'is null if the text is not a time',
    (timestamp) => {
      expect(timestampOf(decodedValue({ timestamp }))).toBeNull();
    },
  );
});

describe('the values of a record', () => {
  test('keep the order of the directory, with duplicates', () => {
    const indexes = [100, 1, 3, 2, 1];
    expect(decodeValues(indexes.map((index) => wireValue({ index }))).map(({ index }) => index)).toEqual(
      indexes,
    );
  });

  testTable([
    ['the index', { index: 'one' }],
    ['the data', { data: { format: 'hex', value: 'x' } }],
    ['the permissions of an administrator', { data: { format: 'admin', value: { permissions: 'x' } } }],
    ['a reference', { references: [{ handle: '0.NA/10.5555' }] }],
  ])(
    'are rejected as a whole if one value is invalid, and the message names the invalid value',
    (_, members) => {
      const values = [wireValue(), wireValue(members)];
      expect(() => decodeValues(values)).toThrow(MalformedRecordError);
      expect(() => decodeValues(values)).toThrow(/value 1\b/);
    },
  );

  testTable([[{}], [{ 0: wireValue() }], ['[]'], [null], [undefined], [[null]], [[[]]], [['URL']]])(
    'are a list of objects',
    (values) => {
      expect(() => decodeValues(values)).toThrow(MalformedRecordError);
    },
  );
});
