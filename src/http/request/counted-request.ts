// An IncomingMessage that reports each arriving chunk of its body, and joins small chunks.

import { IncomingMessage } from 'node:http';

/** Called with each chunk of the body, and with null at its end. */
export type OnPush = (chunk: Buffer | null) => void;

/** Smaller chunks are joined, except for the first chunk. */
const SMALL_BYTES = 512;

/** A subclass, because setting `push` on each request would give each request its own object shape. */
export class CountedRequest extends IncomingMessage {
  onPush: OnPush | null = null;
  /** whether the body waits until the gateway has memory for it */
  isHeld = false;
  #hasBegun = false;

  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    this.onPush?.(chunk);
    // The first chunk is never joined, because most bodies have only one.
    if (this.#hasBegun) {
      if (chunk !== null && chunk.length < SMALL_BYTES) return joinSmall(this, chunk);
      flushSmall();
    }
    this.#hasBegun = true;
    return super.push(chunk, encoding);
  }

  pushJoined(part: Buffer): boolean {
    return super.push(part);
  }
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * The small chunks of one request that arrived in the present turn of the event loop. If a body of a megabyte arrives
 * byte by byte, a million buffers would keep the garbage collector busy.
 */
const small = { of: null as CountedRequest | null, bytes: 0, buffer: Buffer.alloc(16_384) };

function joinSmall(request: CountedRequest, chunk: Buffer): boolean {
  let hasRoom = true;
  if (small.of !== request || small.bytes + chunk.length > small.buffer.length) hasRoom = flushSmall();
  if (small.of === null) setImmediate(flushSmall);
  small.of = request;
  small.bytes += chunk.copy(small.buffer, small.bytes);
  return hasRoom;
}

/** Gives the joined chunks to their request. Returns false if the buffer of the request is full. */
function flushSmall(): boolean {
  const { of: request, bytes, buffer } = small;
  if (request === null) return true;
  small.of = null;
  small.bytes = 0;
  return request.pushJoined(Buffer.from(buffer.subarray(0, bytes)));
}
