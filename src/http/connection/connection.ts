// The state of one connection: how much of the response the client has read, and how much of the request has arrived.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { CountedRequest, OnPush } from '../request/counted-request.ts';
import type { Progress } from './transfer-limiter.ts';

/** The state of the body that arrives. All requests of a connection use the same object, one after the other. */
class ArrivingBody {
  isArriving = false;
  /** A longer body gets only the time of this many bytes. */
  maxBytes = 0;
  /** null: no body has arrived yet */
  request: CountedRequest | null = null;
  /** whether the handler reads the body as it arrives, so that the body does not stay in memory */
  isStreamed = false;
  /** the Content-Length */
  declaredBytes: number | null = null;
  /** the bytes that have arrived */
  bytes = 0;
  /** when the time for the body began; undefined: the body waited for memory, so its time begins at the next measurement */
  sinceMs: number | undefined;
}

export class Connection {
  readonly socket: Socket;
  /** the response to the last request */
  response: ServerResponse | null = null;
  /** the response that is being written */
  current: ServerResponse | null = null;
  /** the bytes that were written to the socket when the client had last read everything */
  quietBytes = 0;
  /** the number of requests that wait for earlier responses */
  pipelined = 0;
  /** the body that is arriving, or the last body */
  readonly body = new ArrivingBody();
  /** when the client connected, or last sent the head of a request */
  sinceMs: number;
  readonly onPush: OnPush;

  /** @param countPart called with each chunk of a body, and with null at its end */
  constructor(
    socket: Socket,
    sinceMs: number,
    countPart: (connection: Connection, part: Buffer | null) => void,
  ) {
    this.socket = socket;
    this.sinceMs = sinceMs;
    this.onPush = (part) => countPart(this, part);
  }
}

/** The progress of the response. Null if the client has read everything. */
export function measureResponse(connection: Connection): Progress | null {
  const { socket, current } = connection;
  const waitingBytes = socket.writableLength;
  if (waitingBytes === 0 || socket.destroyed) {
    connection.quietBytes = socket.bytesWritten;
    return null;
  }
  // A long body is written part by part, but the whole body stays in memory until its last part.
  const bodyBytes = Number(current?.getHeader('Content-Length') ?? 0);
  return {
    heldBytes: Math.max(waitingBytes, bodyBytes),
    movedBytes: socket.bytesWritten - waitingBytes,
    startBytes: connection.quietBytes,
    endBytes: Math.max(socket.bytesWritten, connection.quietBytes + bodyBytes),
  };
}

/** The progress of the request body. Null if no body is arriving. */
export function measureBody({ response, body }: Connection): Progress | null {
  if (!body.isArriving) return null;
  if (body.request?.isHeld) {
    body.sinceMs = undefined;
    return null;
  }
  const { declaredBytes, bytes, sinceMs, maxBytes, isStreamed } = body;
  const endBytes = Math.min(declaredBytes ?? bytes, maxBytes);
  // After the response, the gateway drops the remaining body.
  const heldBytes = isStreamed || response?.writableFinished ? 0 : (declaredBytes ?? bytes);
  return { startedMs: sinceMs, heldBytes, movedBytes: bytes, startBytes: 0, endBytes };
}
