// Opens a file of names as a table: detects the layout of the file, and reads its rows, from the beginning or from a position
// between two rows. Reads the file once, in constant memory.

import { cellsOf } from './csv-cells.ts';
import { refuseOtherFiles } from './other-files.ts';
import {
  BYTE_ORDER_MARK,
  createFramer,
  type DecodedText,
  decodeInput,
  isCertain,
  LineSplitter,
  type RowRecord,
} from './records.ts';
import { chosenColumns, nameInCells, nameInObject } from './reference-columns.ts';
import { brokenRow, objectOf, type Position, type Row, type RowProblemCode } from './row.ts';
import {
  chooseColumn,
  chooseKey,
  delimiterOf,
  type FileEncoding,
  formatOfLine,
  type InputFormat,
  statedDelimiter,
  TableError,
  type TableShape,
} from './table-shape.ts';

/** A longer row gets the problem TOO_LONG. */
export const MAX_ROW_BYTES = 262_144;

/** The rows in the order of the file. Each batch has the rows of one piece of the file. */
export type RowBatches = AsyncIterable<readonly Row[]>;

export interface Table {
  readonly shape: TableShape;
  readonly rows: RowBatches;
}

export interface TableOptions {
  /** Default: `openTable` detects the format. */
  readonly format?: InputFormat | undefined;
  /** The column of the names: its name, its number from 1, or a key of JSON Lines. Default: the only column, or `doi`. */
  readonly column?: string | undefined;
  /** The columns that together hold a reference, separated by commas. Then the rows have references instead of names. */
  readonly reference?: string | undefined;
  /** for CSV and TSV. Default: true. */
  readonly hasHeader?: boolean | undefined;
  /** one character, for CSV. Default: from a first line such as `sep=;`, or from the header. */
  readonly delimiter?: string | undefined;
  /** Default: UTF-8, and Windows-1252 as a guess for rows that are not UTF-8. */
  readonly encoding?: FileEncoding | undefined;
}

const FILE_START: Position = { offset: 0, line: 1 };

const MAX_BEFORE_FIRST_ROW_BYTES = 1_000_000;

