import { describe, expect } from 'vitest';
import { testTable } from '../../../test/support/test-table.ts';
import { percentDecode, percentDecodeLeniently } from '../src/percent.ts';

describe('decoding', () => {
  testTable([
    ['', ''],
    ['abc+/?#', 'abc+/?#'],
    ['%41%2f%2F%25', 'A//%'],
    ['%2541', '%41'],
    ['%C3%A9é%F0%9F%98%80😀', 'éé😀😀'],
    ['%EF%BB%BF%00', '\ufeff\u0000'],
    ['%EF%BF%BF%F4%8F%BF%BF', '\uffff\u{10ffff}'],
  ])('decodes each triplet once', (encoded, text) => {
    expect(percentDecode(encoded)).toEqual({ ok: true, text });
  });

  testTable([
    ['%', 0],
    ['a%', 1],
    ['%4', 0],
    ['%41%4g', 3],
    ['%%41', 0],
    ['%25%', 3],
    ['% 41', 0],
    ['😀%x', 2],
    ['%+1', 0],
    ['%４１', 0],
  ])('reports the offset of a malformed triplet', (encoded, offset) => {
    expect(percentDecode(encoded)).toEqual({ ok: false, code: 'INVALID_PERCENT_ENCODING', offset });
  });

  testTable([
    ['stray continuation', 'a%80', 1],
    ['stray continuation after a character', '%C3%A9%A9', 6],
    ['lead byte at the end', '%C3', 0],
    ['lead byte before ASCII', '%C3a', 0],
    ['lead byte before an ASCII triplet', '%41%C3%41', 3],
    ['lead byte before a lead byte', '%C3%C3%A9', 0],
    ['three bytes cut short', '%E2%82', 0],
    ['four bytes cut short', 'é%F0%9F%98', 1],
    ['overlong, two bytes', '%C0%AF', 0],
    ['overlong, three bytes', '%E0%80%AF', 0],
    ['overlong, four bytes', '%F0%80%80%AF', 0],
    ['surrogate', '%ED%A0%80', 0],
    ['surrogate pair (CESU-8)', '%ED%A0%BD%ED%B8%80', 0],
    ['beyond U+10FFFF', '%F4%90%80%80', 0],
    ['five bytes', '%F8%88%80%80%80', 0],
    ['FE and FF', '%41%FE%FF', 3],
    ['raw continuation', '%E2\u0082\u00ac', 0],
    ['after well-formed ones', '%C3%A9%E2%82%AC%F0%9F%98%80%F0', 27],
  ])('reports the offset of bytes that are not UTF-8', (_, encoded, offset) => {
    expect(percentDecode(encoded)).toEqual({ ok: false, code: 'INVALID_UTF8', offset });
  });
});

testTable([
  ['', ''],
  ['a+b', 'a+b'],
  ['%3Fa%3Db', '?a=b'],
  ['100%', '100%'],
  ['%zz%41%4', '%zzA%4'],
  ['%%41', '%A'],
  ['%2541', '%41'],
  ['%FF', '%FF'],
  ['%C3é%C3%A9', '%C3éé'],
])('lenient decoding keeps triplets that it cannot decode', (encoded, text) => {
  expect(percentDecodeLeniently(encoded)).toBe(text);
});
