// One client's connection: what has yet to be taken of its answer, and what has come of its request.

import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { SLICE_MS } from '../../time.ts';
import { type CountedRequest, hasBody, type OnPush } from '../request/counted-request.ts';
import type { Progress } from './transfers.ts';

// Shares a turn of the event loop among the requests that come in it.

/** So little may be left over from earlier turns: to see the end of each turn would cost every request more. */
const LITTLE_MS = 1;

/**
 * Hundreds of requests may come in one turn, and each may take milliseconds before it waits for anything. Those
 * that come when a slice is used up wait: a slice of them is begun in each later turn, in their order, after those
 * that have just come. One with a body is begun at once: it first waits for that.
 */
export function inSlices(listener: RequestListener, now = () => performance.now()): RequestListener {
  const waiting: Parameters<RequestListener>[] = [];
  let workedMs = 0;
  let seesEnd = false;

  function begin(...[request, response]: Parameters<RequestListener>): void {
    const startMs = now();
    listener(request, response);
    workedMs += now() - startMs;
  }

  function seeEndOfTurn(): void {
    if (!seesEnd) setImmediate(endTurn);
    seesEnd = true;
  }

  function endTurn(): void {
    seesEnd = false;
    workedMs = 0;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (!next[0].socket.destroyed) begin(...next);
      if (workedMs > SLICE_MS) break;
    }
    workedMs = 0;
    if (waiting.length > 0) seeEndOfTurn();
  }

  return (request, response) => {
    if (workedMs > SLICE_MS && !hasBody(request)) {
      waiting.push([request, response]);
      return;
    }
    begin(request, response);
    if (workedMs > LITTLE_MS) seeEndOfTurn();
  };
}

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
  /** the response that is being written */
  current: ServerResponse | null;
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
  return { socket, response: null, current: null, quietBytes: 0, pipelined: 0, body, onPush, sinceMs };
}

/** What has been written and waits for the client; null where nothing does. */
export function unreadOf(connection: Connection): Progress | null {
  const { socket, current } = connection;
  const waitingBytes = socket.writableLength;
  if (waitingBytes === 0 || socket.destroyed) {
    connection.quietBytes = socket.bytesWritten;
    return null;
  }
  // Until its end a long body stays in memory, although the socket gets only a part at a time.
  const bodyBytes = Number(current?.getHeader('Content-Length') ?? 0);
  return {
    heldBytes: Math.max(waitingBytes, bodyBytes),
    movedBytes: socket.bytesWritten - waitingBytes,
    startBytes: connection.quietBytes,
    endBytes: Math.max(socket.bytesWritten, connection.quietBytes + bodyBytes),
  };
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
