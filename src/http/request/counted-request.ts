// A request whose body is counted while it is read, and the id of each request.

import { randomBytes } from 'node:crypto';
import { IncomingMessage } from 'node:http';

/** Short and plain: it goes into headers and lines of the log as it is. */
export const PLAIN_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Another one in each process, so that no two workers or replicas give the same. */
const PROCESS = randomBytes(6).toString('base64url');

let made = 0;

/** What the client, or what stands before the gateway, calls it; where that is not plain, a new one. */
export function requestIdOf(sent: string | undefined): string {
  if (sent !== undefined && PLAIN_ID.test(sent)) return sent;
  made += 1;
  return `${PROCESS}-${made.toString(36)}`;
}

/** null: the end of the body */
export type OnPush = (chunk: Buffer | null) => void;

/** Chunks behind the first that are smaller than this are joined. */
const SMALL_BYTES = 512;

/** Its own class, so that all requests have one shape; a `push` put on each as it comes would give it another. */
export class CountedRequest extends IncomingMessage {
  onPush: OnPush | null = null;
  /** The gateway does not read its body yet. */
  isHeld = false;
  #hasBegun = false;

  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    this.onPush?.(chunk);
    // Most bodies come in one piece.
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
 * Small chunks of one request, for no longer than a turn of the event loop. A body of a megabyte may come byte by
 * byte: so many buffers, each until the last has come, would keep the garbage collector busy.
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

/** Whether the request takes more for now. */
function flushSmall(): boolean {
  const { of: request, bytes, buffer } = small;
  if (request === null) return true;
  small.of = null;
  small.bytes = 0;
  return request.pushJoined(Buffer.from(buffer.subarray(0, bytes)));
}
