// One client's connection: what has yet to be taken of its answer, and what has come of its request.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { CountedRequest, OnPush } from '../request/counted-request.ts';
import type { Progress } from './transfers.ts';

/** One for each connection, used again for each of its requests. */
interface ArrivingBody {
  isArriving: boolean;
  /** a length that says more buys no more time */
  maxBytes: number;
  /** null: it has not come yet */
  request: CountedRequest | null;
  /** it is taken as it comes, and so does not stay in memory */
  isTaken: boolean;
  declaredBytes: number | null;
  bytes: number;
  /** undefined: the gateway did not read it at first, so its time begins when it is next looked at */
  sinceMs: number | undefined;
}

export interface Connection {
  readonly socket: Socket;
  /** the last that was asked for */
  response: ServerResponse | null;
  /** how much had been written when nothing of it was waiting */
  quietBytes: number;
  /** requests that have come and wait for their turn */
  pipelined: number;
  /** the body that is arriving, or that arrived last */
  readonly body: ArrivingBody;
  /** counts that body */
  readonly onPush: OnPush;
  /** since when it has sent no whole request */
  sinceMs: number;
}

export function newConnection(socket: Socket, sinceMs: number, onPush: OnPush): Connection {
  const body: ArrivingBody = {
    isArriving: false,
    maxBytes: 0,
    request: null,
    isTaken: false,
    declaredBytes: null,
    bytes: 0,
    sinceMs,
  };
  return { socket, response: null, quietBytes: 0, pipelined: 0, body, onPush, sinceMs };
}

/** libuv's own counts: to Node a write is untaken until its last byte has been taken. */
interface StreamHandle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/** What has been written and waits for the client; null where nothing does. */
export function unreadOf(connection: Connection): Progress | null {
  const { socket } = connection;
  const waitingBytes = socket.writableLength;
  if (waitingBytes === 0 || socket.destroyed) {
    connection.quietBytes = socket.bytesWritten;
    return null;
  }
  const { _handle: handle } = socket as { readonly _handle?: Partial<StreamHandle> | null };
  const { bytesWritten = socket.bytesWritten, writeQueueSize = waitingBytes } = handle ?? {};
  // Node counts the characters of a text, libuv its bytes.
  const heldBytes = Math.max(waitingBytes, writeQueueSize);
  const movedBytes = bytesWritten - writeQueueSize;
  return { heldBytes, movedBytes, startBytes: connection.quietBytes, endBytes: socket.bytesWritten };
}

/** The body that is arriving; null where there is none. */
export function collectedOf({ response, body }: Connection): Progress | null {
  if (!body.isArriving) return null;
  if (body.request?.isHeld) {
    body.sinceMs = undefined;
    return null;
  }
  const { declaredBytes, bytes, sinceMs, maxBytes, isTaken } = body;
  const endBytes = Math.min(declaredBytes ?? bytes, maxBytes);
  // The rest of a request that was answered already is thrown away.
  const heldBytes = isTaken || response?.writableFinished ? 0 : (declaredBytes ?? bytes);
  return {
    ...(sinceMs !== undefined && { startedMs: sinceMs }),
    heldBytes,
    movedBytes: bytes,
    startBytes: 0,
    endBytes,
  };
}

/** Node's own parser of a connection. 2: nothing that follows is a request, as after an upgrade. */
interface Parser {
  onIncoming: () => 2;
}

/** Otherwise every request of what has been read at once would still become objects, a thousand and more. */
export function stopParsing(socket: Socket): void {
  const { parser } = socket as { readonly parser?: Parser | null };
  if (parser) parser.onIncoming = () => 2;
}
