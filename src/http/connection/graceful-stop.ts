// Stops a server without breaking off responses.

import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

export interface StopOptions {
  /** time for running requests to end after the last new connection */
  readonly timeoutMs: number;
  /** Time for requests that are still arriving. Then the same time for clients to close their connections. */
  readonly lingerMs?: number;
  /**
   * Resolves when the next waiting connection has been accepted, if there is one. Default: after one pass of the event
   * loop.
   */
  readonly turn?: () => Promise<void>;
  /** called once, when stopping begins, before anything else, so that readiness ends first */
  readonly onStopping?: (drainMs: number, inFlight: number) => void;
}

/**
 * Stops the server. Resolves when no connection is left. A second call with `drainMs` 0 only ends the draining early.
 */
export type Stop = (drainMs: number) => Promise<void>;

const LINGER_MS = 500;

/**
 * Prepares a server for its stop. For `drainMs` the server continues, so that balancers notice, but every response ends
 * its connection. Then it accepts the connections that wait, and refuses later ones. Running requests, and requests that
 * arrive within `lingerMs`, get their responses. Then it ends all other connections. It resets a connection only if the
 * client does not close it. After `timeoutMs` it also ends connections with running requests.
 */
export function prepareStop(
  server: Server,
  { timeoutMs, lingerMs = LINGER_MS, turn = nextTurn, onStopping }: StopOptions,
): Stop {
  /**
   * The responses of every connection, from the first that was not finished when the last request arrived. Arrays,
   * because a Set that every request fills and empties makes each garbage collection several times slower.
   */
  const connections = new Map<Socket, ServerResponse[]>();
  const drain = createDelay();
  /** connections and requests */
  let arrivals = 0;
  let stopping = false;
  let stopped: Promise<void> | undefined;

  server.on('connection', (socket) => {
    arrivals += 1;
    connections.set(socket, []);
    // On the socket, because Node does not report the close of a connection to its later responses.
    socket.once('close', () => connections.delete(socket));
  });
  // Before the listener of the application, which may respond synchronously.
  server.prependListener('request', ({ socket }, response) => {
    arrivals += 1;
    const answers = connections.get(socket);
    if (stopping) {
      const before = answers?.at(-1);
      if (before?.headersSent === false) before.removeHeader('Connection');
      response.setHeader('Connection', 'close');
    }
    while (answers?.[0]?.closed) answers.shift();
    answers?.push(response);
  });

  return (drainMs) => {
    if (drainMs === 0) drain.end();
    stopped ??= stop(drainMs);
    return stopped;
  };

  async function stop(drainMs: number): Promise<void> {
    stopping = true;
    const unfinished = [...connections.values()].map((answers) => answers.filter(isUnfinished));
    onStopping?.(drainMs, unfinished.flat().length);
    for (const answers of unfinished) endWith(answers.at(-1));
    await drain.wait(drainMs);
    const accepted = await acceptWaiting();
    // The `close` of node:net, because the one of node:http resets connections whose request is still arriving.
    const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
    for (const socket of accepted) socket.resume();
    const timers = [
      setTimeout(() => idle().forEach((socket) => void socket.end()), lingerMs),
      setTimeout(() => idle().forEach((socket) => void socket.destroy()), 2 * lingerMs),
      setTimeout(() => server.closeAllConnections(), timeoutMs),
    ];
    await closed;
    timers.forEach(clearTimeout);
  }

  /**
   * Accepts the connections that wait in the kernel, because the kernel resets them when the server stops listening. Node
   * accepts one in each pass of the event loop, so under load many wait. Meanwhile the gateway reads no request from them:
   * each response would end its connection, and the client would connect again. The caller resumes the sockets.
   */
  async function acceptWaiting(): Promise<readonly Socket[]> {
    const accepted: Socket[] = [];
    const accept = (socket: Socket) => accepted.push(socket);
    server.on('connection', accept);
    // Node reads this option of a server for each connection.
    (server as Server & { pauseOnConnect: boolean }).pauseOnConnect = true;
    let isLate = false;
    const limit = createDelay();
    const late = limit.wait(lingerMs).then(() => {
      isLate = true;
    });
    // The current pass may already have accepted its connection, so wait for the next.
    await nextTurn();
    let before: number;
    do {
      before = arrivals;
      await Promise.race([turn(), late]);
      // The limit ends the loop if clients connect faster than the gateway accepts.
    } while (arrivals > before && !isLate);
    limit.end();
    server.off('connection', accept);
    return accepted;
  }

  function idle(): Socket[] {
    const entries = [...connections].filter(([, answers]) => !answers.some(isUnfinished));
    return entries.map(([socket]) => socket);
  }
}

/** Ends a connection with its last response. With an earlier one, later responses would be lost. */
function endWith(response: ServerResponse | undefined): void {
  if (response === undefined) return;
  if (!response.headersSent) response.setHeader('Connection', 'close');
  // The head of this response was sent and promised to keep the connection, so the gateway must end it.
  else response.once('close', () => response.req.socket.end());
}

function isUnfinished({ closed }: ServerResponse): boolean {
  return !closed;
}

/** A delay that other code can end early, even before the delay begins. */
function createDelay() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    end: () => end(),
    async wait(timeMs: number): Promise<void> {
      const timer = setTimeout(end, timeMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
