// JSON under construction. Short JSON is one string. Long JSON is a list of buffers, which are never joined.

/** A longer text becomes a buffer. A text of this length is encoded within a slice. */
const PIECE_CHARACTERS = 32_000;

/** JSON, or the beginning of JSON. After a call of `append`, do not use its arguments again. */
export type WrittenJson = string | Pieces;

export class Pieces {
  readonly #buffers: Buffer[] = [];
  /** the text after the last buffer */
  #tail = '';

  add(more: WrittenJson): this {
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
    // `allocUnsafeSlow` uses no shared pool: a small buffer would keep a whole block of the pool in memory.
    const buffer = Buffer.allocUnsafeSlow(bytes);
    buffer.write(this.#tail);
    this.#buffers.push(buffer);
    this.#tail = '';
  }
}

/** Returns `before`, then `more`. Can change `before`. */
export function append(before: WrittenJson, more: WrittenJson): WrittenJson {
  if (typeof before !== 'string') return before.add(more);
  if (typeof more === 'string' && before.length + more.length < PIECE_CHARACTERS) return before + more;
  return new Pieces().add(before).add(more);
}

export function isWritten(value: unknown): value is WrittenJson {
  return typeof value === 'string' || value instanceof Pieces;
}

export class WrittenErrors {
  length = 0;
  #list: WrittenJson = '';

  /** @param error as JSON */
  add(error: string): void {
    this.#list = append(this.#list, this.length === 0 ? error : `,${error}`);
    this.length += 1;
  }

  /** `"errors":[…],`, or an empty text if there are no errors. The caller must not add errors afterwards. */
  written(): WrittenJson {
    return this.length === 0 ? '' : append(append('"errors":[', this.#list), '],');
  }
}

/** `{"errors":[…],"data":…}`, as one text or as a list of buffers. */
export function wholeResponse(data: WrittenJson, errors: WrittenErrors): string | readonly Uint8Array[] {
  const json = append(append(append(append('{', errors.written()), '"data":'), data), '}');
  return typeof json === 'string' ? json : json.buffers();
}
