// Bytes → lines, each with its place. What is longer than may be is let go of while it arrives.

import type { Position } from './row.ts';

export interface Line {
  readonly start: Position;
  /** behind its line end */
  readonly end: Position;
  /** without its line end; of a line that is too long, its beginning */
  readonly bytes: Buffer;
  readonly isTooLong: boolean;
  readonly endsWith: '\n' | '\r\n' | '';
}

const LF = 0x0a;
const CR = 0x0d;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** What is kept of a line that is too long, for people to find it. */
const EXCERPT_BYTES = 200;

export class LineSplitter {
  readonly #maxBytes: number;
  #at: Position;
  /** of the line that has begun */
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(at: Position, maxBytes: number) {
    this.#at = at;
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let to = chunk.indexOf(LF); to !== -1; to = chunk.indexOf(LF, from)) {
      this.#keep(chunk.subarray(from, to));
      lines.push(this.#take(1));
      from = to + 1;
    }
    this.#keep(chunk.subarray(from));
    return lines;
  }

  /** What stands behind the last line end. */
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

  #take(lineFeed: 0 | 1): Line {
    const [only] = this.#parts;
    const whole = this.#parts.length === 1 && only ? only : Buffer.concat(this.#parts);
    const isTooLong = this.#bytes > this.#maxBytes;
    const start = this.#at;
    const end = { offset: start.offset + this.#bytes + lineFeed, line: start.line + lineFeed };
    const hasReturn = lineFeed === 1 && !isTooLong && whole.at(-1) === CR;
    const hasMark = start.offset === 0 && whole.subarray(0, 3).equals(BYTE_ORDER_MARK);
    this.#at = end;
    this.#parts = [];
    this.#bytes = 0;
    return {
      start,
      end,
      bytes: whole.subarray(hasMark ? 3 : 0, whole.length - (hasReturn ? 1 : 0)),
      isTooLong,
      endsWith: lineFeed === 0 ? '' : hasReturn ? '\r\n' : '\n',
    };
  }
}

/** Blank lines are no rows. */
export function isBlank({ bytes, isTooLong }: Line): boolean {
  return !isTooLong && bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === CR);
}
