// The characters of a name, and the warnings about them.

import { describe, expect, test } from 'vitest';
import { createFakeGateway, NO_CALLS } from './fake-gateway.ts';

const CYRILLIC_A = '\u0430';

describe('characters', () => {
  test('of a name are listed in order, without a look-up', async () => {
    const { query, calls } = await createFakeGateway();
    const { data } = await query<{ doi: { characters: readonly unknown[] } }>(
      'query ($name: String!) { doi(input: $name) { characters { codePoint character utf8Hex name scripts category imitates } } }',
      { name: `10.1/${CYRILLIC_A}` },
    );
    expect(data.doi.characters).toHaveLength(6);
    expect(data.doi.characters[0]).toEqual({
      codePoint: 'U+0031',
      character: '1',
      utf8Hex: '31',
      name: 'DIGIT ONE',
      scripts: ['Common'],
      category: 'Nd',
      imitates: null,
    });
    expect(data.doi.characters[5]).toEqual({
      codePoint: 'U+0430',
      character: CYRILLIC_A,
      utf8Hex: 'D0 B0',
      name: 'CYRILLIC SMALL LETTER A',
      scripts: ['Cyrillic'],
      category: 'Ll',
      imitates: 'a',
    });
    expect(calls).toEqual(NO_CALLS);
  });

  test.each([
    [' ', 'SPACE'],
    ['~', 'TILDE'],
    ['\u00a0', 'NO-BREAK SPACE'],
    ['\u3400', 'CJK UNIFIED IDEOGRAPH-3400'],
    ['\u65e5', 'CJK UNIFIED IDEOGRAPH-65E5'],
    ['\ufa0e', 'CJK COMPATIBILITY IDEOGRAPH-FA0E'],
    ['\u{2F81A}', 'CJK COMPATIBILITY IDEOGRAPH-2F81A'],
    ['\u{17000}', 'TANGUT IDEOGRAPH-17000'],
    ['\uac00', 'HANGUL SYLLABLE GA'],
    ['\ud55c', 'HANGUL SYLLABLE HAN'],
    ['\uc78a', 'HANGUL SYLLABLE IJ'],
    ['\ud7a3', 'HANGUL SYLLABLE HIH'],
    ['\u{1F600}', 'GRINNING FACE'],
    ['\u{E01EF}', 'VARIATION SELECTOR-256'],
  ])('have the Unicode name: %j is %s', async (character, name) => {
    const { query } = await createFakeGateway();
    const { data } = await query<{ doi: { characters: readonly { name: string }[] } }>(
      'query ($name: String!) { doi(input: $name, form: NAME) { characters { name } } }',
      { name: `10.1/${character}` },
    );
    expect(data.doi.characters.at(-1)).toEqual({ name });
  });

  test('have a price that grows with the name, and the gateway checks it before it starts', async () => {
    const { query } = await createFakeGateway();
    const resultOf = (length: number) =>
      query(
        'query ($name: String!) { doi(input: $name) { characters { codePoint name scripts category imitates } } }',
        { name: `10.1/${'x'.repeat(length - 5)}` },
      );
    expect((await resultOf(2_000)).errors).toBeUndefined();
    const { data, errors } = await resultOf(60_000);
    expect(errors).toMatchObject([
      { message: expect.stringMatching(/^The operation costs/), extensions: { code: 'LIMIT_EXCEEDED' } },
    ]);
    expect(data).toBeUndefined();
  });
});

describe('asciiLookalike', () => {
  test.each([
    [`10.1000/p${CYRILLIC_A}ypal`, '10.1000/paypal'],
    ['10.1000/182', null],
  ])('of %j is %j', async (name, ascii) => {
    const { query } = await createFakeGateway();
    const { data } = await query(
      'query ($name: String!) { doi(input: $name, form: NAME) { asciiLookalike } }',
      {
        name,
      },
    );
    expect(data).toEqual({ doi: { asciiLookalike: ascii } });
  });
});

test('a warning about a character names the character and its position', async () => {
  const { query } = await createFakeGateway();
  const { data } = await query<{ doi: { warnings: readonly { message: string }[] } }>(
    'query ($name: String!) { doi(input: $name) { warnings { code position message } } }',
    { name: `10.1000/p${CYRILLIC_A}y` },
  );
  expect(data.doi.warnings).toMatchObject([
    {
      code: 'CONFUSABLE_CHARACTERS',
      position: 9,
      message: expect.stringContaining('U+0430 CYRILLIC SMALL LETTER A at offset 9, which looks like "a"'),
    },
    { code: 'MIXED_SCRIPTS', position: 8 },
  ]);
});
