// The connections to one host, with one request at a time on each.

import type { LookupFunction, Socket } from 'node:net';
import { buildConnector, Client, type Dispatcher, EnvHttpProxyAgent, errors } from 'undici';
import { type BoundedSocket, boundSocket, PARSING_SLICES } from './bounded-socket.ts';
import { isLoopback } from './metadata/public-addresses.ts';

export interface HostConnectionsOptions extends ConnectionDispatcherOptions {
  readonly maxConnections: number;
}

/** Receives the response of one request. Calls `onLeave` when the connection can be used again. */
export interface ResponseHandler extends Dispatcher.DispatchHandler {
  readonly isEnded: boolean;
  onLeave: ((isOpen: boolean) => void) | undefined;
  /** Returns how many more bytes of the socket may be parsed. At zero, ends the request. */
  allowedBytes(parsedBytes: number): number;
  end(reason: Error): void;
}

/** One connection, and the request that is sent on it. If the connection has ended, undici makes a new one. */
interface Connection {
  readonly dispatcher: Dispatcher;
  socket: BoundedSocket | null;
  /** Null if no request waits for the bytes that arrive now. */
  answer: ResponseHandler | null;
}

export interface HostConnections {
  /** Sends a request as soon as a connection is free. */
  send(request: Dispatcher.DispatchOptions, answer: ResponseHandler): void;
  /** whether a connection was ever made */
  readonly hasConnected: boolean;
  /** Ends all running requests. */
  close(): Promise<void>;
}

const CLOSED = new Error('the connections were closed');

/**
 * Replaces the Pool of undici. A Pool reuses a connection only after it has processed all responses of a burst. So the
 * next requests are sent and answered as a burst again.
 */
export function createHostConnections(options: HostConnectionsOptions): HostConnections {
  const { maxConnections } = options;
  const createDispatcher = createConnectionDispatchers(options);
  const connections: Connection[] = [];
  /** The last connection is used first, because the other side closes connections that are idle for long. */
  const free: Connection[] = [];
  const waiting: { readonly request: Dispatcher.DispatchOptions; readonly answer: ResponseHandler }[] = [];
  let isClosed = false;
  let hasConnected = false;

  function findFree(): Connection | undefined {
    const known = free.pop();
    if (known !== undefined || connections.length >= maxConnections) return known;
    const allowedBytes = (parsedBytes: number): number => connection.answer?.allowedBytes(parsedBytes) ?? 0;
    const dispatcher = createDispatcher((socket) => {
      hasConnected = true;
      connection.socket = boundSocket(socket, allowedBytes, PARSING_SLICES);
    });
    const connection: Connection = { dispatcher, socket: null, answer: null };
    connections.push(connection);
    return connection;
  }

  function dispatch(
    connection: Connection,
    request: Dispatcher.DispatchOptions,
    answer: ResponseHandler,
  ): void {
    answer.onLeave = (isOpen) => leave(connection, isOpen);
    connection.answer = answer;
    connection.socket?.startCount();
    connection.dispatcher.dispatch(request, answer);
  }

  function leave(connection: Connection, isOpen: boolean): void {
    connection.answer = null;
    free.splice(isOpen ? free.length : 0, 0, connection);
    sendWaiting();
  }

  function sendWaiting(): void {
    while (waiting.length > 0) {
      if (waiting[0]?.answer.isEnded) {
        waiting.shift();
        continue;
      }
      const connection = findFree();
      if (connection === undefined) return;
      const next = waiting.shift();
      if (next) dispatch(connection, next.request, next.answer);
    }
  }

  return {
    send(request, answer) {
      if (isClosed) answer.end(CLOSED);
      else {
        waiting.push({ request, answer });
        sendWaiting();
      }
    },
    get hasConnected() {
      return hasConnected;
    },
    async close() {
      isClosed = true;
      for (const { answer } of waiting.splice(0)) answer.end(CLOSED);
      await Promise.all(connections.map(({ dispatcher }) => dispatcher.destroy()));
    },
  };
}

/** The operator's proxy between the gateway and the Internet. */
export interface HttpsProxy {
  /** may contain a user name and a password */
  readonly url: URL;
  /** hosts that the gateway reaches without the proxy, as NO_PROXY lists them */
  readonly noProxy: string;
}

interface ConnectionDispatcherOptions {
  readonly origin: string;
  /** the timeout of each step of a new connection: TCP, tunnel and TLS */
  readonly timeoutMs: number;
  /** Finds the addresses of the host. Default: Node's lookup. Not used with a proxy, which finds the addresses. */
  readonly lookup?: LookupFunction | undefined;
  /** Used for https, but not for loopback. Default: no proxy. */
  readonly httpsProxy?: HttpsProxy | null | undefined;
}

interface Connecting {
  readonly connect: buildConnector.connector;
}

/**
 * Returns a function that makes a dispatcher of one connection. It calls `onSocket` with each socket before the first
 * use.
 */
function createConnectionDispatchers(
  options: ConnectionDispatcherOptions,
): (onSocket: (socket: Socket) => void) => Dispatcher {
  const { origin, timeoutMs, lookup, httpsProxy } = options;
  // Without a timeout, a host that accepts a connection and sends nothing would block the connection for ever.
  const timeout = { timeout: timeoutMs };
  const direct = buildConnector({ ...timeout, ...(lookup && { lookup }) });
  const { protocol, hostname } = new URL(origin);

  function createClient(connect: buildConnector.connector, onSocket: (socket: Socket) => void): Client {
    const watched: buildConnector.connector = (target, done) =>
      connect(target, (...[error, socket]) => {
        if (error) return done(asConnectError(error), null);
        onSocket(socket);
        return done(null, socket);
      });
    // The gateway limits the whole attempt with one timeout, so the timeouts of undici are off.
    return new Client(origin, { connect: watched, headersTimeout: 0, bodyTimeout: 0 });
  }

  if (!httpsProxy || protocol !== 'https:' || isLoopback(hostname)) {
    return (onSocket) => createClient(direct, onSocket);
  }
  const { url, noProxy } = httpsProxy;
  return (onSocket) =>
    new EnvHttpProxyAgent({
      // undici reads the environment for each option that is missing.
      httpProxy: '',
      httpsProxy: url.href,
      noProxy,
      connect: direct,
      proxyTls: timeout,
      requestTls: timeout,
      clientFactory: (proxy, { connect }: Connecting) =>
        new Client(proxy, { connect, headersTimeout: timeoutMs }),
      factory: (_, { connect }: Connecting) => createClient(connect, onSocket),
    });
}

/**
 * Reports a failed tunnel as a failed connection. Otherwise undici connects again for ever if a proxy closes the
 * connection before there is a tunnel.
 */
function asConnectError(error: Error): Error {
  // Other errors come from TCP and TLS.
  if (!(error instanceof errors.UndiciError || error instanceof errors.HTTPParserError)) return error;
  return Object.assign(new Error(error.message, { cause: error }), { syscall: 'connect' });
}
