// One record of CSV → its cells, as RFC 4180 has it. A record may be five bytes long and there may be millions of them:
// nothing is set up for each.

import type { TableShape } from './table-shape.ts';

const QUOTE = '"';

/**
 * Null where a quotation mark is out of place: in a cell that does not begin with one, or before more of a cell.
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

/** Behind the closing quotation mark; -1 where there is none. A doubled one stands for itself. */
function endOfQuoted(record: string, from: number): number {
  let at = record.indexOf(QUOTE, from);
  while (at !== -1 && record.startsWith(QUOTE, at + 1)) at = record.indexOf(QUOTE, at + 2);
  return at === -1 ? -1 : at + 1;
}

/** -1 where there is a quotation mark in the cell. */
function endOfPlain(record: string, delimiter: string, from: number): number {
  const found = record.indexOf(delimiter, from);
  const end = found === -1 ? record.length : found;
  return record.slice(from, end).includes(QUOTE) ? -1 : end;
}

// Text of a record of CSV or TSV → cells.

/** Null where a quotation mark is out of place. */
export function cellsOf(
  text: string,
  { format, delimiter }: Pick<TableShape, 'format' | 'delimiter'>,
): readonly string[] | null {
  if (format === 'csv') return csvCells(text, delimiter);
  // In TSV a line is a row. A quotation mark counts where a whole cell is quoted, else it is a character like others.
  return format === 'tsv' ? (csvCells(text, '\t') ?? text.split('\t')) : [text];
}
