// Splits records of CSV as csv-parse does, and refuses the records that csv-parse refuses.

import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvCells } from '../../../src/tools/bulk/csv-cells.ts';

function reference(record: string, delimiter: string): readonly string[] | null {
  try {
    const records = parse(`${record}\n`, { delimiter, record_delimiter: '\n' });
    return records.length === 1 ? (records[0] ?? null) : null;
  } catch {
    return null;
  }
}

/** The parts of a text outside quotation marks. A line end there would separate two records. */
function outsideQuotes(text: string): string[] {
  return text.split('"').filter((_, index) => index % 2 === 0);
}

test('csv-parse reads the same cells', () => {
  const record = fc
    .array(fc.constantFrom('"', '""', ',', ';', '|', '\t', 'a', 'é', ' ', '\r', '\n', '",', ',"'), {
      maxLength: 10,
    })
    .map((parts) => parts.join(''))
    .filter((text) => text !== '' && outsideQuotes(text).every((part) => !part.includes('\n')));
  fc.assert(
    fc.property(record, fc.constantFrom(',', ';', '|', '\t'), (text, delimiter) => {
      expect(csvCells(text, delimiter)).toEqual(reference(text, delimiter));
    }),
  );
});

test('an empty record has one cell, and a record of only a delimiter has two cells', () => {
  expect(csvCells('', ',')).toEqual(['']);
  expect(csvCells('"",', ',')).toEqual(['', '']);
});
