import type { Server } from 'node:http';

/**
 * Cuts the connection of a client that has read nothing of its answer for `timeoutMs`: the answer would be kept
 * for it for ever. One that waits for its answer is left alone, however long that takes.
 */
export function cutUnreadAnswers(server: Server, timeoutMs: number): void {
  server.prependListener('request', ({ socket }, response) => {
    response.setTimeout(timeoutMs, () => {
      if (socket.writableLength > 0) socket.destroy();
    });
  });
}
