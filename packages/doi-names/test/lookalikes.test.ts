// Characters that look like ASCII, and the warnings about words with such characters.

import { describe, expect, test } from 'vitest';
import { doiName } from '../../../test/support/doi-names.ts';
import { testTable } from '../../../test/support/test-table.ts';
import { lookalikes } from '../src/lookalikes.ts';
import { firstMixedWord, scriptsOfWord } from '../src/scripts.ts';
import { type DoiWarningCode, doiWarnings } from '../src/warnings.ts';

const CYRILLIC_A = '\u0430';

const warningOf = (name: string, code: DoiWarningCode) =>
  doiWarnings(doiName(name), lookalikes).find((warning) => warning.code === code);

testTable<[character: string, ascii: string | null]>([
  [CYRILLIC_A, 'a'],
  ['\u2014', '-'],
  ['\uff11', '1'],
  ['\u00bd', '1/2'],
  ['\ufb01', 'fi'],
  ['\u00a0', ' '],
  ['\u201c', '"'],
  ['\u2019', "'"],
  ['\u{1D7CE}', '0'],
  ['\u3164', ''],
  ['\ufe0f', ''],
  // Some ASCII characters look like each other. The imitated character has the same kind.
  ['\u0406', 'I'],
  ['\u05d5', 'l'],
  ['\u0661', '1'],
  ['\u2223', '|'],
  ['\u041e', 'O'],
  ['\u07c0', '0'],
  ...['a', '0', '-', '\u00c1', '\u65e5', '\u0436', '\u0301', '\u{1F600}'].map((other): [string, null] => [
    other,
    null,
  ]),
])('a character imitates ASCII characters, or imitates no character', (character, ascii) => {
  expect(lookalikes.imitatedAscii(character)).toBe(ascii);
});

describe('a name with a CONFUSABLE_CHARACTERS warning', () => {
  testTable([
    ['among ASCII letters', `10.1000/p${CYRILLIC_A}ypal`, 9, '10.1000/paypal'],
    ['in all letters of a word', '10.1000/ab-\u0441\u043e\u0440', 11, '10.1000/ab-cop'],
    ['wide letters', '10.1000/\uff21\uff22', 8, '10.1000/AB'],
    ['a wide digit', '10.1000/1\uff123', 9, '10.1000/123'],
    ['beyond the first plane', '10.1000/\u{1F600} \u{1D41A}b', 11, '10.1000/\u{1F600} ab'],
    ['invisible', '10.1000/a\ufe0fb', 9, '10.1000/ab'],
    [
      'in the second word',
      `10.1000/\u0436\u0430\u0431\u0430.x${CYRILLIC_A}`,
      14,
      '10.1000/\u0436\u0430\u0431\u0430.xa',
    ],
    ['with a dash elsewhere', `10.1000/a\u2013${CYRILLIC_A}`, 10, '10.1000/a-a'],
  ])('has the position of the first imitation and the name in ASCII', (_, name, position, ascii) => {
    expect(lookalikes.firstImitation(name)).toBe(position);
    expect(lookalikes.withoutImitations(name)).toBe(ascii);
    expect(warningOf(name, 'CONFUSABLE_CHARACTERS')?.position).toBe(position);
  });

  test('has a message with the position, the character and the imitated ASCII', () => {
    const message = (name: string) => warningOf(name, 'CONFUSABLE_CHARACTERS')?.message;
    expect(message(`10.1000/p${CYRILLIC_A}ypal`)).toMatch(/U\+0430 at offset 9, which looks like "a"/);
    expect(message('10.1000/a\ufe0fb')).toMatch(/U\+FE0F at offset 9, which is invisible/);
  });
});

