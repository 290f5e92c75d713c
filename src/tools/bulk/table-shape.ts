// The layout of a file of names.

import type { InputFormat } from './formats.ts';
import type { FileEncoding } from './lines.ts';
import type { Position } from './row.ts';

/** The file cannot be used as requested. The message is for the user. */
export class TableError extends Error {
  override readonly name = 'TableError';
}

/** Plain data, because jobs store the shape as JSON. */
export interface TableShape {
  readonly format: InputFormat;
  /** the delimiter of CSV and TSV */
  readonly delimiter: string;
  /** Default: UTF-8, and Windows-1252 as a guess for rows that are not UTF-8. */
  readonly encoding?: FileEncoding;
  /** whether the first row is a header, not a name */
  readonly hasHeader: boolean;
  /** the names of the columns. Without a header: `column1`, `column2`, … For JSON Lines: the keys of the first object. */
  readonly columns: readonly string[];
  /** the index of the column with the names. For JSON Lines: the key of the names. */
  readonly nameColumn: number | string;
  /** the start of the rows, after the header */
  readonly start: Position;
}
