// Characters that look like ASCII: which they are, and in which words they are told of.

import { describe, expect, test } from 'vitest';
import { doiName } from '../../../test/support/doi-names.ts';
import { testTable } from '../../../test/support/test-table.ts';
import { lookalikes } from '../src/lookalikes.ts';
import { firstMixedWord, scriptsOfWord } from '../src/scripts.ts';
import { doiWarnings } from '../src/warnings.ts';

const CYRILLIC_A = '\u0430';

describe('what a character imitates', () => {
  testTable([
    [CYRILLIC_A, 'a'],
    ['\u03bf', 'o'],
    ['\u2014', '-'],
    ['\u2212', '-'],
    ['\uff11', '1'],
    ['\u00b2', '2'],
    ['\u00bd', '1/2'],
    ['\ufb01', 'fi'],
    ['\u00a0', ' '],
    ['\u201c', '"'],
    ['\u2019', "'"],
    ['\u{1D7CE}', '0'],
    ['\u3164', ''],
    ['\ufe0f', ''],
  ])('every row', (character, ascii) => {
    expect(lookalikes.imitatedAscii(character)).toBe(ascii);
  });

  testTable([
    ['a capital letter', '\u0406', 'I'],
    ['a small letter', '\u05d5', 'l'],
    ['a digit', '\u0661', '1'],
    ['a symbol', '\u2223', '|'],
    ['a capital O', '\u041e', 'O'],
    ['a zero', '\u07c0', '0'],
  ])('of ASCII that looks alike itself, what is of its kind: %s', (_, character, ascii) => {
    expect(lookalikes.imitatedAscii(character)).toBe(ascii);
  });

  testTable(['a', '0', '-', '\u00c1', '\u65e5', '\u0436', '\u0301', '\u{1F600}'])(
    '%j: nothing in ASCII',
    (character) => {
      expect(lookalikes.imitatedAscii(character)).toBeNull();
    },
  );
});

describe('CONFUSABLE_CHARACTERS', () => {
  testTable([
    ['among ASCII letters', `10.1000/p${CYRILLIC_A}ypal`, 9, '10.1000/paypal'],
    ['all letters of a word', '10.1000/ab-\u0441\u043e\u0440', 11, '10.1000/ab-cop'],
    ['of a word of wide letters', '10.1000/\uff21\uff22', 8, '10.1000/AB'],
    ['a wide digit among digits', '10.1000/1\uff123', 9, '10.1000/123'],
    ['beyond the first plane', '10.1000/\u{1F600} \u{1D41A}b', 11, '10.1000/\u{1F600} ab'],
    ['what cannot be seen', '10.1000/a\ufe0fb', 9, '10.1000/ab'],
    [
      'in the second word',
      `10.1000/\u0436\u0430\u0431\u0430.x${CYRILLIC_A}`,
      14,
      '10.1000/\u0436\u0430\u0431\u0430.xa',
    ],
    ['with a dash elsewhere', `10.1000/a\u2013${CYRILLIC_A}`, 10, '10.1000/a-a'],
  ])('every row', (_, text, position, ascii) => {
    expect(lookalikes.firstImitation(text)).toBe(position);
    expect(lookalikes.withoutImitations(text)).toBe(ascii);
    expect(doiWarnings(doiName(text), lookalikes)).toContainEqual(
      expect.objectContaining({ code: 'CONFUSABLE_CHARACTERS', position }),
    );
  });

  testTable([
    ['ASCII, whatever it looks like', '10.1000/I1l0O-rn'],
    ['letters that are none in ASCII', '10.1000/\u00c1\u00e9'],
    ['a word of another script', '10.1000/\u0436\u0443\u0440\u043d\u0430\u043b-2020'],
    ['Chinese, Japanese, Korean', '10.1000/\u65e5\u672c\u8a9e\u30c7\u30fc\u30bf\ud55c\uad6d'],
    ['a variant of an ideograph', '10.1000/\u845b\u{E0100}'],
    ['nothing but marks', '10.1000/-\ufe0f\u0301'],
  ])('not: %s', (_, text) => {
    expect(lookalikes.firstImitation(text)).toBe(-1);
    expect(doiWarnings(doiName(text), lookalikes).map(({ code }) => code)).not.toContain(
      'CONFUSABLE_CHARACTERS',
    );
  });

  test('not for what stands outside of words, which is replaced all the same', () => {
    expect(lookalikes.firstImitation('10.1000/a\u2013b')).toBe(-1);
    expect(lookalikes.withoutImitations('10.1000/a\u2013b\u2019\u00a0c')).toBe("10.1000/a-b' c");
  });

  test('says where, which character, and what it imitates', () => {
    const message = (text: string) =>
      doiWarnings(doiName(text), lookalikes).find(({ code }) => code === 'CONFUSABLE_CHARACTERS')?.message;
    expect(message(`10.1000/p${CYRILLIC_A}ypal`)).toMatch(/U\+0430 at offset 9, which looks like "a"/);
    expect(message('10.1000/a\ufe0fb')).toMatch(/U\+FE0F at offset 9, which is invisible/);
  });
});

