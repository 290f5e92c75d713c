// Texts from public bug reports of reference managers, and similar texts.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { testTable } from '../../../../test/support/test-table.ts';
import { ADDRESS_TAILS } from '../../src/find/address-tails.ts';
import { ENDINGS } from '../../src/find/behind-name.ts';
import { findDois, readingsIn } from '../../src/find/find-dois.ts';

interface TextWithNames {
  readonly text: string;
  readonly names: readonly string[];
}

function fixture(path: string): TextWithNames[] {
  return JSON.parse(readFileSync(new URL(`../../../../test/fixtures/${path}`, import.meta.url), 'utf8'));
}

const found = (text: string): string[] => findDois(text).map(({ name }) => name);

testTable(['vectors/reported-text.json', 'copied-text.json'])(
  'the names in reported texts are found',
  (file) => {
    const wrong = fixture(file).filter(({ text, names }) => `${found(text)}` !== `${names}`);
    expect(wrong).toEqual([]);
  },
);

test('the finder finds only the name in the example of each known text after a name', () => {
  const wrong = [...ADDRESS_TAILS, ...ENDINGS].filter(({ example }) => found(example)[0] !== '10.1000/182');
  expect(wrong).toEqual([]);
  expect(ADDRESS_TAILS.filter(({ example }) => found(example).length !== 1)).toEqual([]);
});

describe('a line break in a name', () => {
  const readingOf = (text: string) => [...readingsIn(text, { at: 0, floor: 0, context: null })][0];

  test('is removed if the name before the break is incomplete. The incomplete name is the alternative', () => {
    const reading = readingOf('doi:10.1145/3292500.\n3330701.');
    expect(reading).toMatchObject({
      match: { name: '10.1145/3292500.3330701', text: 'doi:10.1145/3292500.\n3330701', repaired: true },
      alternatives: ['10.1145/3292500'],
    });
  });

  test('ends a complete name. The joined name is the alternative', () => {
    expect(readingOf('doi:10.1086/2388\n98.')).toMatchObject({
      match: { name: '10.1086/2388', repaired: false },
      alternatives: ['10.1086/238898'],
    });
    expect(readingOf('doi:10.1000/182.\nSmith, J.')?.alternatives).toEqual([]);
  });

  testTable([
    ...['Smith, J. 2019.', '2. Smith, J.', '[2] Smith', '2020 was a year.', '2020;12(3):45-50.'],
    '12345 Berlin',
    ...['12 patients were ill.', '3D printing of cells.', 'COVID-19 is a disease.', '1.2 Methods', '123-130'],
    ...['978-3-16-148410-0', '0000-0002-1825-0097', '1234-5679', '2020-01-15', '15.01.2020', '12-Feb-2020'],
    ...['05/06/2019', 'ada@example.org', 'https://example.org/1', 'PMID: 31978345', '14:30:00'],
    'IL-6 Signalling',
  ])('does not join a name with other text', (next) => {
    for (const before of ['doi:', 'https://doi.org/', '']) {
      for (const end of ['.', '', ','])
        expect(found(`${before}10.1000/182${end}\n${next}`)[0]).toBe('10.1000/182');
    }
  });
});
