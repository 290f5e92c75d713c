// A row of a file of names: its position, and its content or its problem.

/** A position between two rows. */
export interface Position {
  /** the number of bytes of the file before the position */
  readonly offset: number;
  /** the number of the line that begins at the position, from 1 */
  readonly line: number;
}

export interface Row {
  readonly start: Position;
  /** the position after the line end */
  readonly end: Position;
  /** the name as written; null if the row has a problem */
  readonly name: string | null;
  /** one cell for each column of CSV, TSV and plain lines. The list is empty for JSON Lines, and if the row has a problem. */
  readonly cells: readonly string[];
  /** The row as written, for JSON Lines and for a row with a problem; else empty. A row that is too long is cut. */
  readonly text: string;
  /** the object of a row of JSON Lines; else null */
  readonly object: Readonly<Record<string, unknown>> | null;
  readonly problem: RowProblem | null;
  /** true if the bytes of the row are not UTF-8, and were read as Windows-1252 */
  readonly isGuessed?: boolean;
  /** the row of the file with several names that this row replaces, together with other rows */
  readonly whole?: Row;
}

export interface RowProblem {
  readonly code: RowProblemCode;
  /** for people: the fault and the remedy */
  readonly message: string;
}

export const ROW_PROBLEMS = {
  TOO_LONG: 'The row is too long. Is a quotation mark not closed?',
  INVALID_UTF8: 'The row is not UTF-8. Save the file as UTF-8, or give --encoding windows-1252.',
  UNBALANCED_QUOTE: 'A quotation mark is not closed, or is misplaced. Inside a cell, write it twice.',
  TOO_FEW_COLUMNS: 'The row has fewer cells than the table has columns.',
  TOO_MANY_COLUMNS: 'The row has more cells than the table has columns. Is a cell with a comma not quoted?',
  BAD_JSON: 'The line is not a JSON object.',
  NO_NAME: 'The object has no text under the key of the names.',
  UNKNOWN_KEY:
    'The object has a key that the first object lacks, so CSV has no column for it. Write JSON Lines.',
  TAKEN_KEY: 'The object already has a key of the answer. Give --prefix.',
} as const;

export type RowProblemCode = keyof typeof ROW_PROBLEMS;

/** Creates a row with a problem. Such a row gets no look-up. */
export function brokenRow(start: Position, end: Position, text: string, code: RowProblemCode): Row {
  const problem = { code, message: ROW_PROBLEMS[code] };
  return { start, end, name: null, cells: [], text, object: null, problem };
}

/** Parses a JSON object. Returns null if the text is not a JSON object. */
export function objectOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
