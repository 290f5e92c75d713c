// Values from the gateway's own memory are decoded like the values of a directory.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MalformedRecordError } from '../../src/handle/json.ts';
import { decodeValues, trustedValues } from '../../src/handle/value.ts';
import { testTable } from '../support/test-table.ts';
import { wireValue } from './wire.ts';

const files = ['../../data/sample-directory.jsonl', '../fixtures/wire-directory.jsonl'];
const records = files.flatMap((file) =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line)),
);

testTable(records.map(({ handle, values }) => [handle, values]))(
  'the values of every record are decoded to the same values',
  (_, values) => {
    expect(trustedValues(structuredClone(values))).toEqual(decodeValues(values));
  },
);

test('every kind of member is decoded to the same value', () => {
  const wire = [
    wireValue({ ttl: '20200729T045230Z', permissions: '1110', references: [{ handle: '0.NA/1', index: 1 }] }),
    wireValue({ index: 2, timestamp: undefined, ttl: undefined, new: [{}] }),
    wireValue({ index: 3, type: '', data: { format: 'newfangled', value: [1] } }),
  ];
  expect(trustedValues(structuredClone(wire))).toEqual(decodeValues(wire));
});

test('a value without its required members is rejected', () => {
  expect(() => trustedValues([{ index: 1, type: 'URL', data: {} }])).toThrow(MalformedRecordError);
  expect(() => trustedValues([wireValue({ index: 'one' })])).toThrow(MalformedRecordError);
});
