// Records of CSV and TSV → cells.

import { isUtf8 } from 'node:buffer';
import { parse } from 'csv-parse/sync';
import { hasEvenQuotes, type RowRecord } from './records.ts';
import type { RowProblemCode } from './row.ts';

/** The cells of each record, or why it has none. */
export type ReadCells = readonly string[] | RowProblemCode;

const LINE_FEED = Buffer.from('\n');

/** Together where all can be read, since the parser's start costs more than a record. */
export function cellsOfCsv(records: readonly RowRecord[], delimiter: ',' | ';'): readonly ReadCells[] {
  const whole = records.every(({ fault, bytes }) => fault === null && isUtf8(bytes));
  const together = whole ? parsed(records, delimiter) : null;
  return together?.length === records.length
    ? together
    : records.map((record) => faultOf(record) ?? parsed([record], delimiter)?.[0] ?? 'UNBALANCED_QUOTE');
}

/** In TSV a line is a row. A quotation mark counts where a whole cell is quoted, else it is a character like others. */
export function cellsOfTsv(records: readonly RowRecord[]): readonly ReadCells[] {
  const plain = records.every(({ fault, bytes }) => fault === null && isUtf8(bytes) && !bytes.includes('"'));
  const together = plain ? parsed(records, '\t') : null;
  if (together?.length === records.length) return together;
  return records.map((record) => {
    const fault = faultOf(record);
    if (fault !== null) return fault;
    const quoted = hasEvenQuotes(record.bytes) ? parsed([record], '\t') : null;
    return quoted?.[0] ?? record.bytes.toString().split('\t');
  });
}

export function faultOf({ fault, bytes }: RowRecord): RowProblemCode | null {
  return fault ?? (isUtf8(bytes) ? null : 'INVALID_UTF8');
}

/** Null where one of them has a quotation mark out of place. */
function parsed(records: readonly RowRecord[], delimiter: string): string[][] | null {
  const bytes = Buffer.concat(records.flatMap((record) => [record.bytes, LINE_FEED]));
  try {
    return parse(bytes, { delimiter, record_delimiter: '\n', relax_column_count: true });
  } catch {
    return null;
  }
}
