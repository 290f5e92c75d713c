// Splits the bytes of a file into records. First splits the bytes into lines with positions. Then joins the lines of a
// record, because a quoted cell of CSV can contain line ends. If a quotation mark is not closed, only its line is unreadable.
// Also decodes the text of records. Older spreadsheets write Windows-1252, so the decoder guesses Windows-1252 for a row that
// is not UTF-8. The program uses such a row only if its name is ASCII, because a wrong guess cannot change an ASCII name.

import { isUtf8 } from 'node:buffer';
import { csvCells } from './csv-cells.ts';
import type { Position, RowProblemCode } from './row.ts';
import type { FileEncoding, InputFormat } from './table-shape.ts';
import { decodeWindows1252 } from './windows-1252.ts';

export interface DecodedText {
  readonly text: string;
  /** true if the bytes are not UTF-8 and the user gave no encoding, so that Windows-1252 is a guess */
  readonly isGuessed: boolean;
}

/** Returns null if the bytes are not in the encoding. @param encoding default: UTF-8, or else Windows-1252 as a guess */
export function decodeInput(bytes: Buffer, encoding: FileEncoding | undefined): DecodedText | null {
  if (encoding === 'windows-1252') return { text: decodeWindows1252(bytes), isGuessed: false };
  if (isUtf8(bytes)) return { text: bytes.toString(), isGuessed: false };
  return encoding === 'utf-8' ? null : { text: decodeWindows1252(bytes), isGuessed: true };
}

/** Whether the name would be the same in every encoding, or the encoding is known. */
export function isCertain({ isGuessed }: DecodedText, name: string): boolean {
  return !isGuessed || /^\p{ASCII}*$/u.test(name);
}

interface Line {
  readonly start: Position;
  /** the position after the line end */
  readonly end: Position;
  /** the line without its line end. If the line is too long: only its beginning. */
  readonly bytes: Buffer;
  readonly isTooLong: boolean;
  readonly endsWith: '\n' | '\r\n' | '\r' | '';
}

const LF = 0x0a;
const CR = 0x0d;
export const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** If a line is too long, the splitter keeps this many bytes, so that people can find the line. */
const EXCERPT_BYTES = 200;

/** What ends a line: a line feed, which a return can precede, or a return alone, as in files of old spreadsheets. */
export type LineEnd = 'LF' | 'CR';

export class LineSplitter {
  readonly #maxBytes: number;
  #at: Position;
  /** null: no line has ended yet */
  #lineEnd: LineEnd | null;
  /** the chunks of the incomplete line */
  #parts: Buffer[] = [];
  #bytes = 0;

  /** @param lineEnd default: the first line end of the text decides */
  constructor(at: Position, maxBytes: number, lineEnd: LineEnd | null = null) {
    this.#at = at;
    this.#maxBytes = maxBytes;
    this.#lineEnd = lineEnd;
  }

  get lineEnd(): LineEnd | null {
    return this.#lineEnd;
  }

  push(chunk: Buffer): Line[] {
    let rest = chunk;
    // A return at the end of a chunk can precede a line feed. So the next chunk decides.
    if (this.#lineEnd === null && this.#parts.at(-1)?.at(-1) === CR && this.#bytes <= this.#maxBytes) {
      rest = Buffer.concat([...this.#parts, chunk]);
      this.#parts = [];
      this.#bytes = 0;
    }
    this.#lineEnd ??= lineEndOf(rest);
    const mark = this.#lineEnd === 'CR' ? CR : LF;
    const lines: Line[] = [];
    let from = 0;
    for (let to = rest.indexOf(mark); to !== -1; to = rest.indexOf(mark, from)) {
      this.#keep(rest.subarray(from, to));
      lines.push(this.#take(1));
      from = to + 1;
    }
    this.#keep(rest.subarray(from));
    return lines;
  }

  /** Returns the text after the last line end, as the last line. */
  end(): Line[] {
    return this.#bytes === 0 ? [] : [this.#take(0)];
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    const before = this.#bytes;
    this.#bytes += part.length;
    if (before > this.#maxBytes) return;
    this.#parts.push(part);
    if (this.#bytes > this.#maxBytes) {
      this.#parts = [Buffer.from(Buffer.concat(this.#parts).subarray(0, EXCERPT_BYTES))];
    }
  }

  #take(marks: 0 | 1): Line {
    const [only] = this.#parts;
    const whole = this.#parts.length === 1 && only ? only : Buffer.concat(this.#parts);
    const isTooLong = this.#bytes > this.#maxBytes;
    const start = this.#at;
    const end = { offset: start.offset + this.#bytes + marks, line: start.line + marks };
    const isOld = this.#lineEnd === 'CR';
    const hasReturn = marks === 1 && !isOld && !isTooLong && whole.at(-1) === CR;
    const hasMark = start.offset === 0 && whole.subarray(0, 3).equals(BYTE_ORDER_MARK);
    this.#at = end;
    this.#parts = [];
    this.#bytes = 0;
    return {
      start,
      end,
      bytes: whole.subarray(hasMark ? 3 : 0, whole.length - (hasReturn ? 1 : 0)),
      isTooLong,
      endsWith: marks === 0 ? '' : isOld ? '\r' : hasReturn ? '\r\n' : '\n',
    };
  }
}

/** Null if the chunk does not show the line end. */
function lineEndOf(chunk: Buffer): LineEnd | null {
  if (chunk.includes(LF)) return 'LF';
  const firstReturn = chunk.indexOf(CR);
  return firstReturn === -1 || firstReturn === chunk.length - 1 ? null : 'CR';
}

function isBlank({ bytes, isTooLong }: Line): boolean {
  return !isTooLong && bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === CR || byte === LF);
}

/** The text of one row. */
export interface RowRecord {
  readonly start: Position;
  readonly end: Position;
  /** the row without its line end. If the fault is `TOO_LONG`: only its beginning. */
  readonly bytes: Buffer;
  readonly fault: RowProblemCode | null;
}

/** The caller passes the lines in order, and null at the end of the file. Returns the records that are complete. */
type RecordFramer = (line: Line | null) => readonly RowRecord[];

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
    if (line.isTooLong || bytes > maxBytes || open.length > MAX_LINES_PER_RECORD) failFirstLine();
    else if (!hasEvenQuotes(line.bytes)) {
      const record = joined(open);
      const text = record.bytes.toString();
      if (delimiters.every((delimiter) => csvCells(text, delimiter) === null)) failFirstLine();
      else {
        records.push(record);
        open = [];
      }
    }
  }

  /** Marks the first open line as faulty, and begins a record at each other line. Only the last line can stay open. */
  function failFirstLine(): void {
    const [first, ...others] = open as [Line, ...Line[]];
    records.push(ofLine(first, 'UNBALANCED_QUOTE'));
    open = [];
    for (const line of others) begin(line);
  }

  return (line) => {
    records = [];
    if (line === null) while (open.length > 0) failFirstLine();
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
