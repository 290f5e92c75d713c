// The response of the REST API of a proxy is valid as a whole, or rejected.

import { toHandleName } from 'doi-names/parts';
import { describe, expect, test } from 'vitest';
import { MalformedRecordError } from '../../src/handle/json.ts';
import { decodeAnswer, decodeStoredRecord, echoes } from '../../src/handle/record.ts';
import { testTable } from '../support/test-table.ts';
import { wireResponse, wireValue } from './wire.ts';

describe('a response', () => {
  test('has the values of a record', () => {
    const response = decodeAnswer(
      wireResponse({ values: [wireValue({ index: 2 }), wireValue({ index: 1 })] }),
    );
    expect(response).toMatchObject({ responseCode: 1, handle: '10.5555/x', message: null });
    expect(response.values.map(({ index }) => index)).toEqual([2, 1]);
    expect(decodeAnswer(wireResponse({ values: [] })).values).toEqual([]);
  });

  testTable([100, 200])('may say that the handle or its values are absent', (responseCode) => {
    const absent = { responseCode, handle: '10.5555/x', values: [], message: null };
    expect(decodeAnswer({ responseCode, handle: '10.5555/x' })).toEqual(absent);
    expect(decodeAnswer({ responseCode, handle: '10.5555/x', values: [] })).toEqual(absent);
  });

  testTable(['10.5555/ÄbC', '10.5555/a\u0308', ' 10.5555/x\u0000'])(
    'keeps the spelling of the name',
    (handle) => {
      expect(decodeAnswer(wireResponse({ handle })).handle).toBe(handle);
    },
  );

  test('has the message of the directory if the message is text', () => {
    expect(decodeAnswer({ responseCode: 2, handle: '10.5555/x', message: 'Oops' }).message).toBe('Oops');
    expect(decodeAnswer({ responseCode: 2, handle: '10.5555/x', message: { a: 1 } }).message).toBeNull();
  });

  testTable([2, 3, 4, 7, 102, 301, 401, 999])('with an error may lack the name', (responseCode) => {
    expect(decodeAnswer({ responseCode })).toEqual({ responseCode, handle: null, values: [], message: null });
  });

  test('may have unknown members', () => {
    expect(decodeAnswer(wireResponse({ context: null, constructor: 1 }))).toEqual(
      decodeAnswer(wireResponse()),
    );
  });

  testTable([
    ['a found record without values', wireResponse({ values: undefined })],
    ['a found record whose values are null', wireResponse({ values: null })],
    ['a found record whose values are an object', wireResponse({ values: { 1: wireValue() } })],
    ['a found record without a name', wireResponse({ handle: undefined })],
    ['a found record with one bad value', wireResponse({ values: [wireValue(), wireValue({ type: 1 })] })],
    ['a name that is null', { responseCode: 100, handle: null }],
    ['a name that is a number', { responseCode: 100, handle: 10.5555 }],
    ['an absent handle without a name', { responseCode: 100 }],
    ['absent values without a name', { responseCode: 200, values: [] }],
    ['no response code', { handle: '10.5555/x', values: [] }],
    ['a response code of null', wireResponse({ responseCode: null })],
    ['a response code as text', wireResponse({ responseCode: '1' })],
    ['a fraction of a response code', wireResponse({ responseCode: 1.5 })],
    ['a response code of more than 32 bits', wireResponse({ responseCode: 4_294_967_297 })],
    ['an array', [wireResponse()]],
    ['null', null],
  ])('is rejected as a whole', (_, wire) => {
    expect(() => decodeAnswer(wire)).toThrow(MalformedRecordError);
  });
});

describe('the name in a response', () => {
  const requested = toHandleName('10.5555/aBc-é') ?? expect.unreachable();

  function isEcho(handle: string, name = requested): boolean {
    return echoes(decodeAnswer({ responseCode: 100, handle }), name);
  }

  test('is the requested name, with Basic Latin letters in any case', () => {
    expect(isEcho('10.5555/aBc-é')).toBe(true);
    expect(isEcho('10.5555/AbC-é')).toBe(true);
  });

  testTable(['10.5555/abc-É', '10.5555/abc-e\u0301', '10.5555/abc', '10.5555/abc-é/', ' 10.5555/abc-é', ''])(
    'is not another name',
    (handle) => {
      expect(isEcho(handle)).toBe(false);
    },
  );

  testTable([
    ['20.500.abc/Item', true],
    ['20.500.ABC/Item', true],
    ['20.500.abc/item', false],
  ])(
    'of a handle that is not a DOI name has the requested letter case, except in the prefix',
    (text, expected) => {
      expect(isEcho('20.500.abc/Item', toHandleName(text) ?? expect.unreachable())).toBe(expected);
    },
  );

  test('may be missing if the directory failed', () => {
    expect(echoes(decodeAnswer({ responseCode: 2 }), requested)).toBe(true);
  });
});

describe('a stored record', () => {
  test('has a handle and values', () => {
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
    ['one bad value', { handle: '10.5555/x', values: [wireValue({ index: null })] }],
    ['an array', [{ handle: '10.5555/x', values: [] }]],
    ['null', null],
  ])('is rejected', (_, wire) => {
    expect(() => decodeStoredRecord(wire)).toThrow(MalformedRecordError);
  });
});
