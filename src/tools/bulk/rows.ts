// Reads the rows of a file, from its beginning or from a position between two rows.

import { cellsOf } from './csv-cells.ts';
import {
  createFramer,
  type DecodedText,
  decoded,
  isCertain,
  LineSplitter,
  type RowRecord,
} from './records.ts';
import { brokenRow, objectOf, type Position, type Row, type RowProblemCode } from './row.ts';
import type { TableShape } from './table-shape.ts';

/** A longer row gets the problem TOO_LONG. */
export const MAX_ROW_BYTES = 262_144;

/** The rows in the order of the file. Each batch has the rows of one piece of the file. */
export type RowBatches = AsyncIterable<readonly Row[]>;

/** @param source the bytes of the file from `start` on */
export async function* readRows(
  source: AsyncIterable<Uint8Array>,
  shape: TableShape,
  start: Position = shape.start,
): AsyncGenerator<readonly Row[]> {
  const splitter = new LineSplitter(start, MAX_ROW_BYTES);
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
    if (record.fault !== null) return broken(record, record.fault);
    const text = decoded(record.bytes, shape.encoding);
    if (text === null) return broken(record, 'INVALID_UTF8');
    const row = shape.format === 'jsonl' ? ofJson(record, text, shape) : ofCells(record, text, shape);
    return row.name === null || isCertain(text, row.name) ? row : broken(record, 'INVALID_UTF8');
  });
}

function ofCells(record: RowRecord, { text, isGuessed }: DecodedText, shape: TableShape): Row {
  const { start, end } = record;
  const { columns, nameColumn } = shape;
  const cells = cellsOf(text, shape);
  if (cells === null) return broken(record, 'UNBALANCED_QUOTE');
  if (cells.length !== columns.length) {
    const code = cells.length < columns.length ? 'TOO_FEW_COLUMNS' : 'TOO_MANY_COLUMNS';
    return broken(record, code);
  }
  const name = cells[Number(nameColumn)] ?? '';
  return { start, end, name, cells, text: '', object: null, problem: null, isGuessed };
}

function ofJson(record: RowRecord, { text, isGuessed }: DecodedText, { nameColumn }: TableShape): Row {
  const key = String(nameColumn);
  const { start, end } = record;
  const object = objectOf(text);
  if (object === null) return broken(record, 'BAD_JSON');
  const name = Object.hasOwn(object, key) ? object[key] : undefined;
  if (typeof name !== 'string') return broken(record, 'NO_NAME');
  return { start, end, name, cells: [], text, object, problem: null, isGuessed };
}

function broken({ start, end, bytes }: RowRecord, code: RowProblemCode): Row {
  return brokenRow(start, end, bytes.toString(), code);
}
