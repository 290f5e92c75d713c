// The reader reads the rows of a file. An unreadable line does not affect other lines.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_ROW_BYTES, readRows } from '../../../src/tools/bulk/input-table.ts';
import { testTable } from '../../support/test-table.ts';
import { allRows, bytesOf, rowsOf, tableOf } from './read-table.ts';

describe('the reader reads', () => {
  test('CSV with quoted cells, line ends in cells, both kinds of line ends, and a byte order mark', async () => {
    const text = '\uFEFFid,DOI,title\r\n1,10.1000/1,"a, ""b"""\r\n2,"10.1000/2","two\r\nlines"\n3,10.1000/3,';
    expect(await rowsOf(text, { format: 'csv' })).toEqual([
      [2, '10.1000/1', '1', '10.1000/1', 'a, "b"'],
      [3, '10.1000/2', '2', '10.1000/2', 'two\r\nlines'],
      [5, '10.1000/3', '3', '10.1000/3', ''],
    ]);
  });

  test('CSV with semicolons', async () => {
    expect(await rowsOf('doi;price\n10.1000/1;1,50\n', { format: 'csv' })).toEqual([
      [2, '10.1000/1', '10.1000/1', '1,50'],
    ]);
  });

  test('CSV and TSV without a header', async () => {
    expect(await rowsOf('10.1000/1,x\n', { format: 'csv', column: '1', hasHeader: false })).toEqual([
      [1, '10.1000/1', '10.1000/1', 'x'],
    ]);
    const { shape } = await tableOf('10.1000/1\tx\n', { format: 'tsv', column: '1', hasHeader: false });
    expect(shape.columns).toEqual(['column1', 'column2']);
  });

  test('TSV without the quotation marks around a cell, but with all other quotation marks', async () => {
    const text = '"doi"\ttitle\n"10.1000/1"\t5" disk\n10.1000/2\t"open\n10.1000/3\t5" x 6" board\n';
    expect(await rowsOf(text, { format: 'tsv' })).toEqual([
      [2, '"10.1000/1"', '"10.1000/1"', '5" disk'],
      [3, '10.1000/2', '10.1000/2', '"open'],
      [4, '10.1000/3', '10.1000/3', '5" x 6" board'],
    ]);
  });

  test('the key of JSON Lines, and keeps the line unchanged', async () => {
    const { rows } = await tableOf('{"doi":"10.1000/1","n":12345678901234567890}\n', { format: 'jsonl' });
    const [row] = await allRows(rows);
    expect([row?.name, row?.text]).toEqual(['10.1000/1', '{"doi":"10.1000/1","n":12345678901234567890}']);
  });

  test('plain lines with commas', async () => {
    const sici = '10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O';
    expect(await rowsOf(`${sici}\n10.1000/a,b\n`)).toEqual([
      [1, sici, sici],
      [2, '10.1000/a,b', '10.1000/a,b'],
    ]);
  });

  test('no rows from blank lines, which count as lines', async () => {
    expect(await rowsOf('doi\n\n10.1000/1\n \t\r\n10.1000/2', { format: 'csv' })).toEqual([
      [3, '10.1000/1', '10.1000/1'],
      [5, '10.1000/2', '10.1000/2'],
    ]);
  });

  test('no rows from an empty file or a file with only a header', async () => {
    for (const format of ['csv', 'tsv', 'jsonl', 'lines'] as const) {
      expect(await rowsOf('', { format })).toEqual([]);
    }
    expect(await rowsOf('id,doi\n', { format: 'csv' })).toEqual([]);
  });
});

