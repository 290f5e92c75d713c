// JSON under construction. Short JSON is one string. Long JSON is a list of buffers, which are never joined.

/** Long enough for a buffer, and short enough to be encoded within a slice. */
const PIECE_CHARACTERS = 32_000;

/** JSON, or the beginning of JSON. Do not use a value again after it was appended to another value. */
export type Written = string | Pieces;

export class Pieces {
  readonly #buffers: Buffer[] = [];
  /** the text after the last buffer */
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

  /** @param bytes whole characters in UTF-8; not copied */
  addBytes(bytes: Buffer): this {
    this.#flush();
    this.#buffers.push(bytes);
    return this;
  }

  buffers(): readonly Buffer[] {
    this.#flush();
    return this.#buffers;
  }

  #flush(): void {
    if (this.#tail === '') return;
    const bytes = Buffer.byteLength(this.#tail);
    // In its own memory: a part of Node's shared pool would keep the whole block of the pool.
    const buffer = Buffer.allocUnsafeSlow(bytes);
    buffer.write(this.#tail);
    this.#buffers.push(buffer);
    this.#tail = '';
  }
}

/** `before` and then `more`. Do not use either of them afterwards. */
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

  /** `"errors":[…],`, or an empty text if there are no errors. Add no error afterwards. */
  written(): Written {
    return this.length === 0 ? '' : appended(appended('"errors":[', this.#list), '],');
  }
}

/** `{"errors":[…],"data":…}`, as one text or as a list of buffers. */
export function wholeAnswer(data: Written, errors: WrittenErrors): string | readonly Uint8Array[] {
  const answer = appended(appended(appended(appended('{', errors.written()), '"data":'), data), '}');
  return typeof answer === 'string' ? answer : answer.buffers();
}
