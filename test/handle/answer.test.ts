// The response of a proxy's REST API is read as a whole, or refused.

import { toHandleName } from 'doi-names/parts';
import { describe, expect, test } from 'vitest';
import { MalformedRecordError } from '../../src/handle/json.ts';
import { decodeAnswer, decodeStoredRecord, echoes } from '../../src/handle/record.ts';
import { testTable } from '../support/test-table.ts';
import { wireAnswer, wireValue } from './wire.ts';

describe('an answer', () => {
  test('has the values of a record that was found', () => {
    const answer = decodeAnswer(wireAnswer({ values: [wireValue({ index: 2 }), wireValue({ index: 1 })] }));
    expect(answer).toMatchObject({ responseCode: 1, handle: '10.5555/x', message: null });
    expect(answer.values.map(({ index }) => index)).toEqual([2, 1]);
  });

  test('may be a record without any values', () => {
    expect(decodeAnswer(wireAnswer({ values: [] })).values).toEqual([]);
  });

  test('says of a handle or of values that they were not found', () => {
    const absent = { handle: '10.5555/x', values: [], message: null };
    expect(decodeAnswer({ responseCode: 100, handle: '10.5555/x' })).toEqual({
      responseCode: 100,
      ...absent,
    });
    expect(decodeAnswer({ responseCode: 200, values: [], handle: '10.5555/x' })).toEqual({
      responseCode: 200,
      ...absent,
    });
  });

  test('keeps the spelling of its echo', () => {
    for (const handle of ['10.5555/ÄbC', '10.5555/a\u0308', ' 10.5555/x\u0000']) {
      expect(decodeAnswer(wireAnswer({ handle })).handle).toBe(handle);
    }
  });

  test('carries the message of the directory, if that is text', () => {
    expect(decodeAnswer({ responseCode: 2, handle: '10.5555/x', message: 'Oops' }).message).toBe('Oops');
    expect(decodeAnswer({ responseCode: 2, handle: '10.5555/x', message: { a: 1 } }).message).toBeNull();
  });

  testTable([2, 3, 4, 7, 102, 301, 401, 999])('of response code %d may lack the echo', (responseCode) => {
    expect(decodeAnswer({ responseCode })).toEqual({ responseCode, handle: null, values: [], message: null });
  });

  test('ignores unknown members', () => {
    expect(decodeAnswer(wireAnswer({ context: null, constructor: 1 }))).toEqual(decodeAnswer(wireAnswer()));
  });

  testTable([
    ['a found record without values', wireAnswer({ values: undefined })],
    ['a found record whose values are null', wireAnswer({ values: null })],
    ['a found record whose values are an object', wireAnswer({ values: { 1: wireValue() } })],
    ['a found record without an echo', wireAnswer({ handle: undefined })],
    ['a found record with one bad value', wireAnswer({ values: [wireValue(), wireValue({ type: 1 })] })],
    ['an echo that is null', { responseCode: 100, handle: null }],
    ['an echo that is a number', { responseCode: 100, handle: 10.5555 }],
    ['an absent handle without an echo', { responseCode: 100 }],
    ['absent values without an echo', { responseCode: 200, values: [] }],
    ['no response code', { handle: '10.5555/x', values: [] }],
    ['a response code of null', wireAnswer({ responseCode: null })],
    ['a response code as text', wireAnswer({ responseCode: '1' })],
    ['a fraction of a response code', wireAnswer({ responseCode: 1.5 })],
    ['a response code of more than 32 bits', wireAnswer({ responseCode: 4_294_967_297 })],
    ['an array', [wireAnswer()]],
    ['null', null],
    ['text', '{}'],
    ['nothing', undefined],
  ])('is not %s', (_, wire) => {
    expect(() => decodeAnswer(wire)).toThrow(MalformedRecordError);
  });
});

describe('the echo', () => {
  const asked = toHandleName('10.5555/aBc-é') ?? expect.unreachable();

  function isEcho(handle: string): boolean {
    return echoes(decodeAnswer({ responseCode: 100, handle }), asked);
  }

  test('is the requested name, in any case of Basic Latin letters', () => {
    expect(isEcho('10.5555/aBc-é')).toBe(true);
    expect(isEcho('10.5555/AbC-é')).toBe(true);
  });

  testTable(['10.5555/abc-É', '10.5555/abc-e\u0301', '10.5555/abc', '10.5555/abc-é/', ' 10.5555/abc-é', ''])(
    'is not %j',
    (handle) => {
      expect(isEcho(handle)).toBe(false);
    },
  );

  test('of a handle outside 10 is in the requested case, except its prefix', () => {
    const answer = decodeAnswer({ responseCode: 100, handle: '20.500.abc/Item' });
    const isEchoOf = (text: string) => echoes(answer, toHandleName(text) ?? expect.unreachable());
    expect(['20.500.abc/Item', '20.500.ABC/Item', '20.500.abc/item'].map(isEchoOf)).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('may be missing where the directory failed', () => {
    expect(echoes(decodeAnswer({ responseCode: 2 }), asked)).toBe(true);
  });
});

describe('a stored record', () => {
  test('is a handle and its values', () => {
    expect(decodeStoredRecord({ handle: '0.NA/10.5555', values: [wireValue()] })).toMatchObject({
      handle: '0.NA/10.5555',
      values: [{ index: 1, type: 'URL' }],
    });
    expect(decodeStoredRecord({ handle: '10.5555/x', values: [] }).values).toEqual([]);
  });

  testTable([
    ['no handle', { values: [] }],
    ['an empty handle', { handle: '', values: [] }],
    ['a handle that is a number', { handle: 10, values: [] }],
    ['a handle with an unpaired surrogate', { handle: '10.5555/\udc00', values: [] }],
    ['no values', { handle: '10.5555/x' }],
    ['values of null', { handle: '10.5555/x', values: null }],
    ['one bad value', { handle: '10.5555/x', values: [wireValue({ index: null })] }],
    ['an array', [{ handle: '10.5555/x', values: [] }]],
    ['null', null],
  ])('has not %s', (_, wire) => {
    expect(() => decodeStoredRecord(wire)).toThrow(MalformedRecordError);
  });
});
