// The codecs decode what they encoded, and refuse other texts.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { MAX_TEXT_BYTES } from '../../src/cache/cached-entry.ts';
import { recordCodec, whichRaCodec } from '../../src/cache/codec.ts';
import { createMemoryTier } from '../../src/cache/memory-tier.ts';
import type { WhichRaVerdict } from '../../src/directory/directory.ts';
import { MalformedRecordError } from '../../src/handle/json.ts';
import { createRecord, decodeStoredRecord } from '../../src/handle/record.ts';
import { decodeValues } from '../../src/handle/value.ts';
import { LIFETIMES } from '../../src/lifetimes.ts';
import { doiName, doiNames } from '../support/doi-names.ts';
import { NOW } from '../support/fake-directory.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const reference = fc.record({ handle: text, index: int32 });
const site = fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)));
const data = fc.oneof(
  fc.record({ format: fc.constant('string'), value: text }),
  fc.record({ format: fc.constant('base64'), value: fc.base64String({ maxLength: 16 }) }),
  fc.record({ format: fc.constant('hex'), value: fc.constantFrom('', '00', 'fF10') }),
  fc.record({
    format: fc.constant('admin'),
    value: fc.record({
      handle: text,
      index: int32,
      permissions: fc.constantFrom('', '0110', '111111111111'),
    }),
  }),
  fc.record({ format: fc.constant('vlist'), value: fc.array(reference, { maxLength: 3 }) }),
  fc.record({ format: fc.constantFrom('site', 'key', 'new'), value: site }),
);
const time = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
const usualValue = fc.record({ index: int32, type: text, data, ttl: fc.oneof(int32, time) }).chain((value) =>
  fc.oneof(
    fc.constant(value),
    time.map((timestamp) => ({ ...value, timestamp })),
  ),
);
const unusualValue = fc.record(
  {
    index: int32,
    type: text,
    data,
    ttl: fc.oneof(int32, fc.constant(86_400), time, fc.constant('never')),
    timestamp: time,
    permissions: text,
    references: fc.array(reference, { maxLength: 2 }),
    unknown: site,
  },
  { requiredKeys: ['index', 'type', 'data'] },
);
const wireValue = fc.oneof(usualValue, unusualValue);
/** The values pass through JSON, because the wire has no minus zero and refuses `__proto__`. */
const wireValues = fc
  .array(wireValue, { maxLength: 4 })
  .map((values) => JSON.stringify(values))
  .filter((json) => !json.includes('__proto__'));
const fetchedAt = fc.integer({ min: 0, max: 8.64e15 - 1e9 });
const records = fc
  .tuple(doiNames(), wireValues, fc.constantFrom(1, 1, 1, 1, 100, 200), fetchedAt)
  .map(([handle, json, responseCode, at]) =>
    createRecord({
      responseCode,
      handle,
      values: responseCode === 1 ? decodeValues(JSON.parse(json)) : [],
      fetchedAt: at,
    }),
  );
const agencies: fc.Arbitrary<WhichRaVerdict> = fc.oneof(
  text.map((agency) => ({ status: 'FOUND' as const, agency })),
  fc
    .constantFrom('INVALID_DOI' as const, 'DOES_NOT_EXIST' as const, 'UNKNOWN' as const)
    .map((status) => ({ status, agency: null })),
);

test('a decoded record equals the encoded record', () => {
  fc.assert(
    fc.property(records, (record) => {
      const decoded = recordCodec.decode(recordCodec.encode(record), record.handle);
      expect(decoded).toEqual(record);
      // `toEqual` ignores the order of members, JSON does not.
      expect(JSON.stringify(decoded)).toBe(JSON.stringify(record));
    }),
    { numRuns: 500 },
  );
});

test('unknown members of data are kept', () => {
  const data = { format: 'string', value: 'x', unknown: 1 };
  const values = decodeValues([{ index: 1, type: 'URL', data, ttl: 60 }]);
  const record = createRecord({ responseCode: 1, handle: doiName('10.1000/1'), values, fetchedAt: NOW });
  const decoded = recordCodec.decode(recordCodec.encode(record), doiName('10.1000/1'));
  expect(decoded.values[0]?.wire['data']).toEqual(data);
});

