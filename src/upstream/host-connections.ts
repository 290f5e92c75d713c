// The connections to one host. A connection has at most one request at a time.

import type { LookupFunction, Socket } from 'node:net';
import { buildConnector, Client, type Dispatcher, EnvHttpProxyAgent, errors } from 'undici';
import { TURNS, type Turns } from '../turns.ts';
import { isLoopback } from './agencies/public-addresses.ts';
import type { UpstreamResponse } from './response-body.ts';

export interface HostConnectionsOptions extends ConnectionDispatcherOptions {
  readonly maxConnections: number;
}

type Response = Omit<UpstreamResponse<unknown>, 'outcome'>;

/** One connection with its request. If the socket has closed, undici makes a new socket for the next request. */
interface Connection {
  readonly dispatcher: Dispatcher;
  socket: ReturnType<typeof limitSocket> | null;
  /** The response to the request that was sent last. Null while no request waits for a response. */
  response: Response | null;
  /** the requests that use the connection; all but the first wait in undici */
  readonly all: Set<Response>;
}

const CLOSED = new Error('the connections were closed');

/**
 * Replaces the Pool of undici. A Pool reuses its connections only after it has processed all responses that arrived
 * together. So the next requests would also be sent together, and their responses would also arrive together.
 */
export function createHostConnections(options: HostConnectionsOptions) {
  const { maxConnections } = options;
  const createDispatcher = createConnectionDispatchers(options);
  const connections: Connection[] = [];
  /** The connection that was used last is used next. So the server can close connections that are not needed. */
  const freeConnections: Connection[] = [];
  let isClosed = false;
  let hasConnected = false;

  function findConnection(): Connection {
    const free = freeConnections.pop();
    if (free !== undefined) return free;
    // The callers limit the running requests. So the request of at least one connection was aborted, and soon leaves.
    if (connections.length >= maxConnections) {
      return connections.reduce((best, other) => (runningIn(other) < runningIn(best) ? other : best));
    }
    const remainingBytes = (parsedBytes: number): number =>
      connection.response?.remainingBytesOrEnd(parsedBytes) ?? 0;
    const dispatcher = createDispatcher((socket) => {
      hasConnected = true;
      connection.socket = limitSocket(socket, remainingBytes, TURNS);
    });
    const connection: Connection = { dispatcher, socket: null, response: null, all: new Set() };
    connections.push(connection);
    return connection;
  }

  return {
    /** Sends a request. If the connection still has an aborted request, undici lets the new request wait for its end. */
    send(request: Dispatcher.DispatchOptions, response: Response): void {
      if (isClosed) {
        response.end(CLOSED);
        return;
      }
      const connection = findConnection();
      connection.all.add(response);
      response.onStart = () => {
        connection.response = response;
        connection.socket?.startCount();
      };
      response.onLeave = (isOpen) => {
        if (connection.response === response) connection.response = null;
        connection.all.delete(response);
        if (connection.all.size === 0)
          freeConnections.splice(isOpen ? freeConnections.length : 0, 0, connection);
      };
      connection.dispatcher.dispatch(request, response);
    },
    get hasConnected() {
      return hasConnected;
    },
    /** Ends all running requests. */
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all(connections.map(({ dispatcher }) => dispatcher.destroy()));
    },
  };
}

function runningIn({ all }: Connection): number {
  let running = 0;
  for (const { isEnded } of all) if (!isEnded) running += 1;
  return running;
}

/** The HTTP proxy of the operator's network, between the gateway and the Internet. */
export interface HttpsProxy {
  /** may contain a user name and a password */
  readonly url: URL;
  /** the value of NO_PROXY: hosts that the gateway reaches without the proxy */
  readonly noProxy: string;
}

interface ConnectionDispatcherOptions {
  readonly origin: string;
  /** the timeout of each step of a new connection: TCP, tunnel and TLS */
  readonly timeoutMs: number;
  /** Finds the addresses of the host. Default: Node's lookup. With a proxy, the proxy finds the addresses. */
  readonly lookup?: LookupFunction | undefined;
  /** Used for https URLs, except loopback addresses. Default: no proxy. */
  readonly httpsProxy?: HttpsProxy | null | undefined;
}

const READ_BYTES = 16_384;

/** All sockets read into one buffer. Node would allocate 64 kB for each read, faster than V8 frees this memory. */
const SMALL_READS = {
  highWaterMark: READ_BYTES,
  onread: {
    buffer: Buffer.allocUnsafeSlow(READ_BYTES),
    callback(this: Socket, length: number, buffer: Uint8Array): boolean {
      return this.push(Buffer.from(buffer.subarray(0, length)));
    },
  },
};

interface Connecting {
  readonly connect: buildConnector.connector;
}

/** The returned function makes a dispatcher with one connection. The dispatcher calls `onSocket` with each new socket. */
function createConnectionDispatchers(
  options: ConnectionDispatcherOptions,
): (onSocket: (socket: Socket) => void) => Dispatcher {
  const { origin, timeoutMs, lookup, httpsProxy } = options;
  // Without a timeout, a host that accepts a connection and sends nothing would block the connection for ever.
  const timeout = { timeout: timeoutMs };
  const direct = buildConnector({ ...timeout, ...SMALL_READS, ...(lookup && { lookup }) });
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

/** Turns the error of a failed tunnel into a connection error. Otherwise undici would connect to the proxy again and again. */
function asConnectError(error: Error): Error {
  // Other errors come from TCP and TLS.
  if (!(error instanceof errors.UndiciError || error instanceof errors.HTTPParserError)) return error;
  return Object.assign(new Error(error.message, { cause: error }), { syscall: 'connect' });
}

/** The parser gets at most this many bytes at once, so that the next check of the time comes soon. */
const MAX_STEP_BYTES = 16_384;

/**
 * Limits the bytes that the HTTP parser gets, and the time of the parser in one turn of the event loop. undici calls `socket.read()` until the
 * result is null. Unread bytes stay in the socket. A full socket receives no more bytes, so the server must wait.
 * @param remainingBytes gets the number of bytes that were parsed since the request. Returns how many more bytes the
 * parser can have. If the result is below 1, the socket closes.
 */
export function limitSocket(
  socket: Socket,
  remainingBytes: (parsedBytes: number) => number,
  turns: Pick<Turns, 'hasTime' | 'runLater'>,
) {
  const read = socket.read.bind(socket);
  let countedFrom = 0;
  let isWaiting = false;

  function parsedBytes(): number {
    return socket.bytesRead - socket.readableLength;
  }

  function readAgain(): void {
    isWaiting = false;
    if (!socket.destroyed) socket.emit('readable');
  }

  socket.read = (size) => {
    const arrived = socket.readableLength;
    // Only Node passes a size. An empty socket must be read, because the read makes the socket receive more bytes.
    if (size !== undefined || arrived === 0) return read(size);
    if (isWaiting) return null;
    const remaining = Math.floor(remainingBytes(parsedBytes() - countedFrom));
    if (remaining < 1) {
      socket.destroy();
      return null;
    }
    isWaiting = !turns.hasTime();
    if (!isWaiting) return read(Math.min(arrived, remaining, MAX_STEP_BYTES));
    turns.runLater(readAgain);
    return null;
  };

  return {
    /** Sets the count of parsed bytes to 0. Must be called when a request is sent. */
    startCount(): void {
      countedFrom = parsedBytes();
    },
  };
}
