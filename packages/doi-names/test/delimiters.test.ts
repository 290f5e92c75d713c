// What stands around an input and is no part of it.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { doiName, doiNames, READABLE_ENCODINGS } from '../../../test/support/doi-names.ts';
import { testTable } from '../../../test/support/test-table.ts';
import { parseDoi } from '../src/parse.ts';

const PAIRS = ['<>', '()', '[]', '{}', '""', "''", '“”', '‘’', '«»'];
const FORMS = Object.entries(READABLE_ENCODINGS);

function nameIn(input: string): string | null {
  return parseDoi(input).name;
}

function enclosed(text: string, [opener = '', closer = '']: string): string {
  return opener + text + closer;
}

/** Counted in another way than the reader does: pairs are taken out until there are none. */
function isBalanced(text: string, [opener = '', closer = '']: string): boolean {
  if (opener === closer) return !text.includes(opener);
  let rest = [...text].filter((character) => character === opener || character === closer).join('');
  while (rest.includes(opener + closer)) rest = rest.replaceAll(opener + closer, '');
  return rest === '';
}

describe.each(PAIRS)('a pair of %s', (pair) => {
  test('around any form is no part of the name', () => {
    for (const [form, { encode }] of FORMS) {
      expect(nameIn(enclosed(encode(doiName('10.1000/456#789')), pair)), form).toBe('10.1000/456#789');
    }
    for (const input of [
      'DOI 10.1000/1',
      'doi: doi:10.1000/1',
      'doi.org.example.edu//10.1000/1',
      ' 10.1000/1 ',
    ]) {
      expect(nameIn(`\t\u200b${enclosed(input, pair)}\u00ad\n`), input).toBe('10.1000/1');
    }
  });

  test('stays where it does not enclose the whole, or encloses no form', () => {
    for (const text of ['hello', '', '11.1000/1', 'x10.1000/1', '\u200b10.1000/1']) {
      expect(nameIn(enclosed(text, pair)), text).toBeNull();
    }
    expect(nameIn(enclosed(enclosed('10.1000/1', pair), pair))).toBeNull();
    expect(nameIn(`${enclosed('10.1000/1', pair)}, ${enclosed('10.1000/2', pair)}`)).toBeNull();
    expect(nameIn(`${enclosed('10.1000/1', pair)}.`)).toBeNull();
    const [opener = '', closer = ''] = pair;
    expect(nameIn(`${opener}10.1000/1`)).toBeNull();
    expect(nameIn(opener)).toBeNull();
    expect(nameIn(`10.1000/1${closer}`)).toBe(`10.1000/1${closer}`);
    expect(nameIn(enclosed(`10.1000/a${closer}b${opener}`, pair))).toBeNull();
  });

  test('of the name itself stays, and has to be balanced where another is around it', () => {
    const own = `10.1000/a${enclosed('b', pair)}`;
    expect(nameIn(own)).toBe(own);
    expect(nameIn(enclosed(own, pair))).toBe(isBalanced(own, pair) ? own : null);
    expect(nameIn(enclosed(own, pair === '<>' ? '()' : '<>'))).toBe(own);
  });

  test('and any name: it is read as what is inside, or not at all', () => {
    fc.assert(
      fc.property(doiNames(), fc.constantFrom(...FORMS), (name, [, { encode }]) => {
        const text = encode(name);
        fc.pre(text === text.trim());
        expect(nameIn(enclosed(text, pair))).toBe(isBalanced(text, pair) ? name : null);
      }),
      { numRuns: 300 },
    );
  });
});

test('brackets of several kinds are not dropped together', () => {
  for (const input of ['(<10.1000/1>)', '["10.1000/1"]', '“(10.1000/1)”', '(10.1000/1>']) {
    expect(nameIn(input), input).toBeNull();
  }
});

test('every real name is read in every form, in every pair', () => {
  const names = readFileSync(new URL('../../../test/fixtures/hard-dois.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  const unread = names.flatMap((name) =>
    PAIRS.flatMap((pair) =>
      FORMS.map(([, { encode }]) => encode(doiName(name)))
        .filter((text) => isBalanced(text, pair) && nameIn(enclosed(text, pair)) !== name)
        .map((text) => enclosed(text, pair)),
    ),
  );
  expect(unread).toEqual([]);
});

describe('invisible characters', () => {
  const INVISIBLE = ['\u00ad', ...'\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff'];

  testTable(INVISIBLE)('%j at an end is dropped, mixed with white space', (invisible) => {
    expect(nameIn(`${invisible} ${invisible}10.1000/1 ${invisible}\n`)).toBe('10.1000/1');
    expect(parseDoi(`${invisible}10.1000/%`).problem?.position).toBe(9);
    expect(parseDoi(invisible).problem?.code).toBe('EMPTY');
  });

  testTable(INVISIBLE.filter((each) => each !== '\ufeff'))(
    '%j inside stays, and the result reports it',
    (invisible) => {
      for (const input of [
        `10.1000/a${invisible}b`,
        `doi:${invisible}10.1000/a`,
        `(10.1000/a${invisible})`,
      ]) {
        const position = input.indexOf(invisible);
        expect(parseDoi(input).problem, input).toMatchObject({ code: 'NON_GRAPHIC_CHARACTER', position });
      }
    },
  );

  testTable(['\u034f', '\u2065', '\u202a', '\u2069', '\u206a', '\u0007', '\ue000'])(
    '%j is none of them',
    (character) => {
      expect(nameIn(`10.1000/1${character}`)?.length).not.toBe('10.1000/1'.length);
    },
  );

  test('are part of a NAME, which cannot hold them', () => {
    expect(parseDoi('10.1000/1\u200b', 'NAME').problem).toMatchObject({
      code: 'NON_GRAPHIC_CHARACTER',
      position: 9,
    });
    expect(parseDoi('(10.1000/1)', 'NAME').problem?.code).toBe('NOT_A_DOI');
  });
});