test('a decoded agency answer equals the encoded answer', () => {
  fc.assert(
    fc.property(agencies, fetchedAt, fc.nat(LIFETIMES.record), (verdict, at, lifeMs) => {
      const answer = { ...verdict, fetchedAt: at, freshUntil: at + lifeMs, stale: false };
      expect(whichRaCodec.decode(whichRaCodec.encode(answer), doiName('10.1000/1'))).toEqual(answer);
    }),
  );
});

test.each([
  ['an empty text', ''],
  ['text that is not JSON', '\u0000\u0001gz'],
  ['half of an entry', '[1795176000000,1,[{"index":1'],
  ['another type', '"FOUND"'],
  ['an object', '{"handle":"10.1000/1","values":[]}'],
  ['an empty array', '[]'],
  ['null', 'null'],
  ['text instead of a time', '["now",1,[]]'],
  ['half a millisecond', '[1.5,1,[]]'],
  ['text instead of a response code', '[1795176000000,"1",[]]'],
  ['an invalid value', '[1795176000000,1,[{"index":"1"}]]'],
  ['a too short row', '[1795176000000,1,[[1,"URL","string","x"]]]'],
  ['a row with members of other types', '[1795176000000,1,[["URL",1,"string","x",86400]]]'],
  ['the layout of another version', '[1795176000000,1795176000001,1,[]]'],
  ['too many parts', `[1795176000000,1,[],[${'[],'.repeat(100_000)}[]]]`],
  ['too many characters', `[1795176000000,1,[]${' '.repeat(8_000_000)}]`],
  ['an agency without a name', '[1,2,"FOUND"]'],
  ['an unknown status', '[1,2,"LOST"]'],
  ['an error of the directory', '[1795176000000,2,[]]'],
  ['a refusal of the name', '[1795176000000,102,[]]'],
  ['an unknown response code', '[1795176000000,4711,[]]'],
  ['values of an absent name', '[1795176000000,100,[[1,"URL","string","x",86400]]]'],
])('the codecs refuse %s', (_, garbage) => {
  for (const codec of [recordCodec, whichRaCodec]) {
    expect(() => codec.decode(garbage, doiName('10.1000/1'))).toThrow(MalformedRecordError);
  }
});

test.each([
  ['an array of two million numbers', `[1795176000000,1,[${'1,'.repeat(2_000_000)}1]]`],
  ['two million nested arrays', '['.repeat(2_000_000)],
  ['a longer text than an entry can have', `[1795176000000,1,["${'x'.repeat(MAX_TEXT_BYTES)}"]]`],
])('the codecs refuse %s before they parse the text', (_, garbage) => {
  const parse = vi.spyOn(JSON, 'parse');
  for (const codec of [recordCodec, whichRaCodec]) {
    expect(() => codec.decode(garbage, doiName('10.1000/1'))).toThrow(MalformedRecordError);
  }
  expect(parse).not.toHaveBeenCalled();
});

test('the fresh time of an agency is limited to a day', () => {
  const { fetchedAt, freshUntil } = whichRaCodec.decode(
    '[1000,9000000000000,"FOUND","A"]',
    doiName('10.1000/1'),
  );
  expect(freshUntil - fetchedAt).toBe(LIFETIMES.record);
});

describe('in memory', () => {
  const lines = readFileSync(new URL('../../data/sample-directory.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');

  /** The estimated bytes of the entry, relative to the record's JSON. */
  function ratioOf(line: string): number {
    const { handle, values } = decodeStoredRecord(JSON.parse(line));
    const value = createRecord({ responseCode: 1, handle, values, fetchedAt: NOW });
    const memory = createMemoryTier(1_000_000);
    memory.set(`record:${handle}`, recordCodec.encode(value));
    return memory.bytes / Buffer.byteLength(line);
  }

  test('a record of the sample uses at most one and a half times the bytes of its JSON, unless it is tiny', () => {
    const ratios = lines.map((line) => ({ bytes: Buffer.byteLength(line), ratio: ratioOf(line) }));
    for (const { bytes, ratio } of ratios) expect(ratio).toBeLessThanOrEqual(bytes < 200 ? 1.65 : 1.5);
    expect(ratios.reduce((sum, { ratio }) => sum + ratio, 0) / ratios.length).toBeLessThan(1.25);
  });
});
