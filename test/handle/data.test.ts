// The format of a value decides how its data is read. The type does not matter.

import { describe, expect, test } from 'vitest';
import { dataText } from '../../src/handle/data.ts';
import { MalformedRecordError } from '../../src/handle/json.ts';
import { testTable } from '../support/test-table.ts';
import { dataOf, decodedValue } from './wire.ts';

describe('string data', () => {
  testTable(['', 'https://example.org/', 'é e\u0301 😀 \u2028\u0000', ' 00700050 ', '20250301072345000999'])(
    'keeps every text',
    (text) => {
      expect(dataOf('string', text)).toEqual({ kind: 'string', format: 'string', value: text });
    },
  );

  testTable([[5], [null], [undefined], [true], [['a']], [{ value: 'a' }]])('is only text', (value) => {
    expect(() => dataOf('string', value)).toThrow(MalformedRecordError);
  });
});

describe('binary data', () => {
  testTable([
    ['base64', '', ''],
    ['base64', 'AAEC//4=', '000102fffe'],
    ['base64', 'AAEC//4', '000102fffe'],
    ['base64', 'AAEC\r\n //4=\n', '000102fffe'],
    ['base64', '+/+/', 'fbffbf'],
    ['hex', '', ''],
    ['hex', 'CAFEbabe', 'cafebabe'],
  ])('is read from base64 and hexadecimal', (format, value, hex) => {
    expect(dataOf(format, value)).toEqual({ kind: 'binary', format, bytes: Buffer.from(hex, 'hex') });
  });

  testTable<[format: string, ...values: unknown[]]>([
    ['base64', 'A', 'AAAAA', 'A===', '=====', 'AA=A', '-_-_', 'AA*=', 'é', 5, null, undefined],
    ['hex', '0', '0g', '0x00', '00 ff', '００', 0, null, undefined],
  ])('is rejected in any other notation', (format, ...values) => {
    for (const value of values)
      expect(() => dataOf(format, value), String(value)).toThrow(MalformedRecordError);
  });
});

describe('admin data', () => {
  const admin = { handle: '0.NA/10.5555', index: 200, permissions: '011111110010' };

  test('has an administrator and its permissions', () => {
    expect(dataOf('admin', admin)).toEqual({
      kind: 'admin',
      format: 'admin',
      ...admin,
      legacyByteLength: false,
    });
  });

  test('says whether its length is in the old encoding', () => {
    expect(dataOf('admin', { ...admin, legacyByteLength: true })).toMatchObject({ legacyByteLength: true });
    expect(dataOf('admin', { ...admin, legacyByteLength: false })).toMatchObject({ legacyByteLength: false });
  });

  test('keeps a mask with fewer or more than twelve bits', () => {
    expect(dataOf('admin', { ...admin, permissions: '' })).toMatchObject({ permissions: '' });
    expect(dataOf('admin', { ...admin, permissions: '1010011111111111' })).toMatchObject({
      permissions: '1010011111111111',
    });
  });

  testTable([
    ['no handle', { ...admin, handle: undefined }],
    ['a handle that is a number', { ...admin, handle: 10 }],
    ['no index', { ...admin, index: undefined }],
    ['an index that is text', { ...admin, index: '200' }],
    ['no permissions', { ...admin, permissions: undefined }],
    ['permissions that are a number', { ...admin, permissions: 11 }],
    ['permissions that are not bits', { ...admin, permissions: '01111111001x' }],
    ['bytes in place of an object', 'AQ=='],
    ['null in place of an object', null],
  ])('is rejected without a valid member', (_, value) => {
    expect(() => dataOf('admin', value)).toThrow(MalformedRecordError);
  });
});

describe('value list data', () => {
  test('is a list of references in their order', () => {
    const references = [
      { handle: '200/1', index: 300 },
      { handle: '10.SERV/CROSSREF', index: 303 },
      { handle: '200/1', index: 300 },
    ];
    expect(dataOf('vlist', references)).toEqual({ kind: 'vlist', format: 'vlist', references });
    expect(dataOf('vlist', [])).toEqual({ kind: 'vlist', format: 'vlist', references: [] });
  });

  testTable([
    ['an object', { handle: '200/1', index: 300 }],
    ['a list of names', ['200/1']],
    ['a list with null', [null]],
    ['a reference without an index', [{ handle: '200/1' }]],
    ['a reference without a handle', [{ index: 300 }]],
    ['null', null],
  ])('is rejected without valid references', (_, value) => {
    expect(() => dataOf('vlist', value)).toThrow(MalformedRecordError);
  });
});

testTable<[format: string, value: unknown]>([
  ['site', { version: 1, servers: [{ address: '192.0.2.1' }], attributes: null }],
  ['key', { kty: 'RSA' }],
  ['newfangled', { version: 1 }],
  ['newfangled', 5.5],
  ['newfangled', null],
  ['', [1, [2]]],
  ['STRING', 'text'],
  ['constructor', 'text'],
])('the data of sites, keys and unknown formats stays unchanged', (format, value) => {
  const isKnown = format === 'site' || format === 'key';
  const expected = isKnown ? { kind: format, [format]: value } : { kind: 'other', value };
  expect(dataOf(format, value)).toEqual({ format, ...expected });
});

testTable([
  ['HS_ADMIN', { format: 'base64', value: 'AQ==' }, 'binary'],
  ['HS_VLIST', { format: 'string', value: 'not binary' }, 'string'],
  ['HS_SITE', { format: 'base64', value: '' }, 'binary'],
  ['URL', { format: 'vlist', value: [] }, 'vlist'],
  ['DESC', { format: 'admin', value: { handle: '0.NA/1', index: 1, permissions: '1' } }, 'admin'],
  ['#HS_SITE#rackspace', { format: 'site', value: {} }, 'site'],
])('a value of any type may have data of any format', (type, data, kind) => {
  expect(decodedValue({ type, data })).toMatchObject({ type, data: { kind, format: data.format } });
});

describe('the text of data', () => {
  test('is its string, or its bytes if they are UTF-8', () => {
    expect(dataText(dataOf('string', 'é'))).toBe('é');
    expect(dataText(dataOf('base64', Buffer.from('https://例え.jp/').toString('base64')))).toBe(
      'https://例え.jp/',
    );
    expect(dataText(dataOf('hex', 'efbbbf61'))).toBe('\ufeffa');
    expect(dataText(dataOf('hex', ''))).toBe('');
  });

  test('is null for other bytes and other data', () => {
    expect(dataText(dataOf('base64', 'aHR0cDovL3gvx+A='))).toBeNull();
    expect(dataText(dataOf('hex', 'eda080'))).toBeNull();
    expect(dataText(dataOf('site', {}))).toBeNull();
    expect(dataText(dataOf('newfangled', 'text'))).toBeNull();
  });
});
