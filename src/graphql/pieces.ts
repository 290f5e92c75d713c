// JSON as it grows: one text while it is short, and pieces of UTF-8 once it is long, so that a long answer is never
// put together in one place.

/** Long enough to be worth a piece, short enough to be made within a slice of work. */
const PIECE_CHARACTERS = 32_000;

/** JSON, or the beginning of it. Pieces belong to one value alone: what is written around it goes on in them. */
export type Written = string | Pieces;

export class Pieces {
  readonly #buffers: Buffer[] = [];
  /** what is not yet a piece */
  #tail = '';

  add(more: Written): this {
    if (typeof more === 'string') {
      this.#tail += more;
      if (this.#tail.length >= PIECE_CHARACTERS) this.#flush();
      return this;
    }
    this.#flush();
    for (const buffer of more.#buffers) this.#buffers.push(buffer);
    this.#tail = more.#tail;
    return this;
  }

  /** @param bytes of whole characters; they stay as they are */
  addBytes(bytes: Buffer): this {
    this.#flush();
    this.#buffers.push(bytes);
    return this;
  }

  /** In order, all of it. */
  buffers(): readonly Buffer[] {
    this.#flush();
    return this.#buffers;
  }

  #flush(): void {
    if (this.#tail === '') return;
    const bytes = Buffer.byteLength(this.#tail);
    // Of its own memory: a piece of a shared block would keep all of the block.
    const buffer = Buffer.allocUnsafeSlow(bytes);
    buffer.write(this.#tail);
    this.#buffers.push(buffer);
    this.#tail = '';
  }
}

/** `before`, which is used up, and `more` behind it. */
export function appended(before: Written, more: Written): Written {
  if (typeof before !== 'string') return before.add(more);
  if (typeof more === 'string' && before.length + more.length < PIECE_CHARACTERS) return before + more;
  return new Pieces().add(before).add(more);
}

export function isWritten(value: unknown): value is Written {
  return typeof value === 'string' || value instanceof Pieces;
}

/** The errors of an answer, in the order in which they happen. */
export class WrittenErrors {
  length = 0;
  #list: Written = '';

  /** @param error as JSON */
  add(error: string): void {
    this.#list = appended(this.#list, this.length === 0 ? error : `,${error}`);
    this.length += 1;
  }

  /** `"errors":[…],`; empty where there are none. Nothing may be added afterwards. */
  written(): Written {
    return this.length === 0 ? '' : appended(appended('"errors":[', this.#list), '],');
  }
}

/** `{"errors":[…],"data":…}`: one text, or all of it in pieces. */
export function wholeAnswer(data: Written, errors: WrittenErrors): string | readonly Uint8Array[] {
  const answer = appended(appended(appended(appended('{', errors.written()), '"data":'), data), '}');
  return typeof answer === 'string' ? answer : answer.buffers();
}
