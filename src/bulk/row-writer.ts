// Rows and their answers → text: the input's columns, the fields, and what went wrong.

import type { Answer } from './answered-names.ts';
import type { Row } from './row.ts';

export interface RowWriter {
  /** empty for JSON Lines, and for CSV where the input has no header */
  readonly header: string;
  /** The row, or with its problem one that could be read and cannot be written. Before it is asked for. */
  checked(row: Row): Row;
  /** Whole rows, each with its line end. */
  text(rows: readonly Row[], answers: readonly Answer[]): string;
  /** What the text of a row begins with, whatever its answer. */
  beginning(row: Row): string;
  /** Whether a text that begins with a row and ends with a line end holds all of that row. */
  isWhole(text: Buffer): boolean;
  /** The answer in the text of a row behind its beginning, values as they are written; null where it is none. */
  readAnswer(text: string): Answer | null;
}
