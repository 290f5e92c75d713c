// The state of one connection: how much of the response the client has read, and how much of the request has arrived.

import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { SLICE_MS } from '../../time.ts';
import { type CountedRequest, hasBody, type OnPush } from '../request/counted-request.ts';
import type { Progress } from './transfers.ts';

/** Time that may remain from an earlier slice. To detect the end of each slice would cost every request more. */
const LITTLE_MS = 1;

/**
 * Divides the requests that arrive together into slices. Hundreds may arrive together, and each may take milliseconds.
 * When a slice is used up, the other requests wait. Later slices begin them in order, after requests that have just
 * arrived. A request with a body begins at once, because it first waits for its body.
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

/** Each connection has one object, which all its requests use. */
interface ArrivingBody {
  isArriving: boolean;
  /** A larger Content-Length gives no more time. */
  maxBytes: number;
  /** Null: no body has arrived yet. */
  request: CountedRequest | null;
  /** whether the handler reads the body as it arrives, so that it does not stay in memory */
  isTaken: boolean;
  declaredBytes: number | null;
  bytes: number;
  /**
   * When the time of the body began. Undefined: the gateway did not read it at first, so its time begins at the next
   * sweep.
   */
  sinceMs: number | undefined;
}

export interface Connection {
  readonly socket: Socket;
  /** the response to the last request */
  response: ServerResponse | null;
  /** the response that is being written */
  current: ServerResponse | null;
  /** bytes written when the client had last read everything */
  quietBytes: number;
  /** requests that wait for earlier responses */
  pipelined: number;
  /** the body that is arriving, or that arrived last */
  readonly body: ArrivingBody;
  /** counts the bytes of this body */
  readonly onPush: OnPush;
  /** when the client last sent a complete request */
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

/** The response that the client has not read completely. Null if it has read everything. */
export function unreadOf(connection: Connection): Progress | null {
  const { socket, current } = connection;
  const waitingBytes = socket.writableLength;
  if (waitingBytes === 0 || socket.destroyed) {
    connection.quietBytes = socket.bytesWritten;
    return null;
  }
  // The socket gets a long body part by part, but the whole body stays in memory until its end.
  const bodyBytes = Number(current?.getHeader('Content-Length') ?? 0);
  return {
    heldBytes: Math.max(waitingBytes, bodyBytes),
    movedBytes: socket.bytesWritten - waitingBytes,
    startBytes: connection.quietBytes,
    endBytes: Math.max(socket.bytesWritten, connection.quietBytes + bodyBytes),
  };
}

/** The body that is arriving. Null if there is none. */
export function collectedOf({ response, body }: Connection): Progress | null {
  if (!body.isArriving) return null;
  if (body.request?.isHeld) {
    body.sinceMs = undefined;
    return null;
  }
  const { declaredBytes, bytes, sinceMs, maxBytes, isTaken } = body;
  const endBytes = Math.min(declaredBytes ?? bytes, maxBytes);
  // After the response, the gateway drops the rest of the body.
  const heldBytes = isTaken || response?.writableFinished ? 0 : (declaredBytes ?? bytes);
  return {
    ...(sinceMs !== undefined && { startedMs: sinceMs }),
    heldBytes,
    movedBytes: bytes,
    startBytes: 0,
    endBytes,
  };
}
