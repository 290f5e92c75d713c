// All callers share a record, so nothing in it can be changed except bytes.

import { toHandleName } from 'doi-names/parts';
import { describe, expect, test } from 'vitest';
import { parseHandleJson } from '../../src/handle/json.ts';
import { createRecord, decodeStoredRecord } from '../../src/handle/record.ts';
import { testTable } from '../support/test-table.ts';
import { readAnswer, unfrozenIn, wireAnswer, wireValue } from './wire.ts';

const handle = toHandleName('10.5555/x') ?? expect.unreachable();
const fetchedAt = 1_000;

function answerWith(members: Readonly<Record<string, unknown>>) {
  return readAnswer(JSON.stringify(wireAnswer({ values: [wireValue(members)] })));
}

describe('the values of an answer are frozen all through', () => {
  testTable([
    ['string', 'text'],
    ['base64', 'AQ=='],
    ['hex', 'ff'],
    ['admin', { handle: '0.NA/1', index: 1, permissions: '1' }],
    ['vlist', [{ handle: '200/1', index: 300 }]],
    ['site', { servers: [{ interfaces: [{ port: 2641 }] }] }],
    ['key', { kty: 'RSA', more: { n: [] } }],
    ['newfangled', [{ a: {} }]],
  ])('with %s data', (format, value) => {
    expect(unfrozenIn(answerWith({ data: { format, value } }).values)).toEqual([]);
  });

  test('with references and with unknown members', () => {
    const references = [{ handle: '0.NA/10.5555', index: 200 }];
    expect(unfrozenIn(answerWith({ references, unknown: [{}] }).values)).toEqual([]);
  });

  testTable([1, 100, 200, 2])('with response code %d and no values', (responseCode) => {
    expect(unfrozenIn(readAnswer(JSON.stringify(wireAnswer({ responseCode, values: [] }))).values)).toEqual(
      [],
    );
  });
});

test('a stored record holds values that are frozen all through', () => {
  const text = JSON.stringify({ handle, values: [wireValue()] });
  expect(unfrozenIn(decodeStoredRecord(parseHandleJson(text)).values)).toEqual([]);
});

describe('a record is frozen all through', () => {
  test('when it was found', () => {
    const { responseCode, values } = answerWith({});
    expect(unfrozenIn(createRecord({ responseCode, values, handle, fetchedAt }))).toEqual([]);
  });

  testTable([100, 200, 2])('when it comes from response code %d', (responseCode) => {
    const { values } = readAnswer(JSON.stringify({ responseCode, handle }));
    expect(unfrozenIn(createRecord({ responseCode, values, handle, fetchedAt }))).toEqual([]);
  });
});
