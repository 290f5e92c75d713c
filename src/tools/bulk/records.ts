// Joins lines to records, because a quoted cell of CSV can contain line ends. If a quotation mark is not closed, only its
// own line is unreadable. Each line is read at most twice.

import { csvCells } from './csv-cells.ts';
import type { InputFormat } from './formats.ts';
import { isBlank, type Line } from './lines.ts';
import type { Position, RowProblemCode } from './row.ts';

/** The text of one row. */
export interface RowRecord {
  readonly start: Position;
  readonly end: Position;
  /** the row without its line end. If the fault is `TOO_LONG`: only its beginning. */
  readonly bytes: Buffer;
  readonly fault: RowProblemCode | null;
}

/** The caller passes the lines in order, and null at the end of the file. Returns the records that are complete. */
export type RecordFramer = (line: Line | null) => readonly RowRecord[];

const MAX_LINES_PER_RECORD = 1_000;

/** @param delimiters the possible delimiters of CSV */
export function createFramer(
  format: InputFormat,
  maxBytes: number,
  delimiters: readonly string[] = [',', ';', '|'],
): RecordFramer {
  if (format === 'csv') return csvFramer(maxBytes, delimiters);
  return (line) => (line === null || isBlank(line) ? [] : [ofLine(line)]);
}

function csvFramer(maxBytes: number, delimiters: readonly string[]): RecordFramer {
  /** the lines of an incomplete record. Only the first of these lines has an odd number of quotation marks. */
  let open: Line[] = [];
  let records: RowRecord[] = [];

  function begin(line: Line): void {
    if (!line.isTooLong && !hasEvenQuotes(line.bytes)) open = [line];
    else if (!isBlank(line)) records.push(ofLine(line));
  }

  function continueRecord(line: Line): void {
    open.push(line);
    const bytes = line.end.offset - (open[0] as Line).start.offset;
    if (line.isTooLong || bytes > maxBytes || open.length > MAX_LINES_PER_RECORD) giveUp();
    else if (!hasEvenQuotes(line.bytes)) {
      const record = joined(open);
      const text = record.bytes.toString();
      if (delimiters.every((delimiter) => csvCells(text, delimiter) === null)) giveUp();
      else {
        records.push(record);
        open = [];
      }
    }
  }

  /** Marks the first open line as faulty, and reads the other open lines again. Only the last line can open a cell again. */
  function giveUp(): void {
    const [first, ...others] = open as [Line, ...Line[]];
    records.push(ofLine(first, 'UNBALANCED_QUOTE'));
    open = [];
    for (const line of others) begin(line);
  }

  return (line) => {
    records = [];
    if (line === null) while (open.length > 0) giveUp();
    else if (open.length === 0) begin(line);
    else continueRecord(line);
    return records;
  };
}

function ofLine({ start, end, bytes, isTooLong }: Line, fault: RowProblemCode | null = null): RowRecord {
  return { start, end, bytes, fault: isTooLong ? 'TOO_LONG' : fault };
}

function joined(lines: readonly Line[]): RowRecord {
  const [first, last] = [lines[0] as Line, lines.at(-1) as Line];
  const parts = lines.flatMap((line) =>
    line === last ? [line.bytes] : [line.bytes, Buffer.from(line.endsWith)],
  );
  return { start: first.start, end: last.end, bytes: Buffer.concat(parts), fault: null };
}

const QUOTE = 0x22;

/** A complete record has an even number of quotation marks. */
export function hasEvenQuotes(bytes: Buffer): boolean {
  let isEven = true;
  for (let at = bytes.indexOf(QUOTE); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) isEven = !isEven;
  return isEven;
}
