// Stops a server without losing responses.

import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { nextTurn } from '../../turns.ts';
import { heldConnections } from './read-in-turns.ts';

interface StopOptions {
  /** the time for running requests, after the server has accepted its last connection */
  readonly timeoutMs: number;
  /**
   * the time for requests that are still arriving, and then the same time again for clients to close their connections
   */
  readonly lingerMs?: number;
  /**
   * If a connection waits, resolves when Node has accepted the connection. Default: resolves after a turn of the event
   * loop.
   */
  readonly waitForAccept?: () => Promise<void>;
  /** called once, when the stop begins; `inFlight`: the number of running requests */
  readonly onStopping?: (drainMs: number, inFlight: number) => void;
}

/**
 * Stops the server. Resolves when all connections are closed. A second call with `drainMs` 0 ends the draining early.
 */
type Stop = (drainMs: number) => Promise<void>;

const LINGER_MS = 500;

/**
 * Prepares a server for its stop, which has these steps:
 * 1. Drain: for `drainMs`, the server still serves new connections, so that balancers can notice the stop. Each
 *    response closes its connection.
 * 2. Accept the connections that wait in the kernel. The kernel refuses later connections.
 * 3. After `lingerMs`, end connections without a request. After twice this time, destroy such connections.
 * 4. After `timeoutMs`, destroy connections with running requests too.
 */
export function prepareStop(
  server: Server,
  { timeoutMs, lingerMs = LINGER_MS, waitForAccept = nextTurn, onStopping }: StopOptions,
): Stop {
  /**
   * The responses of each connection, in order. Closed responses are removed when the next request arrives. Arrays,
   * because a Set that each request fills and empties makes garbage collection several times slower.
   */
  const connections = new Map<Socket, ServerResponse[]>();
  const drain = new AbortController();
  /** the number of connections and requests that have arrived */
  let arrivals = 0;
  let isStopping = false;
  let end: Promise<void> | undefined;

  server.on('connection', (socket) => {
    arrivals += 1;
    connections.set(socket, []);
    // Watches the socket, because Node reports the close only to the response that is being written.
    socket.once('close', () => connections.delete(socket));
  });
  // Runs before the listener of the application, which can respond synchronously.
  server.prependListener('request', ({ socket }, response) => {
    arrivals += 1;
    const responses = connections.get(socket);
    if (isStopping) {
      const previous = responses?.at(-1);
      if (previous?.headersSent === false) previous.removeHeader('Connection');
      response.setHeader('Connection', 'close');
    }
    while (responses?.[0]?.closed) responses.shift();
    responses?.push(response);
  });

  return (drainMs) => {
    if (drainMs === 0) drain.abort();
    end ??= stop(drainMs);
    return end;
  };

  async function stop(drainMs: number): Promise<void> {
    isStopping = true;
    const unfinished = [...connections.values()].map((responses) => responses.filter(isUnfinished));
    onStopping?.(drainMs, unfinished.flat().length);
    for (const responses of unfinished) endAfter(responses.at(-1));
    // Without a drain, no turn may pass here: a connection that is accepted in it would be read at once.
    if (drainMs > 0) await delay(drainMs, undefined, { signal: drain.signal }).catch(() => undefined);
    const accepted = await acceptWaiting();
    // `server.close` of node:http would reset connections whose request is still arriving.
    const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
    for (const socket of accepted) {
      heldConnections.delete(socket);
      socket.resume();
    }
    const timers = [
      setTimeout(() => idleSockets().forEach((socket) => void socket.end()), lingerMs),
      setTimeout(() => idleSockets().forEach((socket) => void socket.destroy()), 2 * lingerMs),
      setTimeout(() => server.closeAllConnections(), timeoutMs),
    ];
    await closed;
    timers.forEach(clearTimeout);
  }

  /**
   * Accepts the connections that wait in the kernel, which the kernel would reset when the server stops listening. Under
   * load, many connections wait, because Node accepts only one in each turn of the event loop. The returned sockets are
   * paused, and the caller must resume them. Otherwise the gateway would respond and close the connections, and the
   * clients would connect again.
   */
  async function acceptWaiting(): Promise<readonly Socket[]> {
    const accepted: Socket[] = [];
    const accept = (socket: Socket): void => {
      heldConnections.add(socket);
      accepted.push(socket);
    };
    server.on('connection', accept);
    // Node reads this option again for each new connection.
    (server as Server & { pauseOnConnect: boolean }).pauseOnConnect = true;
    // Ends the loop if clients connect faster than the gateway accepts.
    const deadline = AbortSignal.timeout(lingerMs);
    const deadlineEvent = once(deadline, 'abort');
    // Begins in the next turn: if Node has already accepted the connection of this turn, the loop would see no arrival
    // and end too early.
    await nextTurn();
    let earlierArrivals: number;
    do {
      earlierArrivals = arrivals;
      await Promise.race([waitForAccept(), deadlineEvent]);
    } while (arrivals > earlierArrivals && !deadline.aborted);
    server.off('connection', accept);
    return accepted;
  }

  function idleSockets(): Socket[] {
    const entries = [...connections].filter(([, responses]) => !responses.some(isUnfinished));
    return entries.map(([socket]) => socket);
  }
}

/** Ends the connection after this response, which must be its last response. Later responses would be lost. */
function endAfter(response: ServerResponse | undefined): void {
  if (response === undefined) return;
  if (!response.headersSent) response.setHeader('Connection', 'close');
  // The head is already sent, without `Connection: close`, so the gateway itself must close the connection.
  else response.once('close', () => response.req.socket.end());
}

function isUnfinished({ closed }: ServerResponse): boolean {
  return !closed;
}
