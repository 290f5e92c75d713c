// Splits a record of CSV or TSV into cells (RFC 4180). Allocates little, because a file can have millions of short records.

import type { TableShape } from './table-shape.ts';

const QUOTE = '"';

/**
 * Returns null if a quotation mark is misplaced. Examples of such cells: `a"b` and `"a"b`.
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

/** The offset after the closing quotation mark; -1 if the mark is missing. A doubled mark stands for one mark in the text. */
function endOfQuoted(record: string, from: number): number {
  let at = record.indexOf(QUOTE, from);
  while (at !== -1 && record.startsWith(QUOTE, at + 1)) at = record.indexOf(QUOTE, at + 2);
  return at === -1 ? -1 : at + 1;
}

/** The offset after a cell that is not quoted; -1 if the cell contains a quotation mark. */
function endOfPlain(record: string, delimiter: string, from: number): number {
  const found = record.indexOf(delimiter, from);
  const end = found === -1 ? record.length : found;
  return record.slice(from, end).includes(QUOTE) ? -1 : end;
}

/** Splits one row into cells. Returns null for a row of CSV with a misplaced quotation mark. */
export function cellsOf(
  text: string,
  { format, delimiter }: Pick<TableShape, 'format' | 'delimiter'>,
): readonly string[] | null {
  if (format === 'csv') return csvCells(text, delimiter);
  // TSV has no rule for quotation marks. So a misplaced mark is a character of its cell.
  return format === 'tsv' ? (csvCells(text, '\t') ?? text.split('\t')) : [text];
}
