// Limits for clients that do not read, do not send, or only keep their connection open.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type CountedRequest, hasBody } from '../request/counted-request.ts';
import { type Connection, collectedOf, newConnection, unreadOf } from './connection.ts';
import { tooSlow } from './refuse-unreadable.ts';
import { createTransfers, type Ticker, type TransferLimits } from './transfers.ts';

export interface ConnectionLimits {
  /** limits of responses that clients have not read yet */
  readonly answers: TransferLimits;
  /** limits of request bodies that are arriving */
  readonly bodies: TransferLimits;
  /** The longest body. A larger Content-Length gives no more time. */
  readonly maxBodyBytes: number;
  /** Limits of larger bodies, which the gateway does not keep in memory. Null: there are none. */
  readonly uploads: UploadLimits | null;
  readonly maxConnections: number;
  /** the most requests that wait on one connection for earlier responses */
  readonly maxPipelined: number;
  /** whether requests wait for memory that slow clients hold */
  readonly isMemoryScarce: () => boolean;
}

export interface UploadLimits {
  readonly maxBodyBytes: number;
  /** Whether a request is an upload, by its method and target. */
  isUpload(request: Pick<IncomingMessage, 'method' | 'url'>): boolean;
}

/** Why the gateway ended a connection. */
export type Ended = 'unreadAnswer' | 'slowBody' | 'pipelined' | 'idle' | 'refused';

const SWEEP_MS = 1_000;

/**
 * Applies the limits with events of the server, so the handlers need not know them. The server must process the requests
 * of one connection one after the other (`inTurn`), because only bytes that the socket has received are counted.
 */
export function boundConnections(
  server: Server<typeof CountedRequest>,
  limits: ConnectionLimits,
  onEnded: (why: Ended) => void,
  ticker: Ticker,
): void {
  const connections = new Map<Socket, Connection>();
  const now = () => ticker.now();
  const answers = createTransfers<Connection>({
    limits: limits.answers,
    now,
    isMemoryScarce: limits.isMemoryScarce,
    progressOf: unreadOf,
    cut({ socket }) {
      onEnded('unreadAnswer');
      // With a reset, because otherwise the system keeps the unread rest until the client reads it.
      socket.resetAndDestroy();
    },
  });
  const bodies = createTransfers<Connection>({
    limits: limits.bodies,
    now,
    isMemoryScarce: limits.isMemoryScarce,
    progressOf: collectedOf,
    cut(connection) {
      const { socket, response } = connection;
      connection.body.isArriving = false;
      onEnded('slowBody');
      if (response?.socket && !response.headersSent) socket.write(tooSlow(response.req));
      socket.destroySoon();
    },
  });

  server.prependListener('connection', (socket) => {
    if (connections.size >= limits.maxConnections && !makeRoom()) {
      onEnded('refused');
      socket.destroy();
      return;
    }
    const connection = newConnection(socket, now(), (chunk) => countPart(connection, chunk));
    connections.set(socket, connection);
    socket.once('close', () => forget(connection));
  });

  server.prependListener('request', (request, response) => {
    const connection = connections.get(request.socket);
    if (!connection || request.socket.destroyed) return;
    connection.response = response;
    connection.sinceMs = now();
    if (response.socket) beginAnswer(connection, response);
    else hold(connection, response);
    response.on('prefinish', lookAtAnswer);
    if (hasBody(request)) collect(connection, request);
  });

  function lookAtAnswer(this: ServerResponse): void {
    const connection = connections.get(this.req.socket);
    if (connection) answers.update(connection);
  }

  /** Records a response that waits for earlier responses. */
  function hold(connection: Connection, response: ServerResponse): void {
    connection.pipelined += 1;
    if (connection.pipelined > limits.maxPipelined) {
      onEnded('pipelined');
      connection.socket.destroy();
      return;
    }
    response.prependOnceListener('socket', () => {
      connection.pipelined -= 1;
      beginAnswer(connection, response);
    });
  }

  /** Starts the time of a response, because the client has read the response before it. */
  function beginAnswer(connection: Connection, response: ServerResponse): void {
    answers.end(connection);
    connection.current = response;
    connection.quietBytes = connection.socket.bytesWritten;
  }

  /** Records a body. If the body has not begun, the next sweep measures it first. */
  function collect(connection: Connection, request: CountedRequest): void {
    const declared = request.headers['content-length'];
    const { body } = connection;
    const upload = limits.uploads?.isUpload(request) ? limits.uploads : null;
    body.isArriving = true;
    body.maxBytes = (upload ?? limits).maxBodyBytes;
    body.request = request;
    body.isTaken = upload !== null;
    body.declaredBytes = declared === undefined ? null : Number(declared);
    body.bytes = 0;
    body.sinceMs = connection.sinceMs;
    request.onPush = connection.onPush;
  }

  function countPart(connection: Connection, part: Buffer | null): void {
    const { body } = connection;
    if (part === null) {
      body.isArriving = false;
      connection.sinceMs = now();
      bodies.end(connection);
      return;
    }
    body.bytes += part.length;
    // Most bodies arrive in one piece and need no measurement.
    if (body.bytes !== body.declaredBytes) bodies.update(connection);
  }

  /**
   * Ends a hundredth of all connections: those that have sent no complete request for the longest time. So clients that
   * only connect do not block others. False if every connection has a request in progress.
   */
  function makeRoom(): boolean {
    const quiet = [...connections.values()]
      .filter(({ response, body }) => body.isArriving || response === null || response.writableFinished)
      .sort((a, b) => a.sinceMs - b.sinceMs)
      .slice(0, Math.ceil(limits.maxConnections / 100));
    for (const connection of quiet) {
      onEnded('idle');
      forget(connection);
      connection.socket.destroy();
    }
    return quiet.length > 0;
  }

  function forget(connection: Connection): void {
    answers.end(connection);
    bodies.end(connection);
    connections.delete(connection.socket);
  }

  const stop = ticker.every(SWEEP_MS, () => {
    for (const connection of connections.values()) {
      answers.update(connection);
      bodies.update(connection);
    }
    answers.sweep();
    bodies.sweep();
  });
  server.once('close', stop);
}
