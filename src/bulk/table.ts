// A file of names as a table: how it is laid out, and its rows. It is read once, in constant memory.

import { cellsOfCsv, cellsOfTsv } from './cells.ts';
import { chooseColumn, chooseKey } from './choose-column.ts';
import { delimiterOf, formatOfLine, type InputFormat } from './formats.ts';
import { objectOf } from './json-object.ts';
import { LineSplitter } from './lines.ts';
import { createFramer, type RowRecord } from './records.ts';
import type { Position } from './row.ts';
import { MAX_ROW_BYTES, type RowBatches, readRows } from './rows.ts';
import { TableError } from './table-error.ts';
import type { TableShape } from './table-shape.ts';

export interface Table {
  readonly shape: TableShape;
  readonly rows: RowBatches;
}

export interface TableOptions {
  /** left out: looked at */
  readonly format?: InputFormat | undefined;
  /** of the names: its name, its number from 1, or a key of JSON Lines. Left out: the only one, or the one called doi */
  readonly column?: string | undefined;
  /** of CSV and TSV; true where it is left out */
  readonly hasHeader?: boolean | undefined;
}

const FILE_START: Position = { offset: 0, line: 1 };

/** What is kept until the first row is whole. */
const MAX_BEFORE_FIRST_ROW_BYTES = 1_000_000;

/** Reads until it knows the shape. Rejects with a TableError. */
export async function openTable(
  source: AsyncIterable<Uint8Array>,
  options: TableOptions = {},
): Promise<Table> {
  const chunks = source[Symbol.asyncIterator]();
  const read: Buffer[] = [];
  const first = await firstRecord(chunks, read, options.format);
  const shape = shapeOf(first, options);
  return { shape, rows: readRows(behind(read, shape.start.offset, chunks), shape) };
}

interface First {
  readonly format: InputFormat;
  /** undefined where the file is empty */
  readonly record: RowRecord | undefined;
}

/** @param read is given what had to be read for it */
async function firstRecord(
  chunks: AsyncIterator<Uint8Array>,
  read: Buffer[],
  format: InputFormat | undefined,
): Promise<First> {
  const splitter = new LineSplitter(FILE_START, MAX_ROW_BYTES);
  // Of which format it is shows in its first line, which makes one record at the least in each of them.
  const looking = createFramer('lines', MAX_ROW_BYTES);
  let framer = format === undefined ? undefined : createFramer(format, MAX_ROW_BYTES);
  let found = format;
  let bytes = 0;
  for (;;) {
    const { done, value } = await chunks.next();
    const chunk = done ? null : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    if (bytes > MAX_BEFORE_FIRST_ROW_BYTES) throw noFirstRow();
    if (chunk) read.push(chunk);
    bytes += chunk?.length ?? 0;
    if (chunk && read.length === 1) refuseNoText(chunk);
    for (const line of chunk ? splitter.push(chunk) : [...splitter.end(), null]) {
      if (found === undefined) {
        const [record] = looking(line);
        if (record) found = formatOfLine(record.bytes.toString());
      }
      if (found === undefined) continue;
      framer ??= createFramer(found, MAX_ROW_BYTES);
      const [record] = framer(line);
      if (record) return { format: found, record };
    }
    if (done) return { format: found ?? 'lines', record: undefined };
  }
}

function noFirstRow(): TableError {
  return new TableError(
    `The file has no whole row in its first ${MAX_BEFORE_FIRST_ROW_BYTES.toLocaleString('en')} bytes. Is it a table of names?`,
  );
}

/** How files begin that are no text in UTF-8, as hexadecimal digits, and what to do with each. */
const NO_TEXT: readonly (readonly [RegExp, string])[] = [
  [/^(?:fffe|feff|00|..00)/, 'The file is UTF-16. Save it as UTF-8, in Excel as "CSV UTF-8".'],
  [/^1f8b/, 'The file is compressed with gzip. Unpack it first.'],
  [/^504b0304/, 'The file is a spreadsheet or a ZIP archive. Save it as CSV, in Excel as "CSV UTF-8".'],
  [/^d0cf11e0/, 'The file is a spreadsheet. Save it as CSV, in Excel as "CSV UTF-8".'],
  [/^25504446/, 'The file is a PDF. Give a table or a list of names.'],
];

function refuseNoText(chunk: Buffer): void {
  const start = chunk.subarray(0, 4).toString('hex');
  const found = NO_TEXT.find(([sign]) => sign.test(start));
  if (found) throw new TableError(found[1]);
}

function shapeOf({ format, record }: First, { column, hasHeader: told = true }: TableOptions): TableShape {
  const isDivided = format === 'csv' || format === 'tsv';
  const hasHeader = isDivided && told;
  const text = record?.bytes.toString() ?? '';
  const delimiter: TableShape['delimiter'] =
    format === 'tsv' ? '\t' : format === 'csv' && hasHeader ? delimiterOf(text) : ',';
  const start = record && hasHeader ? record.end : FILE_START;
  const common = { format, delimiter, hasHeader, start };
  if (format === 'jsonl') {
    const columns = Object.keys(objectOf(text) ?? {});
    return { ...common, columns, nameColumn: chooseKey(columns, column) };
  }
  if (format === 'lines') return { ...common, columns: ['input'], nameColumn: 0 };
  const cells = record ? firstCells(record, delimiter, hasHeader) : [];
  const columns = hasHeader ? cells : cells.map((_, index) => `column${index + 1}`);
  return { ...common, columns, nameColumn: columns.length === 0 ? 0 : chooseColumn(columns, column) };
}

function firstCells(record: RowRecord, delimiter: ',' | ';' | '\t', hasHeader: boolean): readonly string[] {
  const cells = delimiter === '\t' ? cellsOfTsv(record) : cellsOfCsv(record, delimiter);
  if (typeof cells !== 'string') return cells;
  const what = hasHeader ? 'header' : 'first row, which tells how many columns there are,';
  throw new TableError(`The ${what} cannot be read: ${cells} in line ${record.start.line}.`);
}

/** What was read already, from an offset on, and then the rest. */
async function* behind(
  read: readonly Buffer[],
  offset: number,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let before = 0;
  for (const chunk of read) {
    if (before + chunk.length > offset) yield chunk.subarray(Math.max(0, offset - before));
    before += chunk.length;
  }
  try {
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
