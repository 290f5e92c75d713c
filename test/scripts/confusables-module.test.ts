// The compiled look-alike data is the data of Unicode's file.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decodeConfusables, readConfusables } from '../../packages/doi-names/src/skeleton.ts';
import {
  confusablesModule,
  encodeConfusables,
  parseConfusables,
} from '../../scripts/unicode/confusables-module.ts';

const file = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const HEAD = '# Version: 17.0.0\n';

describe('the compiled module', () => {
  test('is the output of `npm run unicode`, and small', () => {
    const module = file('packages/doi-names/src/confusables-data.ts');
    expect(module).toBe(confusablesModule(file('scripts/unicode/confusables.txt')));
    expect(Buffer.byteLength(module)).toBeLessThan(60_000);
    expect(module).toContain('Unicode 17.0.0');
    expect(module).toContain('data/unicode-license.txt');
  });

  test('has each mapping of the file, and no other', () => {
    const { prototypes } = parseConfusables(file('scripts/unicode/confusables.txt'));
    const { ascii, others } = readConfusables();
    const held = new Map([...ascii.entries(), ...others].filter(([, prototype]) => prototype !== undefined));
    expect(prototypes.size).toBe(6_565);
    expect(held).toEqual(prototypes);
  });
});

describe('Unicode’s file', () => {
  test('is read line by line, without comments and empty lines', () => {
    const text = `\uFEFF# confusables.txt\n${HEAD}\n0430 ;\t0061 ;\tMA\t# ( а → a )\n\n1F600 ;\t0041 0301 ;\tMA # x\n`;
    expect(parseConfusables(text)).toEqual({
      version: '17.0.0',
      prototypes: new Map([
        [0x430, 'a'],
        [0x1f600, 'A\u0301'],
      ]),
    });
  });

  test.each([
    ['another kind of mapping', `${HEAD}0430 ; 0061 ; SL`, 'Not a mapping: 0430 ; 0061 ; SL'],
    ['a truncated line', `${HEAD}0430 ; 0061`, 'Not a mapping'],
    ['an invalid code point', `${HEAD}43G0 ; 0061 ; MA`, 'Not a code point: 43G0'],
    ['no version', '0430 ; 0061 ; MA', 'does not say which version'],
  ])('with %s is refused', (_, text, message) => {
    expect(() => parseConfusables(text)).toThrow(message);
  });

  test('is unchanged after encoding and decoding', () => {
    const confusables = parseConfusables(
      `${HEAD}0031 ; 006C ; MA\n0430 ; 0061 ; MA\n0251 ; 0061 ; MA\n10FFFF ; 1F600 0301 ; MA\n`,
    );
    const { ascii, others } = decodeConfusables(encodeConfusables(confusables));
    expect(ascii[0x31]).toBe('l');
    expect(others).toEqual(
      new Map([
        [0x251, 'a'],
        [0x430, 'a'],
        [0x10ffff, '\u{1F600}\u0301'],
      ]),
    );
  });
});
