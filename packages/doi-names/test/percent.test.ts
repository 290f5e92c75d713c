// Percent triplets: made from tables, decoded once, and found again when they are at fault.

import { describe, expect, test } from 'vitest';
import { testTable } from '../../../test/support/test-table.ts';
import {
  encodedOffset,
  encoderOf,
  encoderOfAllBut,
  percentDecode,
  percentDecodeLeniently,
} from '../src/percent.ts';

const ASCII = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code));
const PRINTABLE = ASCII.filter((character) => /[ -~]/.test(character));

function encodedBy(encode: (text: string) => string): string {
  return PRINTABLE.filter((character) => encode(character) !== character).join('');
}

describe('an encoder', () => {
  test('encodes what its table says and no other printable character', () => {
    expect(encodedBy(encoderOf(''))).toBe('');
    expect(encodedBy(encoderOf('%"# ?'))).toBe(' "#%?');
    expect(encodedBy(encoderOf('^-]\\['))).toBe('-[\\]^');
    expect(encodedBy(encoderOf('a'))).toBe('a');
  });

  test('of all but keeps letters, digits and what its table says', () => {
    expect(encodedBy(encoderOfAllBut('-._~'))).toBe(' !"#$%&\'()*+,/:;<=>?@[\\]^`{|}');
    expect(encodedBy(encoderOfAllBut(' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'))).toBe('');
  });

  test('always encodes controls and all that is not ASCII', () => {
    for (const encode of [encoderOf(''), encoderOfAllBut(ASCII.join(''))]) {
      expect(encode('\u0000\u0009\u001f\u007f')).toBe('%00%09%1F%7F');
      expect(encode('\u0080é€😀\uffff')).toBe('%C2%80%C3%A9%E2%82%AC%F0%9F%98%80%EF%BF%BF');
    }
  });

  test('writes upper-case hexadecimal of each character in turn', () => {
    expect(encoderOf('/|')('//a|日\u007fb')).toBe('%2F%2Fa%7C%E6%97%A5%7Fb');
  });

  test('leaves a text that needs nothing as it is', () => {
    expect(encoderOf('%')('10.1000/182')).toBe('10.1000/182');
    expect(encoderOf('%')('')).toBe('');
  });
});

describe('decoding', () => {
  testTable([
    ['', ''],
    ['abc+/?#', 'abc+/?#'],
    ['%41%2f%2F%25', 'A//%'],
    ['%2541', '%41'],
    ['%C3%A9é%F0%9F%98%80😀', 'éé😀😀'],
    ['%EF%BB%BF%00', '\ufeff\u0000'],
    ['%EF%BF%BF%F4%8F%BF%BF', '\uffff\u{10ffff}'],
  ])('%j is %j', (encoded, text) => {
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
  ])('%j has a malformed triplet at %i', (encoded, offset) => {
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
  ])('%s is not UTF-8', (_, encoded, offset) => {
    expect(percentDecode(encoded)).toEqual({ ok: false, code: 'INVALID_UTF8', offset });
  });
});

describe('lenient decoding', () => {
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
  ])('%j is %j', (encoded, text) => {
    expect(percentDecodeLeniently(encoded)).toBe(text);
  });
});

describe('the way back from a decoded offset', () => {
  testTable([
    ['abc', 2, 2],
    ['%41bc', 0, 0],
    ['%41bc', 1, 3],
    ['%C3%A9x', 1, 6],
    ['%E2%82%ACx', 1, 9],
    ['%F0%9F%98%80x', 2, 12],
    ['😀x', 2, 2],
    ['é%41😀%F0%9F%98%80%25', 6, 18],
    ['%41', 1, 3],
  ])('in %j, %i was at %i', (encoded, decodedOffset, offset) => {
    expect(encodedOffset(encoded, decodedOffset)).toBe(offset);
  });
});
