// Limits for clients that do not read, do not send, or only keep their connection open.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody, type IncomingRequest } from '../request/incoming-request.ts';
import { Connection, measureBody, measureResponse } from './connection.ts';
import { refusalMessage, TOO_SLOW } from './refuse-unreadable.ts';
import { createTransferLimiter, type Ticker, type TransferLimits } from './transfer-limiter.ts';

export interface ConnectionLimits {
  /** for responses that clients have not read yet, and for request bodies that are arriving */
  readonly transfers: TransferLimits;
  /** The bytes of a body above this number add nothing to its time. */
  readonly maxBodyBytes: number;
  /** uploads can have larger bodies, because the gateway does not keep these in memory; null: there are no uploads */
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
 * Applies the limits with events of the server, so that handlers need no code for the limits. The server must process
 * the requests of a connection one after the other (`runOneByOne`). Otherwise later responses would wait outside the
 * socket, where their bytes cannot be counted.
 */
export function limitConnections(
  server: Server<typeof IncomingRequest>,
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
      const { socket, latestResponse: response } = connection;
      connection.body.isArriving = false;
      onEnded('slowBody');
      if (response?.socket && !response.headersSent) socket.write(refusalMessage(TOO_SLOW, response.req));
      socket.destroySoon();
    },
  });

  server.prependListener('connection', (socket) => {
    if (connections.size >= limits.maxConnections && !endIdleConnections()) {
      onEnded('refused');
      socket.destroy();
      return;
    }
    const connection = new Connection(socket, now(), countChunk);
    connections.set(socket, connection);
    socket.once('close', () => forget(connection));
  });

  server.prependListener('request', (request, response) => {
    const connection = connections.get(request.socket);
    if (!connection || request.socket.destroyed) return;
    connection.latestResponse = response;
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

  /** Counts a response that waits for earlier responses. Node writes it when it gets a socket. */
  function waitForEarlier(connection: Connection, response: ServerResponse): void {
    connection.pipelinedCount += 1;
    if (connection.pipelinedCount > limits.maxPipelined) {
      onEnded('pipelined');
      withoutStackTraces(connection.socket);
      connection.socket.destroy();
      return;
    }
    response.prependOnceListener('socket', () => {
      connection.pipelinedCount -= 1;
      beginResponse(connection, response);
    });
  }

  /** Starts the time for a response. Call it when the earlier response is sent. */
  function beginResponse(connection: Connection, response: ServerResponse): void {
    responses.end(connection);
    connection.currentResponse = response;
    connection.readBytes = connection.socket.bytesWritten;
  }

  /** Starts the time for a body. */
  function beginBody(connection: Connection, request: IncomingRequest): void {
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

  function countChunk(connection: Connection, chunk: Buffer | null): void {
    const { body } = connection;
    if (chunk === null) {
      body.isArriving = false;
      connection.sinceMs = now();
      bodies.end(connection);
      return;
    }
    body.bytes += chunk.length;
    // Most bodies arrive in one chunk and need no measurement.
    if (body.bytes !== body.declaredBytes) bodies.update(connection);
  }

  /**
   * Ends connections without a running request, up to one percent of `maxConnections`: first the connections that have
   * waited longest for a complete request. Returns false if every connection has a running request.
   */
  function endIdleConnections(): boolean {
    const idle = [...connections.values()]
      .filter(({ latestResponse: latest, body }) => body.isArriving || !latest || latest.writableFinished)
      .sort((a, b) => a.sinceMs - b.sinceMs)
      .slice(0, Math.ceil(limits.maxConnections / 100));
    for (const connection of idle) {
      onEnded('idle');
      forget(connection);
      connection.socket.destroy();
    }
    return idle.length > 0;
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
