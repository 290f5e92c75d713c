// How a file of names is laid out.

import type { InputFormat } from './formats.ts';
import type { Encoding } from './lines.ts';
import type { Position } from './row.ts';

/** Plain data, so that it can be kept as JSON. */
export interface TableShape {
  readonly format: InputFormat;
  /** of CSV and TSV */
  readonly delimiter: string;
  /** of cells that are not UTF-8; left out: see encoding.ts */
  readonly encoding?: Encoding;
  /** the first row is no row of names */
  readonly hasHeader: boolean;
  /** `column1`, … where the file has no header; of JSON Lines, the keys of the first object */
  readonly columns: readonly string[];
  /** which of the columns holds the names; of JSON Lines, its key */
  readonly nameColumn: number | string;
  /** where the rows begin, behind the header */
  readonly start: Position;
}
