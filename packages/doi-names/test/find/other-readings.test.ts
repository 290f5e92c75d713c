// The finder reads more in a cell of a table than the parser.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { doiName } from '../../../../test/support/doi-names.ts';
import { testTable } from '../../../../test/support/test-table.ts';
import { meantBy, nameWarnings, otherReadings, probableNames } from '../../src/find/other-readings.ts';
import { lookalikes } from '../../src/lookalikes.ts';
import { parseDoi } from '../../src/parse.ts';
import { doiWarnings } from '../../src/warnings.ts';

/** The names that a client gets for a cell without a registered name. */
function probable(cell: string): string[] {
  const parsed = parseDoi(cell);
  return parsed.name === null
    ? meantBy(parsed).map(({ name }) => name)
    : probableNames(parsed.name, lookalikes);
}

describe('a prefix with a comma or another mark', () => {
  testTable([
    ['10,1016/j.cell.2020.01.001', 0],
    ['doi:10,1016/j.cell.2020.01.001', 0],
    ['https://doi.org/10,1016/j.cell.2020.01.001', 0],
    ['Smith (2020), 10,1016/j.cell.2020.01.001.', 14],
    ['10;1016/j.cell.2020.01.001', 0],
    ['10\u00B71016/j.cell.2020.01.001', 0],
    ['10\u30021016/j.cell.2020.01.001', 0],
  ] as const)('is read as a prefix with a full stop', (cell, start) => {
    const [match, ...others] = meantBy(parseDoi(cell));
    expect([match?.name, match?.start, match?.repaired, others]).toEqual([
      '10.1016/j.cell.2020.01.001',
      start,
      true,
      [],
    ]);
    expect(match?.text).toBe(cell.slice(match?.start, match?.end));
  });

  testTable(['1,10,1016/2', '10,5/x', '110,1016/x'])('is not read in a number', (cell) => {
    expect(probable(cell)).toEqual([]);
  });
});

describe('a cell without a registered name', () => {
  testTable([
    ['10.1016/j.cell.2020.01.001 [PubMed]', '10.1016/j.cell.2020.01.001'],
    ['10.1016/j.ce\nll.2020.01.001', '10.1016/j.cell.2020.01.001'],
    ['10.1016/j.cell. 2020. 01.001', '10.1016/j.cell.2020.01.001'],
    ['10.1007/978-3-319-04537-5{\\textbackslash}_3', '10.1007/978-3-319-04537-5_3'],
    ['10.1007/978-3-319-04537-5\\\\_3', '10.1007/978-3-319-04537-5_3'],
    ['10.1000/182↩︎', '10.1000/182'],
    ['10.1000/182{:target="_blank"}', '10.1000/182'],
    ['10.1016/j.</span><span>cell.2020.01.001', '10.1016/j.cell.2020.01.001'],
    ['10.1000/182&rft.genre=article', '10.1000/182'],
    ['https://urldefense.com/v3/__https://doi.org/10.1000/182__;!!a!b$', '10.1000/182'],
  ])('is read without the text around the name', (cell, name) => {
    expect(probable(cell)).toContain(name);
  });

  test('is read correctly in all public bug reports', () => {
    const file = new URL('../../../../test/fixtures/vectors/reported-text.json', import.meta.url);
    const cases: { text: string; names: string[] }[] = JSON.parse(readFileSync(file, 'utf8'));
    const wrong = cases.filter(({ text, names: [name = ''] }) => {
      const read = parseDoi(text).name;
      return read !== name && !probable(text).includes(name);
    });
    expect(wrong.map(({ text }) => text)).toEqual([]);
  });
});

test('the name that the finder reads becomes a repair of a warning, unless the name is a repair already', () => {
  const warningsOf = (name: string) => nameWarnings(doiName(name), lookalikes);
  expect(warningsOf('10.1000/182PMID: 31978345')).toMatchObject([
    { code: 'WHITE_SPACE', repaired: '10.1000/182' },
  ]);
  expect(warningsOf('10.1000/182[PubMed]')).toMatchObject([
    { code: 'MARKUP', position: 11, repaired: '10.1000/182' },
  ]);
  const name = doiName('10.1000/182/full');
  expect(nameWarnings(name, lookalikes)).toEqual(doiWarnings(name, lookalikes));
});

test('the finder adds no warning to a registered name', () => {
  const file = new URL('../../../../test/fixtures/hard-dois.txt', import.meta.url);
  const names = readFileSync(file, 'utf8').trimEnd().split('\n').map(doiName);
  const codesOf = (warnings: readonly { code: string }[]) => `${warnings.map(({ code }) => code)}`;
  const withOtherWarnings = names.filter(
    (name) => codesOf(nameWarnings(name, lookalikes)) !== codesOf(doiWarnings(name, lookalikes)),
  );
  expect(withOtherWarnings).toEqual([]);
  expect(otherReadings(doiName('10.1016/j.cell.2020.01.001'))).toEqual([]);
});

test('the finder reads only the beginning of a long text, and skips a name that the limit cuts', () => {
  const meant = (text: string) => meantBy(parseDoi(text)).map(({ name }) => name);
  const long = `see 10.1000/182 and ${'x '.repeat(5_000)}10.1000/183`;
  expect(meant(long)).toEqual(['10.1000/182']);
  expect(meant(`see 10.1000/182 and 10.1000/${'x'.repeat(20_000)}`)).toEqual(['10.1000/182']);
});
