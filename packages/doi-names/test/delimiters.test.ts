// Brackets, quotation marks and invisible characters around an input do not belong to the name.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { doiName, doiNames, READABLE_ENCODINGS } from '../../../test/support/doi-names.ts';
import { testTable } from '../../../test/support/test-table.ts';
import { parseDoi } from '../src/parse.ts';

const PAIRS = ['<>', '()', '[]', '{}', '""', "''", '“”', '‘’', '«»'];
const FORMS = Object.entries(READABLE_ENCODINGS);

const nameIn = (input: string) => parseDoi(input).name;

function enclosed(text: string, [opener = '', closer = '']: string): string {
  return opener + text + closer;
}

/** Another algorithm than the parser's: removes pairs until no pair is left. */
function isBalanced(text: string, [opener = '', closer = '']: string): boolean {
  if (opener === closer) return !text.includes(opener);
  let rest = [...text].filter((character) => character === opener || character === closer).join('');
  while (rest.includes(opener + closer)) rest = rest.replaceAll(opener + closer, '');
  return rest === '';
}

describe.each(PAIRS)('the pair %s', (pair) => {
  test('around any form is removed', () => {
    const written = FORMS.map(([, { encode }]) => encode(doiName('10.1000/1')));
    const labelled = ['DOI 10.1000/1', 'doi: doi:10.1000/1', 'doi.org.example.edu//10.1000/1', ' 10.1000/1 '];
    for (const input of [...written, ...labelled])
      expect(nameIn(`\t\u200b${enclosed(input, pair)}\u00ad\n`), input).toBe('10.1000/1');
  });

  test('around another text, or around a part of the input, makes no DOI name', () => {
    const [opener = '', closer = ''] = pair;
    const one = enclosed('10.1000/1', pair);
    for (const input of [
      ...['hello', '', '11.1000/1', 'x10.1000/1', '\u200b10.1000/1'].map((text) => enclosed(text, pair)),
      ...[enclosed(one, pair), `${one}, ${one}`, `${one}.`, `${opener}10.1000/1`, opener],
      enclosed(`10.1000/a${closer}b${opener}`, pair),
    ])
      expect(nameIn(input), input).toBeNull();
  });

  test('in a name stays, even if another pair is around the name', () => {
    const name = `10.1000/a${enclosed('b', pair)}`;
    expect(nameIn(name)).toBe(name);
    expect(nameIn(`10.1000/1${pair[1]}`)).toBe(`10.1000/1${pair[1]}`);
    expect(nameIn(enclosed(name, pair === '<>' ? '()' : '<>'))).toBe(name);
  });

  test('is removed from any written name with balanced delimiters', () => {
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

testTable(['(<10.1000/1>)', '["10.1000/1"]', '“(10.1000/1)”', '(10.1000/1>'])(
  'brackets of two kinds are not removed together',
  (input) => {
    expect(nameIn(input)).toBeNull();
  },
);

describe('an invisible character', () => {
  const INVISIBLE = ['\u00ad', ...'\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff'];

  testTable(INVISIBLE)('at an end of an input is removed, even among white space', (invisible) => {
    expect(nameIn(`${invisible} ${invisible}10.1000/1 ${invisible}\n`)).toBe('10.1000/1');
    expect(parseDoi(`${invisible}10.1000/%`).problem?.position).toBe(9);
    expect(parseDoi(invisible).problem?.code).toBe('EMPTY');
  });

  testTable(INVISIBLE.filter((each) => each !== '\ufeff'))('inside an input is a problem', (invisible) => {
    for (const input of [`10.1000/a${invisible}b`, `doi:${invisible}10.1000/a`, `(10.1000/a${invisible})`]) {
      const expected = { code: 'NON_GRAPHIC_CHARACTER', position: input.indexOf(invisible) };
      expect(parseDoi(input).problem, input).toMatchObject(expected);
    }
  });

  testTable(['\u034f', '\u2065', '\u202a', '\u2069', '\u206a', '\u0007', '\ue000'])(
    'is removed, but other control, private and directional characters are not removed',
    (character) => {
      expect(nameIn(`10.1000/1${character}`)).not.toBe('10.1000/1');
    },
  );
});
