// The layout of a file of names.

import type { InputFormat } from './formats.ts';
import type { FileEncoding } from './lines.ts';
import type { Position } from './row.ts';

/** Plain data, so that it can be stored as JSON. */
export interface TableShape {
  readonly format: InputFormat;
  /** of CSV and TSV */
  readonly delimiter: string;
  /** of cells; left out: UTF-8, else Windows-1252 as a guess */
  readonly encoding?: FileEncoding;
  /** the first row has no name */
  readonly hasHeader: boolean;
  /** `column1`, … without a header; for JSON Lines the keys of the first object */
  readonly columns: readonly string[];
  /** the index of the column with the names; for JSON Lines its key */
  readonly nameColumn: number | string;
  /** the start of the rows, behind the header */
  readonly start: Position;
}
