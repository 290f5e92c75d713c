// Writes rows and their results as text. If a table is read and written, the table does not change.

import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFields } from '../../../src/tools/bulk/fields.ts';
import type { TableOptions } from '../../../src/tools/bulk/input-table.ts';
import type { RowAnswer } from '../../../src/tools/bulk/read-outcome.ts';
import { createRowWriter, type WriterOptions } from '../../../src/tools/bulk/row-writer.ts';
import { testTable } from '../../support/test-table.ts';
import { allRows, tableOf } from './read-table.ts';

const FIELDS = readFields('name,exists,warning');
const ANSWER: RowAnswer = { values: ['10.1000/1', true, ['A', 'B']], error: null };

async function written(text: string, options: TableOptions, writing: WriterOptions, answer = ANSWER) {
  const { shape, rows } = await tableOf(text, options);
  const writer = createRowWriter(shape, FIELDS, writing);
  const checked = (await allRows(rows)).map((row) => writer.checked(row));
  return (
    writer.header +
    writer.text(
      checked,
      checked.map(() => answer),
    )
  );
}

const cell = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom('', 'a,b', ';', '"', '""', '\n', 'a\r\nb', '\r', ' a ', "'=1", '=1', '-1', '\t', '\uFEFF'),
);
const csvTables = fc
  .record({ columns: fc.integer({ min: 1, max: 3 }), delimiter: fc.constantFrom(',', ';') })
  .chain(({ columns, delimiter }) =>
    fc.record({
      delimiter: fc.constant(delimiter),
      header: fc.constant(['doi', 'b', 'c'].slice(0, columns)),
      cells: fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { maxLength: 5 }),
    }),
  );

describe('CSV', () => {
  test('reading and writing do not change a table', async () => {
    await fc.assert(
      fc.asyncProperty(csvTables, async ({ delimiter, header, cells }) => {
        // A row of one empty cell is a blank line, which is not a row.
        const rows = cells.filter((row) => row.join('').trim() !== '' || row.length > 1);
        const text = stringify([header, ...rows], { delimiter, quoted_match: /^[ \t\r]+$/ });
        const out = await written(text, { format: 'csv' }, { format: 'csv' });
        const again = await tableOf(out, { format: 'csv' });
        expect(again.shape.columns).toEqual([...header, 'name', 'exists', 'warning', 'error']);
        const added = ['10.1000/1', 'true', 'A B', ''];
        expect((await allRows(again.rows)).map((row) => row.cells)).toEqual(
          rows.map((row) => [...row, ...added]),
        );
      }),
    );
  });

  test('a file without a header gets no header', async () => {
    const out = await written(
      '10.1000/1,x\n',
      { format: 'csv', column: '1', hasHeader: false },
      { format: 'csv' },
    );
    expect(out).toBe('10.1000/1,x,10.1000/1,true,A B,\n');
  });

  test('the text of an unreadable row is in the first column', async () => {
    const answer = { values: [null, null, null], error: 'UNBALANCED_QUOTE' };
    expect(await written('id,doi\n1,"x\n', { format: 'csv' }, { format: 'csv' }, answer)).toBe(
      'id,doi,name,exists,warning,error\n"1,""x",,,,,UNBALANCED_QUOTE\n',
    );
  });

  test('with the option `excel`, no cell begins like a formula', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...'=+-@\t\r'), fc.string(), async (sign, rest) => {
        const text = stringify([
          ['doi', '=b'],
          [`${sign}${rest}`, 'x'],
        ]);
        const out = await written(
          text,
          { format: 'csv' },
          { format: 'csv', excel: true },
          { values: ['=1', '+1', '@'], error: null },
        );
        const { shape, rows } = await tableOf(out, { format: 'csv' });
        const cells = [...shape.columns, ...(await allRows(rows)).flatMap((row) => row.cells)];
        expect(cells.filter((each) => /^[=+\-@\t\r]/.test(each))).toEqual([]);
        expect(cells).toContain(`'${sign}${rest}`);
      }),
    );
  });

  test('from JSON Lines has a column for each key of the first object', async () => {
    const text =
      '{"doi":"10.1000/1","n":1.5,"list":[1]}\n{"doi":"10.1000/2"}\n{"doi":"10.1000/3","other":1}\n';
    const answer = { values: ['x', true, []], error: null };
    expect(await written(text, { format: 'jsonl' }, { format: 'csv' }, answer)).toBe(
      'doi,n,list,name,exists,warning,error\n10.1000/1,1.5,[1],x,true,,\n10.1000/2,,,x,true,,\n"{""doi"":""10.1000/3"",""other"":1}",,,x,true,,\n',
    );
  });
});

