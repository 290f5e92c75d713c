// What clients may cost that do not read, do not send, or only hold their connection.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type CountedRequest, hasBody } from '../request/counted-request.ts';
import { type Connection, collectedOf, newConnection, unreadOf } from './connection.ts';
import { tooSlow } from './refuse-unreadable.ts';
import { createTransfers, type Ticker, type TransferLimits } from './transfers.ts';

export interface ConnectionLimits {
  /** answers that their clients have yet to take */
  readonly answers: TransferLimits;
  /** request bodies that are being collected */
  readonly bodies: TransferLimits;
  /** what a body may have: a length that says more buys no more time */
  readonly maxBodyBytes: number;
  /** bodies that may be larger, since they are taken as they come; null: there are none */
  readonly uploads: UploadLimits | null;
  readonly maxConnections: number;
  /** requests that wait on one connection for the answers before theirs */
  readonly maxPipelined: number;
  /** whether requests wait for memory that slow clients hold */
  readonly isMemoryScarce: () => boolean;
}

export interface UploadLimits {
  readonly maxBodyBytes: number;
  /** by method and target */
  isUpload(request: Pick<IncomingMessage, 'method' | 'url'>): boolean;
}

/** What connections are ended for. */
export type Ended = 'unreadAnswer' | 'slowBody' | 'pipelined' | 'idle' | 'refused';

const SWEEP_MS = 1_000;

/**
 * Keeps to the limits by the server's events alone: what answers knows nothing of it. It has to take the requests
 * of one connection in turn (`inTurn`), since only what has been given to the socket is counted.
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
      // Otherwise the system would keep the rest for as long as the client lets it.
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

  /** Of an answer that has to wait for others before it. */
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

  /** The answer before it has been taken, so this one has its own time. */
  function beginAnswer(connection: Connection, response: ServerResponse): void {
    answers.end(connection);
    connection.current = response;
    connection.quietBytes = connection.socket.bytesWritten;
  }

  /** One that has yet to come is first looked at by the sweep. */
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
    // Most bodies come in one piece, and nothing of them waits.
    if (body.bytes !== body.declaredBytes) bodies.update(connection);
  }

  /**
   * Ends the hundredth of all connections that have sent no whole request for the longest time, so that clients that
   * only connect do not keep others out. False if every connection has a request in progress.
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
