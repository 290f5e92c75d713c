// The layout of a file of names.

import type { InputFormat } from './formats.ts';
import type { FileEncoding } from './lines.ts';
import type { Position } from './row.ts';

/** The whole file cannot be read as requested. The message is for the user. */
export class TableError extends Error {
  override readonly name = 'TableError';
}

/** Plain data, so that it can be stored as JSON. */
export interface TableShape {
  readonly format: InputFormat;
  /** the delimiter of CSV and TSV */
  readonly delimiter: string;
  /** Default: UTF-8, and Windows-1252 as a guess for rows that are not UTF-8. */
  readonly encoding?: FileEncoding;
  /** whether the first row is a header, not a name */
  readonly hasHeader: boolean;
  /** the names of the columns: `column1`, … if there is no header; the keys of the first object for JSON Lines */
  readonly columns: readonly string[];
  /** the index of the column with the names; for JSON Lines its key */
  readonly nameColumn: number | string;
  /** the start of the rows, after the header */
  readonly start: Position;
}
