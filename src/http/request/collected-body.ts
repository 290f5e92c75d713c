// Collects the body of a request, and limits its bytes.

import { GatewayError } from '../../errors.ts';

const NO_BODY = Buffer.alloc(0);

/** Collects a body, which can arrive byte by byte. */
export class CollectedBody {
  bytes = 0;
  readonly #length: number;
  #buffer: Buffer = NO_BODY;

  /** @param length the Content-Length; 0 if it is missing */
  constructor(length: number) {
    this.#length = length;
  }

  add(chunk: Buffer): void {
    const bytes = this.bytes + chunk.length;
    // Most bodies arrive in one chunk. Then no copy is necessary.
    if (this.bytes === 0 && chunk.length >= this.#length) this.#buffer = chunk;
    else {
      if (bytes > this.#buffer.length) this.#grow(bytes);
      chunk.copy(this.#buffer, this.bytes);
    }
    this.bytes = bytes;
  }

  drop(): void {
    this.bytes = Number.POSITIVE_INFINITY;
    this.#buffer = NO_BODY;
  }

  whole(): Buffer {
    // Avoids `subarray` if possible, because `subarray` takes as long as reading a short body.
    return this.bytes === this.#buffer.length ? this.#buffer : this.#buffer.subarray(0, this.bytes);
  }

  #grow(bytes: number): void {
    // Doubling keeps the number of copies small.
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#length, 2 * bytes));
    this.#buffer.copy(larger, 0, 0, this.bytes);
    this.#buffer = larger;
  }
}

/** Passes the parts on. Throws LIMIT_EXCEEDED if they are longer than `maxBytes` together. */
export async function* limitBytes(
  parts: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const part of parts) {
    bytes += part.byteLength;
    if (bytes > maxBytes) throw bodyTooLarge();
    yield part;
  }
}

export function bodyTooLarge(): GatewayError {
  return new GatewayError('LIMIT_EXCEEDED', {
    message: 'The request body is larger than this gateway allows. Send fewer inputs at once.',
    httpStatus: 413,
  });
}

export function bodyIncomplete(cause?: unknown): GatewayError {
  return new GatewayError('BAD_USER_INPUT', { message: 'The request body is incomplete.', cause });
}
