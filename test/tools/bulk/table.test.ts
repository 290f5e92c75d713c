// The reader of a file detects its format, its header, and its column of names.

import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openTable, type TableOptions } from '../../../src/tools/bulk/input-table.ts';
import { formatOfFile } from '../../../src/tools/bulk/table-shape.ts';
import { testTable } from '../../support/test-table.ts';
import { tableOf } from './read-table.ts';

async function shapeOf(text: string | Uint8Array, options: TableOptions = {}) {
  return (await tableOf(text, options)).shape;
}

const MANY_COLUMNS = `${Array.from({ length: 199 }, (_, at) => `column ${at}`).join(',')},ref\n`;

describe('the format', () => {
  testTable([
    ['works.csv', 'csv'],
    ['WORKS.CSV', 'csv'],
    ['works.tsv', 'tsv'],
    ['works.tab', 'tsv'],
    ['works.jsonl', 'jsonl'],
    ['works.ndjson', 'jsonl'],
    ['works.txt', null],
    ['csv', null],
    ['works.constructor', null],
  ])('of %s is %s', (name, format) => {
    expect(formatOfFile(name)).toBe(format);
  });

  testTable([
    ['{"doi":"10.1000/1"}', 'jsonl'],
    ['doi\ttitle', 'tsv'],
    ['doi,title', 'csv'],
    ['doi;title', 'csv'],
    ['\n\nDOI', 'csv'],
    ['10.1000/1', 'lines'],
    ['10.1000/1;2,3', 'lines'],
    ['a title', 'lines'],
    ['', 'lines'],
  ])('of a text that begins with %j is %s', async (text, format) => {
    expect((await shapeOf(text, { column: '1' })).format).toBe(format);
  });

  test('UTF-16 is refused, and the message names the remedy', async () => {
    await expect(shapeOf(Buffer.from('\uFEFFdoi', 'utf16le'))).rejects.toThrow('Save it as UTF-8');
  });

  testTable([
    ['a spreadsheet', Buffer.from('PK\u0003\u0004…'), 'Save it as CSV'],
    ['an old spreadsheet', Buffer.from('d0cf11e0a1b1', 'hex'), 'Save it as CSV'],
    ['a compressed file', gzipSync('doi\n10.1000/1\n'), 'Unpack it first'],
    ['a PDF', Buffer.from('%PDF-1.7\n'), 'Give a table or a list'],
    ['UTF-16 without a mark', Buffer.from('doi\n', 'utf16le'), 'Save it as UTF-8'],
  ])('%s is refused, and the message names the remedy', async (_, bytes, message) => {
    await expect(shapeOf(bytes)).rejects.toThrow(message);
  });

  testTable([
    ['blank lines', '\n'.repeat(10_000)],
    ['a line without an end', 'x'.repeat(10_000)],
  ])('a file that begins with %s is not read to its end', async (_, piece) => {
    let read = 0;
    // The source ends, so that the test fails if the reader has no limit.
    async function* long() {
      while (read < 4_000_000) {
        read += piece.length;
        yield Buffer.from(piece);
      }
    }
    await expect(openTable(long())).rejects.toThrow('no complete row in its first 1,000,000 bytes');
    expect(read).toBeLessThan(1_100_000);
  });

  test('an unreadable header is an error of the file', async () => {
    await expect(shapeOf('a"b,"c\n1,2\n', { format: 'csv' })).rejects.toThrow('The header cannot be read');
  });
});

describe('the column of the names', () => {
  testTable([
    ['the only column', 'works\n', undefined, 0],
    ['the column doi', 'id,DOI,title\n', undefined, 1],
    ['a column by its name', 'id,ref\n', 'ref', 1],
    ['a column by its name in any letter case', 'id, Ref \n', 'ref', 1],
    ['a column by its exact name first', 'ref,REF\n', 'REF', 1],
    ['a column by its number', 'id,ref\n', '2', 1],
    ['a column by its name, even if the name is a number', '2,1\n', '1', 1],
  ])('is found: %s', async (_, text, column, expected) => {
    expect((await shapeOf(text, { format: 'csv', column })).nameColumn).toBe(expected);
  });

  testTable([
    ['no column is given', 'id,ref\n', undefined, 'Which column'],
    ['the name is unknown', 'id,ref\n', 'name', 'It has "id", "ref".'],
    ['the file has hundreds of columns', MANY_COLUMNS, 'refs', 'no column "refs". It has "ref", '],
    ['the number is too large', 'id,ref\n', '3', 'no column "3"'],
    ['two columns have the same name', 'doi,doi\n', undefined, 'several columns "doi"'],
  ])('is an error if %s', async (_, text, column, message) => {
    await expect(shapeOf(text, { format: 'csv', column })).rejects.toThrow(message);
  });

  test('is an error with a short message, however many and long the columns are', async () => {
    const long = `${Array.from({ length: 200 }, (_, at) => `${'x'.repeat(300)}${at}`).join(',')}\n`;
    for (const [text, column] of [
      [MANY_COLUMNS, 'x'.repeat(500)],
      [long, 'doi'],
      [long, undefined],
    ] as const) {
      const error = await shapeOf(text, { format: 'csv', column }).catch((reason: Error) => reason);
      expect((error as Error).message.length).toBeLessThan(350);
      expect((error as Error).message).toMatch(/, and 19\d more\.$/);
    }
  });

  test('is a key of JSON Lines', async () => {
    expect((await shapeOf('{"id":1,"DOI":"x"}')).nameColumn).toBe('DOI');
    expect((await shapeOf('{"ref":"x"}')).nameColumn).toBe('ref');
    expect((await shapeOf('{"id":1}', { column: 'ref' })).nameColumn).toBe('ref');
    await expect(shapeOf('{"id":1,"ref":"x"}')).rejects.toThrow('Which column');
  });
});
