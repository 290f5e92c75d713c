// Bytes as text that may be megabytes long: made when it is written, a piece at a time, and only once it has been paid.

import { isUtf8 } from 'node:buffer';
import { type HandleData, textOf } from '../../handle/data.ts';

/** Below this a text is made at once. */
const LONG_BYTES = 64_000;
/** Each is so many whole characters: a multiple of 3, for base64. */
const PIECE_BYTES = 12_000;

const CHARACTERS = {
  hex: (bytes: number) => 2 * bytes,
  base64: (bytes: number) => 4 * Math.ceil(bytes / 3),
  utf8: (bytes: number) => bytes,
} as const;

type Coding = keyof typeof CHARACTERS;

export class BytesAsText {
  readonly #bytes: Buffer;
  readonly #coding: Coding;

  constructor(bytes: Buffer, coding: Coding) {
    this.#bytes = bytes;
    this.#coding = coding;
  }

  /** The size that its price depends on: its characters, or its bytes for UTF-8. */
  get length(): number {
    return CHARACTERS[this.#coding](this.#bytes.length);
  }

  *pieces(): Generator<string, void> {
    const bytes = this.#bytes;
    for (let from = 0; from < bytes.length; ) {
      let to = Math.min(from + PIECE_BYTES, bytes.length);
      if (this.#coding === 'utf8') while (isInCharacter(bytes[to])) to -= 1;
      yield bytes.toString(this.#coding, from, to);
      from = to;
    }
  }

  /** The whole text: graphql-js asks for it by this name. */
  valueOf(): string {
    return this.#bytes.toString(this.#coding);
  }

  toJSON(): string {
    return this.valueOf();
  }
}

/** Whether a byte of UTF-8 goes on with a character. */
function isInCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

export function textIn(coding: 'hex' | 'base64', bytes: Buffer): string | BytesAsText {
  return bytes.length < LONG_BYTES ? bytes.toString(coding) : new BytesAsText(bytes, coding);
}

/** The same as `textOf`, where it is long made later. */
export function textToWrite(data: HandleData): string | BytesAsText | null {
  const isLong = data.kind === 'binary' && data.bytes.length >= LONG_BYTES && isUtf8(data.bytes);
  return isLong ? new BytesAsText(data.bytes, 'utf8') : textOf(data);
}
