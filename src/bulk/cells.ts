// Text of a record of CSV or TSV → cells.

import { csvCells } from './csv-cells.ts';
import type { TableShape } from './table-shape.ts';

/** Null where a quotation mark is out of place. */
export function cellsOf(
  text: string,
  { format, delimiter }: Pick<TableShape, 'format' | 'delimiter'>,
): readonly string[] | null {
  if (format === 'csv') return csvCells(text, delimiter);
  // In TSV a line is a row. A quotation mark counts where a whole cell is quoted, else it is a character like others.
  return format === 'tsv' ? (csvCells(text, '\t') ?? text.split('\t')) : [text];
}
