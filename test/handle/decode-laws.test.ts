// Any JSON is decoded to a complete, frozen response, or rejected with a MalformedRecordError.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MalformedRecordError, parseHandleJson } from '../../src/handle/json.ts';
import { decodeAnswer, decodeStoredRecord, type WireAnswer } from '../../src/handle/record.ts';
import { statusOf } from '../../src/handle/response-codes.ts';
import { toEpochMs } from '../../src/handle/time.ts';
import { expiresAtOf, type HandleValue, timestampOf } from '../../src/handle/value.ts';
import { testTable } from '../support/test-table.ts';
import { unfrozenIn } from './wire.ts';

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

/** Generates the valid value in most cases, and sometimes any value or no value. */
function usually(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 40, arbitrary: valid },
    { weight: 1, arbitrary: anything },
    { weight: 1, arbitrary: fc.constantFrom(undefined, null) },
  );
}

const reference = fc.record({ handle: usually(string), index: usually(number) });
const references = usually(fc.array(usually(reference), { maxLength: 2 }));
const data = fc.oneof(
  fc.record({ format: usually(fc.constant('string')), value: usually(string) }),
  fc.record({ format: fc.constant('base64'), value: usually(fc.base64String({ maxLength: 8 })) }),
  fc.record({ format: fc.constant('hex'), value: usually(fc.constantFrom('', '00', 'fF', '0', 'x')) }),
  fc.record({
    format: fc.constant('admin'),
    value: usually(
      fc.record({
        handle: usually(string),
        index: usually(number),
        permissions: usually(fc.constantFrom('', '0110', '2')),
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
    index: usually(number),
    type: usually(string),
    data: usually(data),
    ttl: usually(fc.oneof(number, time)),
    timestamp: usually(time),
    permissions: usually(fc.constantFrom('1110', '1111', '0010', '1100', '')),
    references,
  },
  { requiredKeys: ['index', 'type', 'data'] },
);
const response = fc.record(
  {
    responseCode: usually(fc.constantFrom(1, 1, 1, 1, 2, 100, 200, 999)),
    handle: usually(string),
    values: usually(fc.array(usually(value), { maxLength: 3 })),
    message: usually(string),
  },
  { requiredKeys: ['responseCode'] },
);

function decodeOrReject(wire: unknown): WireAnswer | null {
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

function isCompleteValue(value: HandleValue) {
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

/** Whether a value is public. The decoder leaves out hidden values. */
function isPublic(value: unknown): boolean {
  const { permissions } = value as { readonly permissions?: unknown };
  return typeof permissions !== 'string' || /^[01][01]1[01]$/.test(permissions);
}

/** Whether the response has every public value, and every member has its type. */
function isComplete({ responseCode, handle, values }: WireAnswer, wire: unknown): boolean {
  const sent = (wire as { readonly values?: readonly unknown[] }).values;
  return (
    isInt32(responseCode) &&
    (isText(handle) || (handle === null && statusOf(responseCode) === 'ERROR')) &&
    values.length === (responseCode === 1 ? sent?.filter(isPublic).length : 0) &&
    values.every(isCompleteValue) &&
    unfrozenIn(values).length === 0
  );
}

describe('decoding', () => {
  test('decodes or rejects, as a whole, a response with random faults', () => {
    let complete = 0;
    let rejected = 0;
    fc.assert(
      fc.property(response, (wire) => {
        const sent = parseLeniently(JSON.stringify(wire));
        if (sent !== undefined) expect(sent).toEqual(JSON.parse(JSON.stringify(wire)));
        const decoded = sent === undefined ? null : decodeOrReject(sent);
        if (decoded === null) rejected += 1;
        else if (isComplete(decoded, sent)) complete += 1;
        else expect.unreachable(`incomplete: ${JSON.stringify(decoded)}`);
      }),
      { numRuns: 1_500 },
    );
    expect(Math.min(complete, rejected)).toBeGreaterThan(150);
  });

  test('decodes or rejects any JSON as a whole', () => {
    fc.assert(
      fc.property(fc.oneof(anything, fc.json().map(parseLeniently)), (wire) => {
        const decoded = decodeOrReject(wire);
        return decoded === null || isComplete(decoded, wire);
      }),
    );
  });

  test('parses any text as JSON or rejects it', () => {
    const cutJson = fc.json().map((text) => text.slice(1));
    fc.assert(
      fc.property(
        fc.oneof(fc.json(), fc.string({ unit: 'binary' }), cutJson),
        (text) => void parseLeniently(text),
      ),
    );
  });
});

/** Returns undefined for a rejected text. Fails for any other error. */
function parseLeniently(text: string): unknown {
  try {
    return parseHandleJson(text);
  } catch (error) {
    expect(error).toBeInstanceOf(MalformedRecordError);
    return undefined;
  }
}

testTable([
  ['../../data/sample-directory.jsonl', 50],
  ['../fixtures/wire-directory.jsonl', 44],
])('every record of the sample and of the reference proxy is decoded', (file, count) => {
  const lines = readFileSync(new URL(file, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(count);
  for (const line of lines) {
    const wire = JSON.parse(line);
    const { handle, values } = decodeStoredRecord(parseHandleJson(line));
    expect([handle, values.length]).toEqual([wire.handle, wire.values.length]);
    expect(values.filter((value) => !isCompleteValue(value) || value.data.kind === 'other')).toEqual([]);
    expect(unfrozenIn(values)).toEqual([]);
  }
});
