// Ends a server without cutting off anyone who is being answered.

import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

export interface StopOptions {
  /** time for requests in flight to finish once there are no new connections */
  readonly timeoutMs: number;
  /** time for requests that are on their way; then as much for clients to see that their connection ends */
  readonly lingerMs?: number;
  /** resolves once the next connection that waits has come, if there is one; left out: after a turn of the event loop */
  readonly turn?: () => Promise<void>;
  /** called once, when stopping begins: readiness falls before anything else does */
  readonly onStopping?: (drainMs: number, inFlight: number) => void;
}

/**
 * Stops the server, and resolves when it has no connection left. A second call does not stop it again: it ends the
 * draining early if its `drainMs` is 0.
 */
export type Stop = (drainMs: number) => Promise<void>;

const LINGER_MS = 500;

/**
 * Prepares a server to be stopped. For `drainMs` it goes on as before, so that balancers notice, but every
 * answer ends its connection. Then the connections that wait are accepted, and later ones refused. Requests in flight finish on connections that
 * end with them, and so do those that come within `lingerMs`. Then all other connections are ended, without a
 * reset where the client ends its side, too; after `timeoutMs` those as well that are still at work.
 */
export function prepareStop(
  server: Server,
  { timeoutMs, lingerMs = LINGER_MS, turn = nextTurn, onStopping }: StopOptions,
): Stop {
  /**
   * Every connection, and its answers from the first that was not finished when the last request came. Lists: the
   * tables of a Set that every request fills and empties refer to each other, and seem to keep old answers in
   * memory. Collecting garbage took 4.7 ms each time with it and with a Map of bodies, and 1 ms without both.
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
    // Node does not report to later answers of a connection that the connection is gone.
    socket.once('close', () => connections.delete(socket));
  });
  // Before the application's own listener, which may answer at once.
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
    // Not that of node:http, which resets connections whose request is on its way.
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
   * Accepts the connections that wait in the kernel, which would reset them at the end of listening. Node accepts one in
   * each turn of the event loop, so under load there are many. Meanwhile the gateway reads no request on them: each
   * response would end its connection, and the client would connect again. The caller resumes the sockets.
   */
  async function acceptWaiting(): Promise<readonly Socket[]> {
    const accepted: Socket[] = [];
    const accept = (socket: Socket) => accepted.push(socket);
    server.on('connection', accept);
    // An option of servers, which Node reads for each connection.
    (server as Server & { pauseOnConnect: boolean }).pauseOnConnect = true;
    let isLate = false;
    const limit = createDelay();
    const late = limit.wait(lingerMs).then(() => {
      isLate = true;
    });
    // The first turn may be half over, with its connection accepted before.
    await nextTurn();
    let before: number;
    do {
      before = arrivals;
      await Promise.race([turn(), late]);
      // Clients that connect faster than the gateway accepts do not hold up its end.
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

/** The last of a connection's answers: an end with one before it would cut those that follow. */
function endWith(response: ServerResponse | undefined): void {
  if (response === undefined) return;
  if (!response.headersSent) response.setHeader('Connection', 'close');
  // An answer in parts that has promised to keep its connection: nothing else would end it.
  else response.once('close', () => response.req.socket.end());
}

function isUnfinished({ closed }: ServerResponse): boolean {
  return !closed;
}

/** A delay that other code may end early, even before it begins. */
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
