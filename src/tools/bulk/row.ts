// A row of a file of names: where it stands, what is in it, or why it cannot be read.

/** A place between two rows. */
export interface Position {
  /** bytes of the file before it */
  readonly offset: number;
  /** the number of the line that begins there, from 1 */
  readonly line: number;
}

export interface Row {
  readonly start: Position;
  /** behind its line end */
  readonly end: Position;
  /** what is to be asked for, as it stands there; null with a problem */
  readonly name: string | null;
  /** of CSV, TSV and plain lines, as many as the table has columns; empty with a problem, and for JSON Lines */
  readonly cells: readonly string[];
  /** for JSON Lines and with a problem: the row as it stands there; the beginning of one that is too long */
  readonly text: string;
  /** of JSON Lines, what the text holds; else null */
  readonly object: Readonly<Record<string, unknown>> | null;
  readonly problem: RowProblem | null;
  /** its bytes are not UTF-8 and were taken for Windows-1252 */
  readonly isGuessed?: boolean;
}

export interface RowProblem {
  readonly code: RowProblemCode;
  /** for people: what is wrong, and what to do */
  readonly message: string;
}

export const ROW_PROBLEMS = {
  TOO_LONG: 'The row is longer than may be. Is a quotation mark left open?',
  INVALID_UTF8: 'The row is not UTF-8. Save the file as UTF-8, or give --encoding windows-1252.',
  UNBALANCED_QUOTE:
    'A quotation mark is not closed, or stands where none may be. In a cell it is written twice.',
  TOO_FEW_COLUMNS: 'The row has fewer cells than the table has columns.',
  TOO_MANY_COLUMNS: 'The row has more cells than the table has columns. Is a cell with a comma not quoted?',
  BAD_JSON: 'The line is no JSON object.',
  NO_NAME: 'The object has no text under the key that names are asked for by.',
  UNKNOWN_KEY: 'The object has a key that the first one has not, and CSV no column for it. Write JSON Lines.',
  TAKEN_KEY: 'The object has a key that the answer would take. Give --prefix.',
} as const;

export type RowProblemCode = keyof typeof ROW_PROBLEMS;

/** The row as one that nothing is asked for. */
export function brokenRow(start: Position, end: Position, text: string, code: RowProblemCode): Row {
  const problem = { code, message: ROW_PROBLEMS[code] };
  return { start, end, name: null, cells: [], text, object: null, problem };
}
