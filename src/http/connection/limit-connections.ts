// Limits for clients that do not read, do not send, or only keep their connection open.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type CountedRequest, hasBody } from '../request/counted-request.ts';
import { Connection, measureBody, measureResponse } from './connection.ts';
import { refusalMessage, TOO_SLOW } from './refuse-unreadable.ts';
import { createTransferLimiter, type Ticker, type TransferLimits } from './transfer-limiter.ts';

export interface ConnectionLimits {
  /** for responses that clients have not read yet, and for request bodies that are arriving */
  readonly transfers: TransferLimits;
  /** A longer body gets only the time of this many bytes. */
  readonly maxBodyBytes: number;
  /** for larger bodies, which the gateway does not keep in memory; null: there are no uploads */
  readonly uploads: {
    readonly maxBodyBytes: number;
    isUpload(request: Pick<IncomingMessage, 'method' | 'url'>): boolean;
  } | null;
  readonly maxConnections: number;
  /** how many requests of one connection can wait for earlier responses */
  readonly maxPipelined: number;
  /** whether requests wait for memory that slow clients hold */
  readonly isMemoryScarce: () => boolean;
}

/** Why the gateway ended a connection. */
export type EndReason = 'unreadAnswer' | 'slowBody' | 'pipelined' | 'idle' | 'refused';

const SWEEP_MS = 1_000;

/**
 * Applies the limits with events of the server, so that handlers need no code for them. The server must process the
 * requests of a connection one after the other (`oneByOne`): a response of a later request is not yet written to the
 * socket, so its bytes could not be counted.
 */
export function limitConnections(
  server: Server<typeof CountedRequest>,
  limits: ConnectionLimits,
  onEnded: (why: EndReason) => void,
  ticker: Ticker,
): void {
  const connections = new Map<Socket, Connection>();
  const now = () => ticker.now();
  const shared = { limits: limits.transfers, now, isMemoryScarce: limits.isMemoryScarce };
  const responses = createTransferLimiter<Connection>({
    ...shared,
    progressOf: measureResponse,
    cut({ socket }) {
      onEnded('unreadAnswer');
      // A reset frees the memory of the system too. Otherwise the system keeps the unread bytes until the client reads them.
      socket.resetAndDestroy();
    },
  });
  const bodies = createTransferLimiter<Connection>({
    ...shared,
    progressOf: measureBody,
    cut(connection) {
      const { socket, response } = connection;
      connection.body.isArriving = false;
      onEnded('slowBody');
      if (response?.socket && !response.headersSent) socket.write(refusalMessage(TOO_SLOW, response.req));
      socket.destroySoon();
    },
  });

  server.prependListener('connection', (socket) => {
    if (connections.size >= limits.maxConnections && !makeRoom()) {
      onEnded('refused');
      socket.destroy();
      return;
    }
    const connection = new Connection(socket, now(), countPart);
    connections.set(socket, connection);
    socket.once('close', () => forget(connection));
  });

  server.prependListener('request', (request, response) => {
    const connection = connections.get(request.socket);
    if (!connection || request.socket.destroyed) return;
    connection.response = response;
    connection.sinceMs = now();
    if (response.socket) beginResponse(connection, response);
    else waitForEarlier(connection, response);
    response.on('prefinish', measureWritten);
    if (hasBody(request)) beginBody(connection, request);
  });

  function measureWritten(this: ServerResponse): void {
    const connection = connections.get(this.req.socket);
    if (connection) responses.update(connection);
  }

  /** Counts a response that waits for earlier responses. Without a socket, Node does not write it yet. */
  function waitForEarlier(connection: Connection, response: ServerResponse): void {
    connection.pipelined += 1;
    if (connection.pipelined > limits.maxPipelined) {
      onEnded('pipelined');
      withoutStackTraces(connection.socket);
      connection.socket.destroy();
      return;
    }
    response.prependOnceListener('socket', () => {
      connection.pipelined -= 1;
      beginResponse(connection, response);
    });
  }

  /** Starts the time for a response. The response before it is sent. */
  function beginResponse(connection: Connection, response: ServerResponse): void {
    responses.end(connection);
    connection.current = response;
    connection.quietBytes = connection.socket.bytesWritten;
  }

  /** Starts the time for a body. */
  function beginBody(connection: Connection, request: CountedRequest): void {
    const declared = request.headers['content-length'];
    const { body } = connection;
    const upload = limits.uploads?.isUpload(request) ? limits.uploads : null;
    body.isArriving = true;
    body.maxBytes = (upload ?? limits).maxBodyBytes;
    body.request = request;
    body.isStreamed = upload !== null;
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
    // Most bodies arrive in one chunk and need no measurement.
    if (body.bytes !== body.declaredBytes) bodies.update(connection);
  }

  /**
   * Ends one percent of the connections: those that have waited longest for a complete request. So clients that only
   * connect do not block others. Returns false if every connection has a running request.
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
    responses.end(connection);
    bodies.end(connection);
    connections.delete(connection.socket);
  }

  const stopSweeps = ticker.every(SWEEP_MS, () => {
    for (const connection of connections.values()) {
      responses.update(connection);
      bodies.update(connection);
    }
    responses.sweep();
    bodies.sweep();
  });
  server.once('close', stopSweeps);
}

/**
 * When the socket closes, Node makes an error for each request that has no response yet. Thousands of stack traces would
 * keep the event loop busy.
 */
function withoutStackTraces(socket: Socket): void {
  let { stackTraceLimit } = Error;
  socket.prependOnceListener('close', () => {
    stackTraceLimit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
  });
  socket.once('close', () => {
    Error.stackTraceLimit = stackTraceLimit;
  });
}
