// How the connections to one host are made: directly, or by a tunnel through the proxy that HTTPS_PROXY names.

import type { LookupFunction, Socket } from 'node:net';
import { buildConnector, Client, type Dispatcher, EnvHttpProxyAgent, errors } from 'undici';
import { isLoopback } from './metadata/redirect-target.ts';

/** The proxy of an operator, between the gateway and the Internet. */
export interface HttpsProxy {
  /** a user name and a password may stand in it */
  readonly url: URL;
  /** hosts that are reached without it, as NO_PROXY lists them */
  readonly noProxy: string;
}

export interface ConnectionDispatcherOptions {
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
export function createConnectionDispatchers(
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