describe('an unreadable line', () => {
  testTable([
    ['an open quote before another quote', '1,"open', 'UNBALANCED_QUOTE'],
    ['a quote that ends inside a cell', '1,"a"b', 'UNBALANCED_QUOTE'],
    ['quotes in a cell that is not quoted', '1,5" x 6"', 'UNBALANCED_QUOTE'],
    ['too few cells', '1', 'TOO_FEW_COLUMNS'],
    ['too many cells', '1,2,3', 'TOO_MANY_COLUMNS'],
    ['bytes that are not UTF-8', Buffer.from([0x31, 0x2c, 0xe9]), 'INVALID_UTF8'],
    ['more bytes than the limit', `1,${'x'.repeat(MAX_ROW_BYTES)}`, 'TOO_LONG'],
  ])('of CSV has its problem: %s', async (_, broken, code) => {
    const before = Buffer.from('id,doi\n0,10.1000/0\n');
    const text = Buffer.concat([before, Buffer.from(broken), Buffer.from('\n2,"10.1000/2"\n3,10.1000/3\n')]);
    expect(await rowsOf(text, { format: 'csv' }, 4_096)).toEqual([
      [2, '10.1000/0', '0', '10.1000/0'],
      [3, code],
      [4, '10.1000/2', '2', '10.1000/2'],
      [5, '10.1000/3', '3', '10.1000/3'],
    ]);
  });

  testTable([
    ['not JSON', 'nope', 'BAD_JSON'],
    ['not an object', '["10.1000/1"]', 'BAD_JSON'],
    ['no such key', '{"DOI":"10.1000/1"}', 'NO_NAME'],
    ['a key of every object', '{"constructor":1}', 'NO_NAME'],
    ['a number', '{"doi":10.1000}', 'NO_NAME'],
  ])('of JSON Lines has its problem: %s', async (_, broken, code) => {
    const rows = await rowsOf(`{"doi":"10.1000/0"}\n${broken}\n{"doi":"10.1000/2"}\n`, { format: 'jsonl' });
    expect(rows).toEqual([
      [1, '10.1000/0'],
      [2, code],
      [3, '10.1000/2'],
    ]);
  });

  test('with an open quotation mark does not affect later lines', async () => {
    const rest = Array.from({ length: 3_000 }, (_, index) => `10.1000/${index}`);
    const rows = await rowsOf(`doi\n"open\n${rest.join('\n')}\n`, { format: 'csv' }, 1_000);
    expect(rows.map(([, name]) => name)).toEqual(['UNBALANCED_QUOTE', ...rest]);
  });

  test('that is too long keeps only its beginning', async () => {
    const { rows } = await tableOf(
      `10.1000/1\n${'x'.repeat(3 * MAX_ROW_BYTES)}\n`,
      { format: 'lines' },
      50_000,
    );
    const [, row] = await allRows(rows);
    expect(row?.text).toBe('x'.repeat(200));
  });
});

/** Files with lines that a careless parser splits wrongly. */
const texts = fc
  .array(
    fc.constantFrom(
      ...[
        'a,10.1000/1',
        '"a","10.1000/2"',
        'a,"10.1000/3\n4"',
        '"',
        'a,"',
        '","',
        'a""b,',
        '',
        ' ',
        'é,ü',
        '\r',
        'a,b,c',
      ],
      ...['{"doi":"10.1000/1"}', '{"doi":"é\\n"}', '{', '10.1000/1', 'x\ty', '"x\ty', '\t"'],
    ),
    { maxLength: 12 },
  )
  .chain((lines) => fc.constantFrom('\n', '\r\n').map((end) => lines.join(end)));
const formats = fc.constantFrom('csv', 'tsv', 'jsonl', 'lines');

/** The first line gives the number of columns. */
const FIRST = { csv: 'a,b', tsv: 'a\tb', jsonl: '{"doi":"a"}', lines: 'a' };
const files = fc.tuple(texts, formats).map(([text, format]) => ({
  text: `${FIRST[format]}\n${text}`,
  options: { format, column: format === 'jsonl' ? 'doi' : '1', hasHeader: false },
}));

describe('the reader obeys laws', () => {
  test('the rows do not depend on the pieces of the file', async () => {
    await fc.assert(
      fc.asyncProperty(files, fc.integer({ min: 1, max: 9 }), async ({ text, options }, pieceBytes) => {
        expect(await rowsOf(text, options, pieceBytes)).toEqual(await rowsOf(text, options, 1_000));
      }),
    );
  });

  test('every line that is not blank is in one row', async () => {
    await fc.assert(
      fc.asyncProperty(files, async ({ text, options }) => {
        const rows = await allRows((await tableOf(text, options)).rows);
        let line = 1;
        let offset = 0;
        const lines = text.split('\n');
        for (const { start, end } of rows) {
          expect(start.offset).toBeGreaterThanOrEqual(offset);
          expect(
            lines
              .slice(line - 1, start.line - 1)
              .join('')
              .trim(),
          ).toBe('');
          [line, offset] = [end.offset === Buffer.byteLength(text) ? lines.length + 1 : end.line, end.offset];
        }
        expect(
          lines
            .slice(line - 1)
            .join('')
            .trim(),
        ).toBe('');
      }),
    );
  });

  test('reading from the end of any row gives the following rows', async () => {
    await fc.assert(
      fc.asyncProperty(files, async ({ text, options }) => {
        const { shape, rows } = await tableOf(text, options);
        const all = await allRows(rows);
        for (const [index, { end }] of all.entries()) {
          const rest = bytesOf(Buffer.from(text).subarray(end.offset));
          expect(await allRows(readRows(rest, shape, end))).toEqual(all.slice(index + 1));
        }
      }),
    );
  });
});
