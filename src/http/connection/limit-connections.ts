// Limits for clients that do not read, do not send, or only keep their connection open.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { MemoryAccount } from '../../memory/account.ts';
import { headBytes } from '../../memory/memory-sizes.ts';
import { RESERVED_BYTES } from '../../memory/reserved-bytes.ts';
import type { Clock } from '../../time.ts';
import { createClientAddress } from '../request/clients/client-address.ts';
import { hasBody, type IncomingRequest } from '../request/incoming-request.ts';
import { closeWithoutStackTraces } from './close-without-stack-traces.ts';
import { ConnectedClient, Connection, measureBody, measureResponse } from './connection.ts';
import { connectionsToEnd } from './connections-to-end.ts';
import { charactersOf, createHeadLimiter } from './head-limiter.ts';
import type { ReadTurns } from './read-in-turns.ts';
import { BUSY, refusalMessage, TOO_SLOW } from './refuse-unreadable.ts';
import { createTransferLimiter, type TransferLimits } from './transfer-limiter.ts';

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
  /** the memory for heads of requests */
  readonly heads: MemoryAccount['heads'];
}

/** Why the gateway ended a connection. */
export type EndReason = 'unreadAnswer' | 'slowBody' | 'pipelined' | 'heads' | 'idle' | 'refused';

export interface LimitOptions {
  readonly limits: ConnectionLimits;
  readonly reads: ReadTurns;
  readonly onEnded: (why: EndReason) => void;
  readonly ticker: Pick<Clock, 'now' | 'every'>;
}

const SWEEP_MS = 1_000;
const MEASURE_HEADS_MS = 200;

/** `TRUSTED_PROXIES` says nothing of connections: a balancer is the client of its connections. */
const clientOf = createClientAddress([]);

/** Around the names and values of a head are spaces, the version, colons and line ends. */
const HEAD_FRAME_BYTES = 14;
const HEADER_FRAME_BYTES = 4;

/**
 * Applies the limits with events of the server, so that handlers need no code for the limits. The server must process
 * the requests of a connection one after the other (`runOneByOne`). Otherwise later responses would wait outside the
 * socket, where their bytes cannot be counted.
 */
export function limitConnections(
  server: Server<typeof IncomingRequest>,
  { limits, reads, onEnded, ticker }: LimitOptions,
): void {
  const connections = new Map<Socket, Connection>();
  const clients = new Map<string, ConnectedClient>();
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

  const heads = createHeadLimiter(limits.heads, clients, (connection) => {
    const { socket, latestResponse: latest } = connection;
    onEnded('heads');
    forget(connection);
    const isUnbegun = latest === null || latest.writableFinished || (latest.socket && !latest.headersSent);
    if (isUnbegun) socket.write(refusalMessage(BUSY, latest?.writableFinished ? undefined : latest?.req));
    // A client that reads nothing must not keep the connection open.
    if (socket.writableLength === 0) socket.destroySoon();
    else socket.destroy();
  });

  server.prependListener('connection', (socket) => {
    const address = clientOf(socket.remoteAddress ?? '', () => undefined);
    const client = clients.get(address) ?? new ConnectedClient(address);
    if (connections.size >= limits.maxConnections && !endConnections(client)) {
      onEnded('refused');
      socket.destroy();
      return;
    }
    const connection = new Connection(socket, client, now(), countChunk);
    connections.set(socket, connection);
    clients.set(address, client);
    client.connections.add(connection);
    socket.once('close', () => forget(connection));
  });

  server.on('connection', closeWithoutStackTraces);

  server.prependListener('request', (request, response) => {
    const connection = connections.get(request.socket);
    if (!connection || request.socket.destroyed) return;
    connection.latestResponse = response;
    connection.sinceMs = now();
    countHead(connection, request);
    if (response.socket) beginResponse(connection, response);
    else waitForEarlier(connection, request, response);
    reads.onRequest(request.socket, request.headBytes <= RESERVED_BYTES.request && response.socket !== null);
    response.on('prefinish', measureWritten);
    if (hasBody(request)) beginBody(connection, request);
  });

  function measureWritten(this: ServerResponse): void {
    const connection = connections.get(this.req.socket);
    if (!connection) return;
    heads.finish(connection, (this.req as IncomingRequest).headBytes);
    responses.update(connection);
  }

  function countHead(connection: Connection, request: IncomingRequest): void {
    const characters = charactersOf(request);
    const headers = request.rawHeaders.length / 2;
    connection.countParsed(
      characters + headers * HEADER_FRAME_BYTES + HEAD_FRAME_BYTES + (request.method?.length ?? 0),
    );
    heads.addWaiting(connection, -connection.unfinishedBytes);
    connection.unfinishedBytes = 0;
    request.headBytes = headBytes(characters, headers);
    request.isRefused = !heads.begin(connection, request.headBytes);
  }

  /** Counts a response that waits for earlier responses. Node writes it when it gets a socket. */
  function waitForEarlier(
    connection: Connection,
    { headBytes: bytes }: IncomingRequest,
    response: ServerResponse,
  ): void {
    connection.pipelinedCount += 1;
    if (connection.pipelinedCount > limits.maxPipelined) {
      onEnded('pipelined');
      connection.socket.destroy();
      return;
    }
    heads.addWaiting(connection, bytes);
    // Node parses what has arrived, but reads no further.
    if (connection.pipelinedCount === 1) reads.pause(connection.socket);
    response.prependOnceListener('socket', () => {
      connection.pipelinedCount -= 1;
      heads.addWaiting(connection, -bytes);
      if (connection.pipelinedCount === 0) reads.resume(connection.socket);
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
    body.headBytes = Math.max(request.headBytes, RESERVED_BYTES.request);
    request.onPush = connection.onPush;
    heads.addWaiting(connection, body.headBytes);
  }

  function countChunk(connection: Connection, chunk: Buffer | null): void {
    const { body } = connection;
    if (chunk === null) {
      body.isArriving = false;
      heads.addWaiting(connection, -body.headBytes);
      connection.sinceMs = now();
      bodies.end(connection);
      return;
    }
    body.bytes += chunk.length;
    connection.countParsed(chunk.length);
    // Most bodies arrive in one chunk and need no measurement.
    if (body.bytes !== body.declaredBytes) bodies.update(connection);
  }

  /** Ends connections of other clients, so that a client can connect. Returns false if it could end no connection. */
  function endConnections(newClient: ConnectedClient): boolean {
    const ended = connectionsToEnd(clients.values(), newClient, limits.maxConnections);
    for (const connection of ended) {
      onEnded('idle');
      forget(connection);
      connection.socket.destroy();
    }
    return ended.length > 0;
  }

  function forget(connection: Connection): void {
    if (connection.isForgotten) return;
    const { client, socket } = connection;
    responses.end(connection);
    bodies.end(connection);
    heads.forget(connection);
    connection.isForgotten = true;
    connections.delete(socket);
    client.connections.delete(connection);
    if (client.connections.size === 0) clients.delete(client.address);
  }

  const stopSweeps = ticker.every(SWEEP_MS, () => {
    for (const connection of connections.values()) {
      responses.update(connection);
      bodies.update(connection);
    }
    responses.sweep();
    bodies.sweep();
  });
  const stopMeasuring = ticker.every(MEASURE_HEADS_MS, heads.measure);
  server.once('close', () => {
    stopSweeps();
    stopMeasuring();
  });
}
