// Writes a response to the client. Writes a long body only as fast as the client reads.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpResponse } from '../request/exchange.ts';

/** A response that is ready to be sent. */
export interface FinishedResponse {
  readonly status: number;
  /** Alternating names and values, because node:http writes this form fastest. */
  readonly headers: readonly string[];
  readonly body: HttpResponse['body'];
  /** the length of a complete body; null if the body comes in parts */
  readonly bytes: number | null;
}

/** A complete body. Several pieces stay apart, because joining them would need twice the memory. */
export type WholeBody = string | Uint8Array | readonly Uint8Array[];

export function isWhole(body: HttpResponse['body']): body is WholeBody {
  return typeof body === 'string' || body instanceof Uint8Array || isInPieces(body);
}

export function isInPieces(body: unknown): body is readonly Uint8Array[] {
  return Array.isArray(body);
}

export function bytesOf(body: WholeBody): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  return isInPieces(body) ? body.reduce((bytes, piece) => bytes + piece.byteLength, 0) : body.byteLength;
}

/** The gateway writes at most this many bytes of a body to the socket at once. */
const PART_BYTES = 65_536;

export function* partsOf(body: WholeBody): Generator<Uint8Array> {
  const pieces = isInPieces(body) ? body : [typeof body === 'string' ? Buffer.from(body) : body];
  for (const piece of pieces) {
    for (let at = 0; at < piece.byteLength; at += PART_BYTES) yield piece.subarray(at, at + PART_BYTES);
  }
}

/**
 * Writes a long body, or a body in parts, as fast as the client reads. Returns a promise for the end of such a body,
 * else undefined. If a part fails, destroys the connection, so that the client notices the missing end.
 */
export function sendResponse(
  response: ServerResponse,
  { status, headers, body, bytes }: FinishedResponse,
): Promise<void> | undefined {
  // The limits for slow clients read this header with `getHeader`, which does not return headers of `writeHead`.
  const isLong = bytes !== null && bytes > PART_BYTES;
  if (isLong) response.setHeader('Content-Length', bytes);
  response.writeHead(status, headers as string[]);
  if (body !== null && (isLong || !isWhole(body))) {
    return writeParts(response, isWhole(body) ? partsOf(body) : body).catch(() => void response.destroy());
  }
  if (typeof body === 'string' && response.socket !== null) sendText(response, response.socket, body);
  // In response to HEAD, Node omits the body.
  else response.end(isInPieces(body) ? Buffer.concat(body) : body);
  return undefined;
}

/**
 * Call it if the client aborted before its response was sent. Ends a body in parts, so that its source frees resources,
 * and returns a promise for this end. Undefined for a complete body.
 */
export function dropResponse({ body }: FinishedResponse): Promise<void> | undefined {
  return body === null || isWhole(body) ? undefined : takeOnePart(body).catch(() => undefined);
}

/** Reads one part, because a generator runs its `finally` only if it has begun. */
async function takeOnePart(parts: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of parts) return;
}

/** Sends head and body in one write. `response.end(body)` would write a second, empty part, which takes time. */
function sendText(response: ServerResponse, socket: Socket, body: string): void {
  socket.cork();
  response.write(body);
  socket.uncork();
  response.end();
}

async function writeParts(
  response: ServerResponse,
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  let resume = (): void => undefined;
  response.on('drain', () => resume()).on('close', () => resume());
  for await (const part of parts) {
    if (response.destroyed) return;
    if (!response.write(part)) {
      await new Promise<void>((resolve) => {
        resume = resolve;
      });
    }
  }
  response.end();
}