describe('the name in ASCII', () => {
  testTable([
    ['ASCII', '10.1000/182'],
    ['what looks like no ASCII', '10.1000/\u00c1\u65e5'],
    ['a word of another script', '10.1000/\u0436\u0443\u0440\u043d\u0430\u043b'],
  ])('there is none of %s', (_, text) => {
    expect(lookalikes.withoutImitations(text)).toBeNull();
  });

  test('keeps what looks like no ASCII', () => {
    expect(lookalikes.withoutImitations(`10.1000/${CYRILLIC_A}b\u00c1\u2013\u65e5`)).toBe(
      '10.1000/ab\u00c1-\u65e5',
    );
  });
});

describe('MIXED_SCRIPTS', () => {
  testTable([
    ['Latin and Cyrillic', `10.1000/x-p${CYRILLIC_A}ypal`, 10],
    ['Latin and Greek', '10.1000/\u03b2Gal', 8],
    ['Cyrillic and Greek', '10.1000/a.\u0436\u03b2', 10],
    ['Japanese and Cyrillic', '10.1000/\u65e5\u0436', 8],
    ['Korean and Japanese', '10.1000/\ud55c\u30c7', 8],
    ['Hebrew and Arabic', '10.1000/\u05d0\u0628', 8],
  ])('every row', (_, text, position) => {
    expect(firstMixedWord(text)).toBe(position);
    expect(doiWarnings(doiName(text), lookalikes)).toContainEqual(
      expect.objectContaining({ code: 'MIXED_SCRIPTS', position }),
    );
  });

  testTable([
    ['ASCII', '10.1000/182abc'],
    ['one script', '10.1000/\u0436\u0443\u0440\u043d\u0430\u043b2020'],
    ['one script and marks of all', '10.1000/\u0436\u0301'],
    ['Latin with Japanese', '10.1000/\u65e5\u3042\u30c7\u30fcabc'],
    ['Latin with Chinese', '10.1000/\u5b57\u3105abc'],
    ['Latin with Korean', '10.1000/\ud55c\u5b57abc'],
    ['several scripts, each in a word of its own', '10.1000/\u0436-\u03b2_abc'],
    ['signs of all scripts', '10.1000/\u00b5m\u2082'],
    ['digits that several scripts share', '10.1000/\u0966\u0915'],
  ])('not: %s', (_, text) => {
    expect(firstMixedWord(text)).toBe(-1);
  });

  test('says which word, and which scripts', () => {
    const warning = doiWarnings(doiName('10.1000/\u03b2Gal'), lookalikes).find(
      ({ code }) => code === 'MIXED_SCRIPTS',
    );
    expect(warning?.message).toContain('"\u03b2Gal"');
    expect(warning?.message).toContain('Greek, Latin');
  });

  test('of a long word looks at its beginning, and at the first character that does not belong to it', () => {
    expect(scriptsOfWord(`${'\u65e5'.repeat(300)}\u0436`)).toEqual(['Han', 'Cyrillic']);
    expect(scriptsOfWord(`${'a'.repeat(300)}\u03b2\u0436\u05d0`)).toEqual(['Latin', 'Greek']);
    expect(scriptsOfWord(`\u05d0${'a'.repeat(300)}`)).toEqual(['Hebrew', 'Latin']);
  });
});
