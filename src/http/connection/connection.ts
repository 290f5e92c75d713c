// The state of one connection: how much of the response the client has read, and how much of the request has arrived.

import { maxHeaderSize, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { IncomingRequest, OnPush } from '../request/incoming-request.ts';
import type { Progress } from './transfer-limiter.ts';

/** The state of the body that is arriving, or of the last body. All requests of a connection use the same object. */
class ArrivingBody {
  isArriving = false;
  /** The bytes of a body above this number add nothing to its time. */
  maxBytes = 0;
  /** the memory for the head of the request */
  headBytes = 0;
  /** null: no body has arrived yet */
  request: IncomingRequest | null = null;
  /** whether the handler reads the body as it arrives, so that the body does not stay in memory */
  isStreamed = false;
  /** the Content-Length */
  declaredBytes: number | null = null;
  /** the bytes that have arrived */
  bytes = 0;
  /** when the time for the body began; undefined after a wait for memory: the time begins at the next measurement */
  sinceMs: number | undefined;
}

/** All connections of one client: an IPv4 address, or a /64 network. */
export class ConnectedClient {
  readonly connections = new Set<Connection>();
  /** the heads that wait for the client */
  waitingBytes = 0;
  /** the heads of running requests, without the bytes that every request reserves */
  runningBytes = 0;
  readonly address: string;

  constructor(address: string) {
    this.address = address;
  }
}

export class Connection {
  readonly socket: Socket;
  readonly client: ConnectedClient;
  /** the memory for heads that wait for the client, with the unfinished head */
  waitingBytes = 0;
  unfinishedBytes = 0;
  /** the memory for heads of running requests, without the bytes that every request reserves */
  runningBytes = 0;
  /** true: its bytes are no longer counted */
  isForgotten = false;
  #parsedBytes = 0;
  /** the bytes that had arrived at the last measurement */
  #measuredBytes = 0;
  /** the response to the latest request */
  latestResponse: ServerResponse | null = null;
  /** the response that is being written */
  currentResponse: ServerResponse | null = null;
  /** the bytes that were written to the socket when the client had last read all of them */
  readBytes = 0;
  /** the number of requests that wait for earlier responses */
  pipelinedCount = 0;
  readonly body = new ArrivingBody();
  /** when the client connected, or last sent the head of a request */
  sinceMs: number;
  readonly onPush: OnPush;

  /** @param countChunk called with each chunk of a body, and with null at its end */
  constructor(
    socket: Socket,
    client: ConnectedClient,
    sinceMs: number,
    countChunk: (connection: Connection, chunk: Buffer | null) => void,
  ) {
    this.socket = socket;
    this.client = client;
    this.sinceMs = sinceMs;
    this.onPush = (chunk) => countChunk(this, chunk);
  }

  /**
   * Counts the bytes of a complete head, or of a part of a body. What had arrived at the last measurement is then parsed
   * too. So an error of the count, such as the lengths of chunks, does not grow from request to request.
   */
  countParsed(bytes: number): void {
    this.#parsedBytes = Math.max(this.#parsedBytes + bytes, this.#measuredBytes);
  }

  /** Returns the bytes that have arrived and belong to no complete head and to no body. */
  measureUnparsed(): number {
    this.#measuredBytes = this.socket.bytesRead;
    this.#parsedBytes = Math.min(this.#parsedBytes, this.#measuredBytes);
    return Math.min(this.#measuredBytes - this.#parsedBytes, maxHeaderSize);
  }
}

/** The progress of the response. Null if the client has read everything. */
export function measureResponse(connection: Connection): Progress | null {
  const { socket, currentResponse } = connection;
  const waitingBytes = socket.writableLength;
  if (waitingBytes === 0 || socket.destroyed) {
    connection.readBytes = socket.bytesWritten;
    return null;
  }
  // The gateway writes a long body part by part, but the whole body stays in memory until its last part is written.
  const bodyBytes = Number(currentResponse?.getHeader('Content-Length') ?? 0);
  return {
    heldBytes: Math.max(waitingBytes, bodyBytes),
    movedBytes: socket.bytesWritten - waitingBytes,
    startBytes: connection.readBytes,
    endBytes: Math.max(socket.bytesWritten, connection.readBytes + bodyBytes),
  };
}

/** The progress of the request body. Null if no body is arriving. */
export function measureBody({ latestResponse, body }: Connection): Progress | null {
  if (!body.isArriving) return null;
  if (body.request?.isHeld) {
    body.sinceMs = undefined;
    return null;
  }
  const { declaredBytes, bytes, sinceMs, maxBytes, isStreamed } = body;
  const endBytes = Math.min(declaredBytes ?? bytes, maxBytes);
  // After the response, the gateway drops the remaining body.
  const heldBytes = isStreamed || latestResponse?.writableFinished ? 0 : (declaredBytes ?? bytes);
  return { startedMs: sinceMs, heldBytes, movedBytes: bytes, startBytes: 0, endBytes };
}
