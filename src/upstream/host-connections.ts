// The connections to one host, with one request at a time on each.

import type { LookupFunction, Socket } from 'node:net';
import { buildConnector, Client, type Dispatcher, EnvHttpProxyAgent, errors } from 'undici';
import { type BoundedSocket, boundSocket, PARSING_TURNS } from './bounded-socket.ts';
import { isLoopback } from './metadata/public-addresses.ts';

export interface HostConnectionsOptions extends ConnectionDispatcherOptions {
  readonly most: number;
}

/** What is told of a request how it goes, and tells by `onLeave` that its connection can be used again. */
export interface SentAnswer extends Dispatcher.DispatchHandler {
  readonly isEnded: boolean;
  onLeave: ((isOpen: boolean) => void) | undefined;
  /** How many more bytes of the socket may be parsed, after `parsedBytes`. Ends the request at zero. */
  allowedBytes(parsedBytes: number): number;
  end(reason: Error): void;
}

/** One connection at a time, made again when it has ended, and the request that is sent on it. */
interface Connection {
  readonly dispatcher: Dispatcher;
  socket: BoundedSocket | null;
  /** null: no request waits for the bytes that arrive now */
  answer: SentAnswer | null;
}

export interface HostConnections {
  /** Sends a request, which names the origin, as soon as there is a connection for it. */
  send(request: Dispatcher.DispatchOptions, answer: SentAnswer): void;
  /** whether a connection was ever made */
  readonly hasConnected: boolean;
  /** Ends all that is under way. */
  close(): Promise<void>;
}

const CLOSED = new Error('the connections were closed');

/**
 * undici's own Pool gives a connection to the next request no sooner than all answers that came with the last one have
 * been worked on: with a burst of 64 the first waits for the other 63, and all are sent, and answered, together again.
 */
export function createHostConnections(options: HostConnectionsOptions): HostConnections {
  const { most } = options;
  const createDispatcher = createConnectionDispatchers(options);
  const connections: Connection[] = [];
  /** used last, taken first: it is not idle long enough to be closed by the other side */
  const free: Connection[] = [];
  const waiting: { readonly request: Dispatcher.DispatchOptions; readonly answer: SentAnswer }[] = [];
  let isClosed = false;
  let hasConnected = false;

  function findFree(): Connection | undefined {
    const known = free.pop();
    if (known !== undefined || connections.length >= most) return known;
    const allowedBytes = (parsedBytes: number): number => connection.answer?.allowedBytes(parsedBytes) ?? 0;
    const dispatcher = createDispatcher((socket) => {
      hasConnected = true;
      connection.socket = boundSocket(socket, allowedBytes, PARSING_TURNS);
    });
    const connection: Connection = { dispatcher, socket: null, answer: null };
    connections.push(connection);
    return connection;
  }

  function dispatch(connection: Connection, request: Dispatcher.DispatchOptions, answer: SentAnswer): void {
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

// How the connections to one host are made: directly, or by a tunnel through the proxy that HTTPS_PROXY names.

/** The proxy of an operator, between the gateway and the Internet. */
export interface HttpsProxy {
  /** a user name and a password may stand in it */
  readonly url: URL;
  /** hosts that are reached without it, as NO_PROXY lists them */
  readonly noProxy: string;
}

interface ConnectionDispatcherOptions {
  readonly origin: string;
  /** for each step of making a connection: TCP, tunnel and TLS */
  readonly timeoutMs: number;
  /** finds the addresses of the host; left out: as Node does. A proxy finds them itself. */
  readonly lookup?: LookupFunction | undefined;
  /** takes requests over https, but not to loopback; left out: there is none */
  readonly httpsProxy?: HttpsProxy | null | undefined;
}

interface Connecting {
  readonly connect: buildConnector.connector;
}

/** @returns makes a dispatcher for one connection at a time, each of which `onSocket` gets before it is used */
function createConnectionDispatchers(
  options: ConnectionDispatcherOptions,
): (onSocket: (socket: Socket) => void) => Dispatcher {
  const { origin, timeoutMs, lookup, httpsProxy } = options;
  // A host that accepts a connection and then says nothing must not keep it for ever.
  const timeout = { timeout: timeoutMs };
  const direct = buildConnector({ ...timeout, ...(lookup && { lookup }) });
  const { protocol, hostname } = new URL(origin);

  function createClient(connect: buildConnector.connector, onSocket: (socket: Socket) => void): Client {
    const watched: buildConnector.connector = (target, done) =>
      connect(target, (...[error, socket]) => {
        if (error) return done(asOfConnecting(error), null);
        onSocket(socket);
        return done(null, socket);
      });
    // One time-out rules each attempt as a whole, so undici's own are off.
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
 * No tunnel is no connection. undici would make another for ever, without an end of the request, where a proxy closes
 * the connection before there is a tunnel.
 */
function asOfConnecting(error: Error): Error {
  // Other errors are those of TCP and TLS.
  if (!(error instanceof errors.UndiciError || error instanceof errors.HTTPParserError)) return error;
  return Object.assign(new Error(error.message, { cause: error }), { syscall: 'connect' });
}
