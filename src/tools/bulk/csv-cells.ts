// Splits a record of CSV or TSV into cells (RFC 4180). Allocates little, because a file may have millions of short records.

import type { TableShape } from './table-shape.ts';

const QUOTE = '"';

/**
 * The cells of a record. Null if a quotation mark is misplaced: in a cell that does not begin with a quotation mark, or
 * before the end of a quoted cell.
 * @param record without its line end
 */
export function csvCells(record: string, delimiter: string): readonly string[] | null {
  if (!record.includes(QUOTE)) return record.split(delimiter);
  const cells: string[] = [];
  for (let at = 0; at <= record.length; ) {
    const isQuoted = record.startsWith(QUOTE, at);
    const end = isQuoted ? endOfQuoted(record, at + 1) : endOfPlain(record, delimiter, at);
    if (end === -1 || (end < record.length && !record.startsWith(delimiter, end))) return null;
    cells.push(isQuoted ? record.slice(at + 1, end - 1).replaceAll('""', QUOTE) : record.slice(at, end));
    at = end + delimiter.length;
  }
  return cells;
}

/** The offset after the closing quotation mark; -1 if there is none. A doubled mark is a literal mark. */
function endOfQuoted(record: string, from: number): number {
  let at = record.indexOf(QUOTE, from);
  while (at !== -1 && record.startsWith(QUOTE, at + 1)) at = record.indexOf(QUOTE, at + 2);
  return at === -1 ? -1 : at + 1;
}

/** The end of a cell without quotation marks; -1 if the cell contains one. */
function endOfPlain(record: string, delimiter: string, from: number): number {
  const found = record.indexOf(delimiter, from);
  const end = found === -1 ? record.length : found;
  return record.slice(from, end).includes(QUOTE) ? -1 : end;
}

/** Null if a quotation mark is misplaced. */
export function cellsOf(
  text: string,
  { format, delimiter }: Pick<TableShape, 'format' | 'delimiter'>,
): readonly string[] | null {
  if (format === 'csv') return csvCells(text, delimiter);
  // In TSV a line is a row. Quotation marks count only around a whole cell.
  return format === 'tsv' ? (csvCells(text, '\t') ?? text.split('\t')) : [text];
}
