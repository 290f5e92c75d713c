// Splits bytes into lines with positions, and decodes their text. Older spreadsheets write Windows-1252. So a row that is
// not UTF-8 is read as Windows-1252 if its name is ASCII. Then a wrong guess can only change other cells.

import { isUtf8 } from 'node:buffer';
import type { Position } from './row.ts';

export const ENCODINGS = ['utf-8', 'windows-1252'] as const;
export type FileEncoding = (typeof ENCODINGS)[number];

/** The characters of the bytes 80 to 9F; all others are as in Latin-1. The TextDecoder of Node 20 gets these bytes wrong. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ';

function ofWindows1252(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  return text.replaceAll(
    /[\x80-\x9F]/g,
    (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80] as string,
  );
}

export interface DecodedText {
  readonly text: string;
  /** whether the encoding is a guess: the bytes are not UTF-8, and the user gave no encoding */
  readonly isGuessed: boolean;
}

/** Null if the bytes are not in the encoding. @param encoding default: UTF-8, and Windows-1252 as a guess for other bytes */
export function decoded(bytes: Buffer, encoding: FileEncoding | undefined): DecodedText | null {
  if (encoding === 'windows-1252') return { text: ofWindows1252(bytes), isGuessed: false };
  if (isUtf8(bytes)) return { text: bytes.toString(), isGuessed: false };
  return encoding === 'utf-8' ? null : { text: ofWindows1252(bytes), isGuessed: true };
}

/** Whether a name in this text is right even if the encoding was guessed wrongly. */
export function isCertain({ isGuessed }: DecodedText, name: string): boolean {
  return !isGuessed || /^\p{ASCII}*$/u.test(name);
}

export interface Line {
  readonly start: Position;
  /** the position after its line end */
  readonly end: Position;
  /** the line without its line end; only the beginning of a line that is too long */
  readonly bytes: Buffer;
  readonly isTooLong: boolean;
  readonly endsWith: '\n' | '\r\n' | '';
}

const LF = 0x0a;
const CR = 0x0d;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** The part of a too long line that is kept, so that people can find it. */
const EXCERPT_BYTES = 200;

export class LineSplitter {
  readonly #maxBytes: number;
  #at: Position;
  /** the parts of the incomplete line */
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

  /** The text after the last line end, as the last line. */
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

/** A blank line is not a row. */
export function isBlank({ bytes, isTooLong }: Line): boolean {
  return !isTooLong && bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === CR);
}
