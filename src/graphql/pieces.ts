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

/** `{"errors":[…],"data":…}`: one text, or all of it in pieces. @param errors each as JSON */
export function wholeAnswer(data: Written, errors: readonly string[]): string | readonly Uint8Array[] {
  let answer: Written = '{';
  errors.forEach((error, at) => {
    answer = appended(answer, at === 0 ? `"errors":[${error}` : `,${error}`);
  });
  answer = appended(answer, errors.length === 0 ? '"data":' : '],"data":');
  answer = appended(appended(answer, data), '}');
  return typeof answer === 'string' ? answer : answer.buffers();
}