describe('a name without a CONFUSABLE_CHARACTERS warning', () => {
  testTable([
    ['ASCII that looks like other ASCII', '10.1000/I1l0O-rn'],
    ['letters that imitate no ASCII', '10.1000/\u00c1\u00e9'],
    ['a word of another script', '10.1000/\u0436\u0443\u0440\u043d\u0430\u043b-2020'],
    ['Chinese, Japanese, Korean', '10.1000/\u65e5\u672c\u8a9e\u30c7\u30fc\u30bf\ud55c\uad6d'],
    ['a variant of an ideograph', '10.1000/\u845b\u{E0100}'],
    ['only marks', '10.1000/-\ufe0f\u0301'],
    ['a dash between words', '10.1000/a\u2013b'],
  ])('has no imitation in a word', (_, name) => {
    expect(lookalikes.firstImitation(name)).toBe(-1);
    expect(warningOf(name, 'CONFUSABLE_CHARACTERS')).toBeUndefined();
  });
});

testTable<[name: string, ascii: string | null]>([
  ['10.1000/182', null],
  ['10.1000/\u00c1\u65e5', null],
  ['10.1000/\u0436\u0443\u0440\u043d\u0430\u043b', null],
  ['10.1000/a\u2013b\u2019\u00a0c', "10.1000/a-b' c"],
  [`10.1000/${CYRILLIC_A}b\u00c1\u2013\u65e5`, '10.1000/ab\u00c1-\u65e5'],
])('the repair of a name replaces only characters that imitate ASCII', (name, ascii) => {
  expect(lookalikes.withoutImitations(name)).toBe(ascii);
});

describe('a MIXED_SCRIPTS warning', () => {
  testTable([
    ['Latin and Cyrillic', `10.1000/x-p${CYRILLIC_A}ypal`, 10],
    ['Latin and Greek', '10.1000/\u03b2Gal', 8],
    ['Cyrillic and Greek', '10.1000/a.\u0436\u03b2', 10],
    ['Japanese and Cyrillic', '10.1000/\u65e5\u0436', 8],
    ['Korean and Japanese', '10.1000/\ud55c\u30c7', 8],
    ['Hebrew and Arabic', '10.1000/\u05d0\u0628', 8],
  ])('has the position of the first word in several scripts', (_, name, position) => {
    expect(firstMixedWord(name)).toBe(position);
    expect(warningOf(name, 'MIXED_SCRIPTS')?.position).toBe(position);
  });

  testTable([
    ['ASCII', '10.1000/182abc'],
    ['one script', '10.1000/\u0436\u0443\u0440\u043d\u0430\u043b2020'],
    ['one script and marks of all', '10.1000/\u0436\u0301'],
    ['Latin with Japanese', '10.1000/\u65e5\u3042\u30c7\u30fcabc'],
    ['Latin with Chinese', '10.1000/\u5b57\u3105abc'],
    ['Latin with Korean', '10.1000/\ud55c\u5b57abc'],
    ['several scripts, each in its own word', '10.1000/\u0436-\u03b2_abc'],
    ['signs of all scripts', '10.1000/\u00b5m\u2082'],
    ['digits that several scripts share', '10.1000/\u0966\u0915'],
  ])('does not come for a word in one script, or in scripts that are usual together', (_, name) => {
    expect(firstMixedWord(name)).toBe(-1);
  });

  test('has a message with the word and its scripts', () => {
    const message = warningOf('10.1000/\u03b2Gal', 'MIXED_SCRIPTS')?.message;
    expect(message).toContain('"\u03b2Gal"');
    expect(message).toContain('Greek, Latin');
  });

  test('of a long word names the script of its beginning, and the next script in the word', () => {
    expect(scriptsOfWord(`${'\u65e5'.repeat(300)}\u0436`)).toEqual(['Han', 'Cyrillic']);
    expect(scriptsOfWord(`${'a'.repeat(300)}\u03b2\u0436\u05d0`)).toEqual(['Latin', 'Greek']);
    expect(scriptsOfWord(`\u05d0${'a'.repeat(300)}`)).toEqual(['Hebrew', 'Latin']);
  });
});
