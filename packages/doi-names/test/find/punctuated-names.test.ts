// Some registered names end in punctuation. So punctuation after a name can be part of the name: another reading.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testTable } from '../../../../test/support/test-table.ts';
import { findDois } from '../../src/find/find-dois.ts';
import { punctuatedNames } from '../../src/find/punctuated-names.ts';

const endsIn = (text: string) =>
  findDois(text).map((match) => punctuatedNames(text, match).map((name) => name.slice(match.name.length)));

/** Each field begins directly before the name. */
const FIELDS: readonly (readonly [before: string, after: string])[] = [
  ['doi = {', '},'],
  ['doi = "', '",'],
  ['doi = {https://doi.org/', '}\n'],
  ['<doi>', '</doi>'],
  ['<a href="https://doi.org/', '">x</a>'],
  ['{"DOI":"', '","title":"x"}'],
  ['"', '","Title"\n'],
  ['\\doi{', '}'],
  ['`', '`'],
];

test('punctuation before the end of a field can be part of the name', () => {
  for (const [before, after] of FIELDS) {
    for (const punctuation of ['.', '..', '...', ';', ',', ':', ')', ']'])
      expect([before, endsIn(`${before}10.1000/mol${punctuation}${after}`)[0]]).toEqual([
        before,
        [punctuation],
      ]);
    expect(endsIn(`${before}10.1000/mol${after}`)[0]).toEqual([]);
  }
});

testTable([
  ['10.1136/gut.0500138..', ['..', '.']],
  ['see 10.1124/mol... and', ['...', '..', '.']],
  ['10.1124/mol....... and', ['......', '.....', '....']],
  ['DO  - 10.1124/mol)\r\nER  - ', [')']],
  ['DO  - 10.1124/mol;', [';']],
  ['10.1124/mol...,Title,2001', ['...', '..', '.']],
  ['"Title";10.1124/mol);2001', [')']],
  ['<doi>10.1000/mol&gt;</doi>', ['>']],
  ['<doi>10.1000/mol></doi>', ['>']],
  ['doi = {10.1000/mol{\\textgreater}}', ['>']],
  ['(doi:10.1000/mol..)', ['..']],
  ['https://doi.org/10.1000/mol%3E', ['>']],
  ['10.1000/mol.pdf is no name', []],
] as const)('a name may end in the punctuation behind it', (text, ends) => {
  expect(endsIn(text)).toEqual([ends]);
});

test('a name has at most three such readings', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (after) => {
      for (const ends of endsIn(`10.1000/182${after}`)) expect(ends.length).toBeLessThanOrEqual(3);
    }),
  );
});
