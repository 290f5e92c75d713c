// Records of CSV and TSV → cells.

import { isUtf8 } from 'node:buffer';
import { csvCells } from './csv-cells.ts';
import type { RowRecord } from './records.ts';
import type { RowProblemCode } from './row.ts';

/** The cells of a record, or why it has none. */
export type ReadCells = readonly string[] | RowProblemCode;

export function cellsOfCsv(record: RowRecord, delimiter: string): ReadCells {
  return faultOf(record) ?? csvCells(record.bytes.toString(), delimiter) ?? 'UNBALANCED_QUOTE';
}

/** In TSV a line is a row. A quotation mark counts where a whole cell is quoted, else it is a character like others. */
export function cellsOfTsv(record: RowRecord): ReadCells {
  const text = record.bytes.toString();
  return faultOf(record) ?? csvCells(text, '\t') ?? text.split('\t');
}

export function faultOf({ fault, bytes }: RowRecord): RowProblemCode | null {
  return fault ?? (isUtf8(bytes) ? null : 'INVALID_UTF8');
}
