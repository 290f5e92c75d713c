// An IncomingMessage that reports each arriving chunk of its body, and joins small chunks.

import { IncomingMessage } from 'node:http';
import { TURNS } from '../../turns.ts';

/** Called with each chunk of the body, and with null at its end. */
export type OnPush = (chunk: Buffer | null) => void;

/** Smaller chunks are joined. The first chunk is never joined, because most bodies have only one chunk. */
const SMALL_BYTES = 512;

/** A subclass, because setting `push` on each request would give each request its own object shape. */
export class IncomingRequest extends IncomingMessage {
  onPush: OnPush | null = null;
  /** the memory for the head */
  headBytes = 0;
  /** whether too little memory is free for its large head */
  isRefused = false;
  /** whether the body waits until the gateway has memory for it */
  isHeld = false;
  #hasBegun = false;

  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    this.onPush?.(chunk);
    if (this.#hasBegun) {
      if (chunk !== null && chunk.length < SMALL_BYTES) return joinSmall(this, chunk);
      flushSmall();
    }
    this.#hasBegun = true;
    return super.push(chunk, encoding);
  }

  pushJoined(chunk: Buffer): boolean {
    return super.push(chunk);
  }
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * The small chunks of one request that arrived together. If a body of a megabyte arrives
 * byte by byte, a million buffers would keep the garbage collector busy.
 */
const small = { request: null as IncomingRequest | null, bytes: 0, buffer: Buffer.alloc(16_384) };

function joinSmall(request: IncomingRequest, chunk: Buffer): boolean {
  let canTakeMore = true;
  if (small.request !== request || small.bytes + chunk.length > small.buffer.length)
    canTakeMore = flushSmall();
  if (small.request === null) TURNS.runLater(flushSmall);
  small.request = request;
  small.bytes += chunk.copy(small.buffer, small.bytes);
  return canTakeMore;
}

/** Gives the joined chunks to their request. Returns false if the buffer of the request is full. */
function flushSmall(): boolean {
  const { request, bytes, buffer } = small;
  if (request === null) return true;
  small.request = null;
  small.bytes = 0;
  return request.pushJoined(Buffer.from(buffer.subarray(0, bytes)));
}