describe('JSON Lines', () => {
  test('objects stay unchanged, and the result follows', async () => {
    const objects = fc.dictionary(fc.string(), fc.jsonValue()).map((rest) => ({ ...rest, doi: '10.1000/1' }));
    await fc.assert(
      fc.asyncProperty(fc.array(objects, { minLength: 1, maxLength: 4 }), async (given) => {
        const text = given.map((object) => `${JSON.stringify(object)}\n`).join('');
        const out = await written(text, { format: 'jsonl', column: 'doi' }, { format: 'jsonl', prefix: '§' });
        const answer = { '§name': '10.1000/1', '§exists': true, '§warning': ['A', 'B'], '§error': null };
        const expected = given.map((object) => ({ ...JSON.parse(JSON.stringify(object)), ...answer }));
        expect(
          out
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line)),
        ).toEqual(expected);
      }),
    );
  });

  test('from a table has a key for each column', async () => {
    const out = await written('id,doi\n1,"a\nb"\n', { format: 'csv' }, { format: 'jsonl' });
    expect(out).toBe(
      '{"id":"1","doi":"a\\nb","name":"10.1000/1","exists":true,"warning":["A","B"],"error":null}\n',
    );
  });

  test('numbers keep their digits, and unreadable rows keep their text', async () => {
    const out = await written(
      '{"doi":"x","n":12345678901234567890.10 }\n{oops\n',
      { format: 'jsonl' },
      { format: 'jsonl' },
    );
    expect(out).toBe(
      '{"doi":"x","n":12345678901234567890.10 ,"name":"10.1000/1","exists":true,"warning":["A","B"],"error":null}\n' +
        '{"text":"{oops","name":"10.1000/1","exists":true,"warning":["A","B"],"error":null}\n',
    );
  });
});

describe('columns that conflict', () => {
  testTable([
    ['a column has the name of a field', 'doi,exists\n', { format: 'csv' }, '--prefix'],
    ['two columns have the same name, and the output is JSON', 'doi,a,a\n', { format: 'jsonl' }, 'Write CSV'],
  ] as const)('are refused: %s', async (_, text, writing, message) => {
    await expect(written(text, { format: 'csv' }, writing)).rejects.toThrow(message);
  });

  test('are accepted if the columns of the result get a prefix', async () => {
    const out = await written('doi,exists\n', { format: 'csv' }, { format: 'csv', prefix: 'now_' });
    expect(out).toBe('doi,exists,now_name,now_exists,now_warning,now_error\n');
  });

  test('cannot be known for CSV if the first line is not an object', async () => {
    await expect(written('oops\n', { format: 'jsonl' }, { format: 'csv' })).rejects.toThrow(
      'Write JSON Lines',
    );
  });

  test('make an object a row with a problem if the key of a field is in the object', async () => {
    const { shape, rows } = await tableOf('{"doi":"x"}\n{"doi":"x","exists":1}\n', { format: 'jsonl' });
    const writer = createRowWriter(shape, FIELDS, { format: 'jsonl' });
    const checked = (await allRows(rows)).map((row) => writer.checked(row));
    expect(checked.map(({ name, problem }) => [name, problem?.code])).toEqual([
      ['x', undefined],
      [null, 'TAKEN_KEY'],
    ]);
  });
});

describe('many columns', () => {
  // Each row of the result has all columns, so a short row would become long.
  const wide = `doi${','.repeat(2_000)}\n10.1000/1\n`;
  const long = `doi,${'x'.repeat(64_000)}\n10.1000/1,\n`;
  const object = `${JSON.stringify(Object.fromEntries(Array.from({ length: 2_001 }, (_, n) => [`k${n}`, '10.1000/1'])))}\n`;

  testTable([
    ['columns of CSV', wide, 'csv', 'csv', 'The file has 2001 columns. At most 2000 are allowed.'],
    ['columns of CSV', wide, 'csv', 'jsonl', 'The file has 2001 columns. At most 2000 are allowed.'],
    ['names of columns', long, 'csv', 'jsonl', 'The names of the columns are longer'],
    ['keys', object, 'jsonl', 'csv', 'The file has 2001 columns. At most 2000 are allowed.'],
  ] as const)('are refused if there are too many %s', async (_, text, input, format, message) => {
    await expect(written(text, { format: input, column: '1' }, { format })).rejects.toThrow(message);
  });

  test('are no problem for JSON Lines, which can have any number of keys', async () => {
    const text = await written(object, { format: 'jsonl', column: 'k0' }, { format: 'jsonl' });
    expect(text.includes('"k2000":"10.1000/1"')).toBe(true);
  });
});