/** Reads until the shape of the table is known. Rejects with a TableError if the file is not a table. */
export async function openTable(
  source: AsyncIterable<Uint8Array>,
  options: TableOptions = {},
): Promise<Table> {
  const chunks = source[Symbol.asyncIterator]();
  const read: Buffer[] = [];
  const { delimiter } = options;
  const isTabbed = delimiter === '\t' && options.format !== 'jsonl';
  const format = isTabbed ? 'tsv' : (options.format ?? (delimiter === undefined ? undefined : 'csv'));
  const splitter = new LineSplitter(FILE_START, MAX_ROW_BYTES);
  const delimiters = delimiter === undefined ? undefined : [delimiter];
  const first = await firstRecord(chunks, read, splitter, format, delimiters);
  const hasMark = Buffer.concat(read, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  const hasReturns = splitter.lineEnd === 'CR';
  const shape = {
    ...shapeOf(first, options),
    ...(hasMark && { hasMark }),
    ...(hasReturns && { hasReturns }),
  };
  return { shape, rows: readRows(bytesFrom(read, shape.start.offset, chunks), shape) };
}

interface FirstRecord {
  readonly format: InputFormat;
  /** undefined if the file is empty */
  readonly record: RowRecord | undefined;
  /** the delimiter of a first line such as `sep=;`; null if there is no such line */
  readonly delimiter: string | null;
}

/** @param read receives the chunks that the function has read */
async function firstRecord(
  chunks: AsyncIterator<Uint8Array>,
  read: Buffer[],
  splitter: LineSplitter,
  format: InputFormat | undefined,
  delimiters: readonly string[] | undefined,
): Promise<FirstRecord> {
  // The first line that is not blank shows the format.
  const lineFramer = createFramer('lines', MAX_ROW_BYTES);
  let framer = format === undefined ? undefined : createFramer(format, MAX_ROW_BYTES, delimiters);
  let currentFormat = format;
  let stated: string | null = null;
  let bytes = 0;
  for (;;) {
    const { done, value } = await chunks.next();
    const chunk = done ? null : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    if (bytes > MAX_BEFORE_FIRST_ROW_BYTES) throw noFirstRow();
    if (chunk) read.push(chunk);
    bytes += chunk?.length ?? 0;
    if (chunk && read.length === 1) refuseOtherFiles(chunk);
    for (const line of chunk ? splitter.push(chunk) : [...splitter.end(), null]) {
      if (currentFormat === undefined) {
        const [record] = lineFramer(line);
        if (record) currentFormat = formatOfLine(record.bytes.toString());
      }
      if (currentFormat === undefined) continue;
      framer ??= createFramer(currentFormat, MAX_ROW_BYTES);
      const [record] = framer(line);
      if (!record) continue;
      if (stated !== null || currentFormat === 'jsonl')
        return { format: currentFormat, record, delimiter: stated };
      stated = statedDelimiter(record.bytes.toString());
      if (stated === null) return { format: currentFormat, record, delimiter: null };
      // A line such as `sep=;` is no row. So the loop continues with the next record.
      currentFormat = stated === '\t' ? 'tsv' : 'csv';
      framer = createFramer(currentFormat, MAX_ROW_BYTES, [stated]);
    }
    if (done) return { format: currentFormat ?? 'lines', record: undefined, delimiter: stated };
  }
}

function noFirstRow(): TableError {
  return new TableError(
    `The file has no complete row in its first ${MAX_BEFORE_FIRST_ROW_BYTES.toLocaleString('en')} bytes. Is the file a table of names?`,
  );
}

function shapeOf({ format, record, delimiter: stated }: FirstRecord, options: TableOptions): TableShape {
  const { column, encoding, reference, hasHeader: wantsHeader = true } = options;
  const hasColumns = format === 'csv' || format === 'tsv';
  const hasHeader = hasColumns && wantsHeader;
  const text = record ? (decodeInput(record.bytes, encoding)?.text ?? record.bytes.toString()) : '';
  const headerDelimiter = format === 'csv' && hasHeader ? delimiterOf(text) : ',';
  const delimiter = format === 'tsv' ? '\t' : (options.delimiter ?? stated ?? headerDelimiter);
  const start = record ? (hasHeader ? record.end : stated === null ? FILE_START : record.start) : FILE_START;
  const common = { format, delimiter, hasHeader, start, ...(encoding && { encoding }) };
  if (format === 'jsonl') {
    const columns = Object.keys(objectOf(text) ?? {});
    return { ...common, columns, ...chosenColumns(columns, reference, column, chooseKey) };
  }
  if (format === 'lines') {
    const columns = ['input'];
    return { ...common, columns, ...chosenColumns(columns, reference, undefined, chooseColumn) };
  }
  const cells = record ? firstCells(record, text, common) : [];
  const columns = hasHeader ? cells : cells.map((_, index) => `column${index + 1}`);
  if (columns.length === 0) return { ...common, columns, nameColumn: 0 };
  return { ...common, columns, ...chosenColumns(columns, reference, column, chooseColumn) };
}

function firstCells(
  { fault, start }: RowRecord,
  text: string,
  shape: Pick<TableShape, 'format' | 'delimiter' | 'hasHeader'>,
): readonly string[] {
  const cellsOrFault = fault ?? cellsOf(text, shape) ?? 'UNBALANCED_QUOTE';
  if (typeof cellsOrFault !== 'string') return cellsOrFault;
  const what = shape.hasHeader ? 'header' : 'first row, which gives the number of columns,';
  throw new TableError(`The ${what} cannot be read: ${cellsOrFault} in line ${start.line}.`);
}

/** Yields the bytes from an offset on. @param read the chunks before `remaining` */
async function* bytesFrom(
  read: readonly Buffer[],
  offset: number,
  remaining: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let before = 0;
  for (const chunk of read) {
    if (before + chunk.length > offset) yield chunk.subarray(Math.max(0, offset - before));
    before += chunk.length;
  }
  try {
    for (let next = await remaining.next(); !next.done; next = await remaining.next()) yield next.value;
  } finally {
    await remaining.return?.();
  }
}

/** @param source the bytes of the file from `start` on */
export async function* readRows(
  source: AsyncIterable<Uint8Array>,
  shape: TableShape,
  start: Position = shape.start,
): AsyncGenerator<readonly Row[]> {
  const splitter = new LineSplitter(start, MAX_ROW_BYTES, shape.hasReturns ? 'CR' : 'LF');
  const framer = createFramer(shape.format, MAX_ROW_BYTES, [shape.delimiter]);
  for await (const bytes of source) {
    const lines = splitter.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    const rows = rowsOf(lines.flatMap(framer), shape);
    if (rows.length > 0) yield rows;
  }
  const rows = rowsOf([...splitter.end(), null].flatMap(framer), shape);
  if (rows.length > 0) yield rows;
}

function rowsOf(records: readonly RowRecord[], shape: TableShape): readonly Row[] {
  return records.map((record) => {
    if (record.fault !== null) return brokenRowOf(record, record.fault);
    const text = decodeInput(record.bytes, shape.encoding);
    if (text === null) return brokenRowOf(record, 'INVALID_UTF8');
    const row = shape.format === 'jsonl' ? ofJson(record, text, shape) : ofCells(record, text, shape);
    return row.name === null || isCertain(text, row.name) ? row : brokenRowOf(record, 'INVALID_UTF8');
  });
}

function ofCells(record: RowRecord, { text, isGuessed }: DecodedText, shape: TableShape): Row {
  const { start, end } = record;
  const { columns } = shape;
  const cells = cellsOf(text, shape);
  if (cells === null) return brokenRowOf(record, 'UNBALANCED_QUOTE');
  if (cells.length !== columns.length) {
    const code = cells.length < columns.length ? 'TOO_FEW_COLUMNS' : 'TOO_MANY_COLUMNS';
    return brokenRowOf(record, code);
  }
  const name = nameInCells(cells, shape);
  return { start, end, name, cells, text: '', object: null, problem: null, isGuessed };
}

function ofJson(record: RowRecord, { text, isGuessed }: DecodedText, shape: TableShape): Row {
  const { start, end } = record;
  const object = objectOf(text);
  if (object === null) return brokenRowOf(record, 'BAD_JSON');
  const name = nameInObject(object, shape);
  if (name === null) return brokenRowOf(record, 'NO_NAME');
  return { start, end, name, cells: [], text, object, problem: null, isGuessed };
}

function brokenRowOf({ start, end, bytes }: RowRecord, code: RowProblemCode): Row {
  return brokenRow(start, end, bytes.toString(), code);
}
