// Ends a server without cutting off anyone who is being answered.

import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Prepares a server to be stopped. The function it returns refuses new connections from its call on, lets
 * requests in flight finish on connections that then end, ends all other connections, and after `timeoutMs`
 * those as well that are still at work. Node's own `close` waits for clients that have yet to ask anything.
 */
export function prepareStop(server: Server, timeoutMs: number): () => Promise<void> {
  const sockets = new Set<Socket>();
  const unfinished = new Set<ServerResponse>();
  let stopping = false;

  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // Before the application's own listener, which may answer at once.
  server.prependListener('request', (_request, response) => {
    if (stopping) response.setHeader('Connection', 'close');
    unfinished.add(response);
    response.once('close', () => unfinished.delete(response));
  });

  return async () => {
    stopping = true;
    const closed = new Promise((resolve) => server.close(resolve));
    const busy = new Set([...unfinished].map(({ socket }) => socket));
    for (const socket of sockets) if (!busy.has(socket)) socket.destroy();
    for (const response of unfinished) if (!response.headersSent) response.setHeader('Connection', 'close');
    const deadline = setTimeout(() => server.closeAllConnections(), timeoutMs);
    await closed;
    clearTimeout(deadline);
  };
}
