// Bytes of a file → its rows, from its beginning or from any place between two rows.

import { cellsOfCsv, cellsOfTsv, faultOf, type ReadCells } from './cells.ts';
import { objectOf } from './json-object.ts';
import { LineSplitter } from './lines.ts';
import { createFramer, type RowRecord } from './records.ts';
import { brokenRow, type Position, type Row, type RowProblemCode } from './row.ts';
import type { TableShape } from './table-shape.ts';

/** A row longer than this is TOO_LONG. */
export const MAX_ROW_BYTES = 262_144;

/** In the order of the file, as many at a time as one piece of it holds. */
export type RowBatches = AsyncIterable<readonly Row[]>;

/** @param source the file's bytes from `start` on */
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
  if (shape.format === 'jsonl') return records.map((record) => ofJson(record, String(shape.nameColumn)));
  return records.map((record) => ofCells(record, readCells(record, shape), shape));
}

function readCells(record: RowRecord, { format, delimiter }: TableShape): ReadCells {
  if (format === 'tsv') return cellsOfTsv(record);
  if (format === 'csv') return cellsOfCsv(record, delimiter);
  return faultOf(record) ?? [record.bytes.toString()];
}

function ofCells(record: RowRecord, cells: ReadCells, { columns, nameColumn }: TableShape): Row {
  if (typeof cells === 'string') return broken(record, cells);
  if (cells.length < columns.length) return broken(record, 'TOO_FEW_COLUMNS');
  if (cells.length > columns.length) return broken(record, 'TOO_MANY_COLUMNS');
  const { start, end } = record;
  const name = cells[Number(nameColumn)] ?? '';
  return { start, end, name, cells, text: '', object: null, problem: null };
}

function ofJson(record: RowRecord, key: string): Row {
  const fault = faultOf(record);
  if (fault !== null) return broken(record, fault);
  const { start, end } = record;
  const text = record.bytes.toString();
  const object = objectOf(text);
  if (object === null) return broken(record, 'BAD_JSON');
  const name = Object.hasOwn(object, key) ? object[key] : undefined;
  if (typeof name !== 'string') return broken(record, 'NO_NAME');
  return { start, end, name, cells: [], text, object, problem: null };
}

function broken({ start, end, bytes }: RowRecord, code: RowProblemCode): Row {
  return brokenRow(start, end, bytes.toString(), code);
}
