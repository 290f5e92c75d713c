// The data of a value, read by its format; the type of the value does not determine the format.

import { describe, expect, test } from 'vitest';
import { dataText } from '../../src/handle/data.ts';
import { MalformedRecordError } from '../../src/handle/json.ts';
import { testTable } from '../support/test-table.ts';
import { dataOf, decodedValue } from './wire.ts';

describe('string data', () => {
  testTable(['', 'https://example.org/', 'é e\u0301 😀 \u2028\u0000', ' 00700050 '])('keeps %j', (text) => {
    expect(dataOf('string', text)).toEqual({ kind: 'string', format: 'string', value: text });
  });

  test('keeps digits too long for a number as they are', () => {
    const digits = '20250301072345000999';
    expect(decodedValue({ type: '700050', data: { format: 'string', value: digits } }).data).toMatchObject({
      value: digits,
    });
  });

  testTable([[5], [null], [undefined], [true], [['a']], [{ value: 'a' }]])('is not %j', (value) => {
    expect(() => dataOf('string', value)).toThrow(MalformedRecordError);
  });
});

describe('binary data', () => {
  testTable([
    ['', ''],
    ['AAEC//4=', '000102fffe'],
    ['AAEC//4', '000102fffe'],
    ['AQ==', '01'],
    ['AAEC\r\n //4=\n', '000102fffe'],
    ['+/+/', 'fbffbf'],
  ])('is the bytes of the base64 %j', (value, hex) => {
    expect(dataOf('base64', value)).toEqual({
      kind: 'binary',
      format: 'base64',
      bytes: Buffer.from(hex, 'hex'),
    });
  });

  testTable([
    ['A'],
    ['AAAAA'],
    ['A==='],
    ['====='],
    ['AA=A'],
    ['-_-_'],
    ['AA*='],
    ['é'],
    [5],
    [null],
    [undefined],
  ])('is not what the base64 %j would be', (value) => {
    expect(() => dataOf('base64', value)).toThrow(MalformedRecordError);
  });

  testTable([
    ['', ''],
    ['00ff', '00ff'],
    ['CAFEbabe', 'cafebabe'],
  ])('is the bytes of the hexadecimal %j', (value, hex) => {
    expect(dataOf('hex', value)).toEqual({ kind: 'binary', format: 'hex', bytes: Buffer.from(hex, 'hex') });
  });

  testTable([['0'], ['0g'], ['0x00'], ['00 ff'], ['００'], [0], [null], [undefined]])(
    'is not what the hexadecimal %j would be',
    (value) => {
      expect(() => dataOf('hex', value)).toThrow(MalformedRecordError);
    },
  );
});

describe('admin data', () => {
  const admin = { handle: '0.NA/10.5555', index: 200, permissions: '011111110010' };

  test('names an administrator and what it may do', () => {
    expect(dataOf('admin', admin)).toEqual({
      kind: 'admin',
      format: 'admin',
      ...admin,
      legacyByteLength: false,
    });
  });

  test('says when its length is in the old encoding', () => {
    expect(dataOf('admin', { ...admin, legacyByteLength: true })).toMatchObject({ legacyByteLength: true });
    expect(dataOf('admin', { ...admin, legacyByteLength: false })).toMatchObject({ legacyByteLength: false });
  });

  test('keeps a mask that is shorter or longer than twelve bits', () => {
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
    ['an array in place of an object', [admin]],
    ['null in place of an object', null],
    ['nothing in place of an object', undefined],
  ])('is not %s', (_, value) => {
    expect(() => dataOf('admin', value)).toThrow(MalformedRecordError);
  });
});

describe('value list data', () => {
  test('is references in their order', () => {
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
    ['nothing', undefined],
  ])('is not %s', (_, value) => {
    expect(() => dataOf('vlist', value)).toThrow(MalformedRecordError);
  });
});

describe('data whose structure is its own', () => {
  const structure = { version: 1, servers: [{ address: '192.0.2.1' }], attributes: null };

  testTable([
    ['site', 'site'],
    ['key', 'key'],
  ])('%s data keeps it', (format, member) => {
    expect(dataOf(format, structure)).toEqual({ kind: format, format, [member]: structure });
  });

  testTable([
    ['newfangled', structure],
    ['newfangled', 'text'],
    ['newfangled', 5.5],
    ['newfangled', null],
    ['', [1, [2]]],
    ['STRING', 'text'],
    ['constructor', 'text'],
    ['toString', 'text'],
  ])('the unknown format %j is kept as it came', (format, value) => {
    expect(dataOf(format, value)).toEqual({ kind: 'other', format, value });
  });
});

describe('a format is believed, whatever the type says', () => {
  testTable([
    ['HS_ADMIN', { format: 'base64', value: 'AQ==' }, 'binary'],
    ['HS_ADMIN', { format: 'string', value: 'not binary' }, 'string'],
    ['HS_VLIST', { format: 'base64', value: 'AQI=' }, 'binary'],
    ['HS_SITE', { format: 'base64', value: '' }, 'binary'],
    ['HS_PUBKEY', { format: 'hex', value: 'ff' }, 'binary'],
    ['URL', { format: 'base64', value: 'aHR0cDovL3gvx+A=' }, 'binary'],
    ['URL', { format: 'vlist', value: [] }, 'vlist'],
    ['DESC', { format: 'admin', value: { handle: '0.NA/1', index: 1, permissions: '1' } }, 'admin'],
    ['#HS_SITE#rackspace', { format: 'site', value: {} }, 'site'],
  ])('%s may hold %j', (type, data, kind) => {
    expect(decodedValue({ type, data })).toMatchObject({ type, data: { kind, format: data.format } });
  });
});

describe('the text of data', () => {
  test('is that of a string, and of bytes that are UTF-8', () => {
    expect(dataText(dataOf('string', 'é'))).toBe('é');
    expect(dataText(dataOf('base64', Buffer.from('https://例え.jp/').toString('base64')))).toBe(
      'https://例え.jp/',
    );
    expect(dataText(dataOf('hex', 'efbbbf61'))).toBe('\ufeffa');
    expect(dataText(dataOf('hex', ''))).toBe('');
  });

  test('is null for other bytes and all other data', () => {
    expect(dataText(dataOf('base64', 'aHR0cDovL3gvx+A='))).toBeNull();
    expect(dataText(dataOf('hex', 'eda080'))).toBeNull();
    expect(dataText(dataOf('site', {}))).toBeNull();
    expect(dataText(dataOf('newfangled', 'text'))).toBeNull();
  });
});
