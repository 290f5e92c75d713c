// An IncomingMessage that reports the arriving bytes of its body, and the id of each request.

import { randomBytes } from 'node:crypto';
import { IncomingMessage } from 'node:http';

/** An id goes into headers and log lines without escapes, so it must be short and plain. */
export const PLAIN_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Random in each process, so that two workers or replicas never make the same id. */
const PROCESS = randomBytes(6).toString('base64url');

let made = 0;

/** The X-Request-Id of the client or of a balancer. If it is missing or not plain, a new id. */
export function requestIdOf(sent: string | undefined): string {
  if (sent !== undefined && PLAIN_ID.test(sent)) return sent;
  made += 1;
  return `${PROCESS}-${made.toString(36)}`;
}

/** Called with each chunk of the body, and with null at its end. */
export type OnPush = (chunk: Buffer | null) => void;

/** After the first chunk, smaller chunks than this are joined. */
const SMALL_BYTES = 512;

/** A class, so that all requests have the same object shape. To set `push` on each request would change its shape. */
export class CountedRequest extends IncomingMessage {
  onPush: OnPush | null = null;
  /** whether the gateway does not read the body yet */
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
 * Collects small chunks of one request, for at most one slice of the event loop. A body of a megabyte may arrive byte by
 * byte. A million buffers would keep the garbage collector busy.
 */
const small = { of: null as CountedRequest | null, bytes: 0, buffer: Buffer.alloc(16_384) };

function joinSmall(request: CountedRequest, chunk: Buffer): boolean {
  let takesMore = true;
  if (small.of !== request || small.bytes + chunk.length > small.buffer.length) takesMore = flushSmall();
  if (small.of === null) setImmediate(flushSmall);
  small.of = request;
  small.bytes += chunk.copy(small.buffer, small.bytes);
  return takesMore;
}

/** Passes the joined chunks on. Returns false if the request's buffer is full. */
function flushSmall(): boolean {
  const { of: request, bytes, buffer } = small;
  if (request === null) return true;
  small.of = null;
  small.bytes = 0;
  return request.pushJoined(Buffer.from(buffer.subarray(0, bytes)));
}
