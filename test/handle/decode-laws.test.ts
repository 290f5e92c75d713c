// The law of decoding: whatever JSON comes, either a whole answer comes out of it or a MalformedRecordError.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MalformedRecordError, parseHandleJson } from '../../src/handle/json.ts';
import { decodeAnswer, decodeStoredRecord, type WireAnswer } from '../../src/handle/record.ts';
import { statusOf } from '../../src/handle/response-codes.ts';
import { toEpochMs } from '../../src/handle/time.ts';
import { expiresAtOf, type HandleValue, timestampOf } from '../../src/handle/value.ts';
import { testTable } from '../support/test-table.ts';

const string = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
  { weight: 1, arbitrary: fc.constantFrom('\ud800', 'a\udc00', '__proto__', '') },
);
const number = fc.oneof(
  { weight: 6, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.constantFrom(2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 53, -0) },
);
const anything = fc.jsonValue();

/** Mostly good, sometimes anything, sometimes missing. */
function mostly(good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 40, arbitrary: good },
    { weight: 1, arbitrary: anything },
    { weight: 1, arbitrary: fc.constantFrom(undefined, null) },
  );
}

const reference = fc.record({ handle: mostly(string), index: mostly(number) });
const references = mostly(fc.array(mostly(reference), { maxLength: 2 }));
const data = fc.oneof(
  fc.record({ format: mostly(fc.constant('string')), value: mostly(string) }),
  fc.record({ format: fc.constant('base64'), value: mostly(fc.base64String({ maxLength: 8 })) }),
  fc.record({ format: fc.constant('hex'), value: mostly(fc.constantFrom('', '00', 'fF', '0', 'x')) }),
  fc.record({
    format: fc.constant('admin'),
    value: mostly(
      fc.record({
        handle: mostly(string),
        index: mostly(number),
        permissions: mostly(fc.constantFrom('', '0110', '2')),
      }),
    ),
  }),
  fc.record({ format: fc.constant('vlist'), value: references }),
  fc.record({ format: fc.constantFrom('site', 'key', 'new'), value: anything }),
);
const time = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom('20200729', 'never', '2016-12-31T23:59:60Z'),
);
const value = fc.record(
  {
    index: mostly(number),
    type: mostly(string),
    data: mostly(data),
    ttl: mostly(fc.oneof(number, time)),
    timestamp: mostly(time),
    permissions: mostly(fc.constantFrom('1110', '1111', '0010', '1100', '')),
    references,
  },
  { requiredKeys: ['index', 'type', 'data'] },
);
const answer = fc.record(
  {
    responseCode: mostly(fc.constantFrom(1, 1, 1, 1, 2, 100, 200, 999)),
    handle: mostly(string),
    values: mostly(fc.array(mostly(value), { maxLength: 3 })),
    message: mostly(string),
  },
  { requiredKeys: ['responseCode'] },
);

function decodeOrRefuse(wire: unknown): WireAnswer | null {
  try {
    return decodeAnswer(wire);
  } catch (error) {
    expect(error).toBeInstanceOf(MalformedRecordError);
    return null;
  }
}

const isInt32 = (number: unknown) => Number.isInteger(number) && Math.abs(Number(number) + 0.5) < 2 ** 31;
const isText = (text: unknown) => typeof text === 'string' && text.isWellFormed();
const isTime = (text: string | null) => text === null || toEpochMs(text) !== null;

function isWholeValue(value: HandleValue) {
  const { index, type, data, ttl, permissions, references } = value;
  const expiresAt = expiresAtOf(value);
  return (
    isInt32(index) &&
    isText(type) &&
    isText(data.format) &&
    (ttl === null || (isInt32(ttl) && expiresAt === null)) &&
    isTime(expiresAt) &&
    isTime(timestampOf(value)) &&
    (permissions === null || isText(permissions)) &&
    references.every(({ handle, index }) => isText(handle) && isInt32(index))
  );
}

/** Other values are hidden. */
function isPublic(value: unknown): boolean {
  const { permissions } = value as { readonly permissions?: unknown };
  return typeof permissions !== 'string' || /^[01][01]1[01]$/.test(permissions);
}

/** Whether everything public that the wire says is in the answer, and everything in it is what its type says. */
function isWhole({ responseCode, handle, values }: WireAnswer, wire: unknown): boolean {
  const sent = (wire as { readonly values?: readonly unknown[] }).values;
  return (
    isInt32(responseCode) &&
    (isText(handle) || (handle === null && statusOf(responseCode) === 'ERROR')) &&
    values.length === (responseCode === 1 ? sent?.filter(isPublic).length : 0) &&
    values.every(isWholeValue)
  );
}

describe('decoding an answer', () => {
  test('gives a whole one or a MalformedRecordError for anything that nearly is one', () => {
    let whole = 0;
    let refused = 0;
    fc.assert(
      fc.property(answer, (wire) => {
        const decoded = decodeOrRefuse(wire);
        if (decoded === null) refused += 1;
        else if (isWhole(decoded, wire)) whole += 1;
        else expect.unreachable(`half an answer: ${JSON.stringify(decoded)}`);
      }),
      { numRuns: 1_500 },
    );
    expect(Math.min(whole, refused)).toBeGreaterThan(150);
  });

  test('gives a whole one or a MalformedRecordError for any JSON', () => {
    fc.assert(
      fc.property(fc.oneof(anything, fc.json().map(parseLeniently)), (wire) => {
        const decoded = decodeOrRefuse(wire);
        return decoded === null || isWhole(decoded, wire);
      }),
    );
  });

  test('comes to the same when the answer is sent as text', () => {
    fc.assert(
      fc.property(answer, (wire) => {
        const text = JSON.stringify(wire);
        const sent = parseLeniently(text);
        fc.pre(sent !== undefined);
        expect(sent).toEqual(JSON.parse(text));
      }),
    );
  });
});

test('parsing any text gives JSON or a MalformedRecordError', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.string({ unit: 'binary' }),
        fc.json().map((text) => text.slice(1)),
      ),
      (text) => {
        parseLeniently(text);
      },
    ),
  );
});

/** undefined where it is refused; fails for any other error. */
function parseLeniently(text: string): unknown {
  try {
    return parseHandleJson(text);
  } catch (error) {
    expect(error).toBeInstanceOf(MalformedRecordError);
    return undefined;
  }
}

describe('every record decodes', () => {
  testTable([
    ['of the bundled sample', '../../data/sample-directory.jsonl', 50],
    ['of the reference proxy', '../fixtures/wire-directory.jsonl', 44],
  ])('every row', (_, file, count) => {
    const lines = readFileSync(new URL(file, import.meta.url), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(count);
    for (const line of lines) {
      const wire = JSON.parse(line);
      const record = decodeStoredRecord(parseHandleJson(line));
      expect(record.handle).toBe(wire.handle);
      expect(record.values).toHaveLength(wire.values.length);
      expect(record.values.every(isWholeValue), line).toBe(true);
      expect(
        record.values.map(({ data }) => data.kind),
        line,
      ).not.toContain('other');
    }
  });
});
