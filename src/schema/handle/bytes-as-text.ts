// A field whose text can be megabytes long. The text is made from bytes, in pieces, while the response is written.

import { isUtf8 } from 'node:buffer';
import { dataText, type HandleData } from '../../handle/data.ts';

/** If there are fewer bytes, the text is made at once. */
const LONG_BYTES = 64_000;
/** The largest piece. It is a multiple of 3, because base64 encodes groups of 3 bytes. */
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

  /** The size for the price: characters of hex and base64, bytes of UTF-8. */
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

  /** The whole text. graphql-js calls this method. */
  valueOf(): string {
    return this.#bytes.toString(this.#coding);
  }

  toJSON(): string {
    return this.valueOf();
  }
}

/** Whether a byte of UTF-8 continues a character. */
function isInCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

export function textIn(coding: 'hex' | 'base64', bytes: Buffer): string | BytesAsText {
  return bytes.length < LONG_BYTES ? bytes.toString(coding) : new BytesAsText(bytes, coding);
}

/** The text of the data, as `textOf` returns it. A long text is made later. */
export function textToWrite(data: HandleData): string | BytesAsText | null {
  const isLong = data.kind === 'binary' && data.bytes.length >= LONG_BYTES && isUtf8(data.bytes);
  return isLong ? new BytesAsText(data.bytes, 'utf8') : dataText(data);
}
