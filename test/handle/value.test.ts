// The values of a record: what they must have, what they may lack, and in which order they stand.

import { describe, expect, test } from 'vitest';
import { MalformedRecordError } from '../../src/handle/json.ts';
import { decodeValues, expiresAtOf, timestampOf, trustedValues } from '../../src/handle/value.ts';
import { testTable } from '../support/test-table.ts';
import { decodedValue, wireValue } from './wire.ts';

const INT32_MAX = 2_147_483_647;
const INT32_MIN = -2_147_483_648;

describe('a value', () => {
  test('is read with everything it has', () => {
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

  testTable(['index', 'type', 'data'])('must have its %s', (member) => {
    expect(() => decodedValue({ [member]: undefined })).toThrow(MalformedRecordError);
  });

  test('may have a bare JSON string as its data', () => {
    const { data, wire } = decodedValue({ data: 'text' });
    expect(data).toEqual({ kind: 'string', format: 'string', value: 'text' });
    expect(wire).toEqual(wireValue({ data: { format: 'string', value: 'text' } }));
  });

  testTable(['', 'URL', '#HS_SITE#rackspace', '10320/loc', 'Größe', '__proto__'])(
    'may be of type %j',
    (type) => {
      expect(decodedValue({ type }).type).toBe(type);
    },
  );

  testTable([0, 1, -1, INT32_MAX, INT32_MIN])('may have index and ttl %d', (number) => {
    expect(decodedValue({ index: number, ttl: number })).toMatchObject({ index: number, ttl: number });
  });

  testTable([
    [INT32_MAX + 1],
    [INT32_MIN - 1],
    [4_294_967_296],
    [4_294_967_297],
    [1.5],
    [-0.5],
    ['1'],
    [true],
    [null],
    [[1]],
  ])('has no index %j', (index) => {
    expect(() => decodedValue({ index })).toThrow(MalformedRecordError);
  });

  testTable([[INT32_MAX + 1], [INT32_MIN - 1], [1.5], [true], [null], [[1]], [{}]])(
    'has no ttl %j',
    (ttl) => {
      expect(() => decodedValue({ ttl })).toThrow(MalformedRecordError);
    },
  );

  testTable([
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
  ])('has no %s %j', (member, wire) => {
    expect(() => decodedValue({ [member]: wire })).toThrow(MalformedRecordError);
  });
});

test('a value is also kept as it came, its members in their order', () => {
  const wire = { ttl: 60, new: [{ a: null }], data: { value: 'ff', format: 'hex' }, type: 'X', index: 1 };
  const kept = decodeValues([wire]).map((value) => value.wire);
  expect(JSON.stringify(kept)).toBe(JSON.stringify([wire]));
});

describe('an absolute ttl', () => {
  test('is a time of expiry and no number of seconds', () => {
    for (const ttl of ['2030-01-01T00:00:00Z', '20300101T000000+0000']) {
      const value = decodedValue({ ttl });
      expect([value.ttl, expiresAtOf(value)]).toEqual([null, '2030-01-01T00:00:00Z']);
    }
  });

  test('is null when it is no time', () => {
    for (const ttl of ['never', '86400']) {
      const value = decodedValue({ ttl });
      expect([value.ttl, expiresAtOf(value)]).toEqual([null, null]);
    }
  });
});

describe('a timestamp', () => {
  test('keeps its RFC 3339 text and is converted from other ISO 8601', () => {
    const told = (timestamp: string) => timestampOf(decodedValue({ timestamp }));
    expect(told('2020-07-29t04:52:30.10-00:00')).toBe('2020-07-29t04:52:30.10-00:00');
    expect(told('2020-07-29T04:52:30+0200')).toBe('2020-07-29T02:52:30Z');
  });

  test('is read only if a caller needs it: a record may have 50,000', () => {
    let reads = 0;
    const wire = Object.defineProperty(wireValue(), 'timestamp', {
      get() {
        reads += 1;
        return '2020-W05-3T10:00:00-02:30';
      },
    });
    const [value] = trustedValues([wire]);
    expect(reads).toBe(0);
    expect(value && timestampOf(value)).toBe('2020-01-29T12:30:00Z');
    expect(reads).toBe(1);
  });

  testTable([['yesterday'], ['04:52:30Z'], ['2020'], [''], ['\ud800'], [null], [1_595_998_350], [{}]])(
    'is null when it is %j',
    (timestamp) => {
      expect(timestampOf(decodedValue({ timestamp }))).toBeNull();
    },
  );
});

describe('the values of a record', () => {
  test('keep the order of the directory, duplicates included', () => {
    const indexes = [100, 1, 3, 2, 1];
    expect(decodeValues(indexes.map((index) => wireValue({ index }))).map(({ index }) => index)).toEqual(
      indexes,
    );
  });

  test('are refused as a whole when one of them cannot be read, and the message says which', () => {
    const values = [wireValue(), wireValue(), wireValue({ index: 'one' })];
    expect(() => decodeValues(values)).toThrow(MalformedRecordError);
    expect(() => decodeValues(values)).toThrow(/value 2\b/);
  });

  testTable([
    ['the data', { data: { format: 'hex', value: 'x' } }],
    ['the permissions of an administrator', { data: { format: 'admin', value: { permissions: 'x' } } }],
    ['a reference', { references: [{ handle: '0.NA/10.5555' }] }],
  ])('are refused with a message that says which one, also where it is %s', (_, members) => {
    expect(() => decodeValues([wireValue(), wireValue(members)])).toThrow(/value 1\b/);
  });

  testTable([[{}], [{ 0: wireValue() }], ['[]'], [null], [undefined], [[null]], [[[]]], [['URL']]])(
    'are not %j',
    (values) => {
      expect(() => decodeValues(values)).toThrow(MalformedRecordError);
    },
  );
});
