// Makes the close of a connection cheap for the event loop.

import type { Socket } from 'node:net';

/**
 * When a socket closes, Node makes an error for each request that has no response yet. Thousands of stack traces would
 * keep the event loop busy.
 */
export function closeWithoutStackTraces(socket: Socket): void {
  let { stackTraceLimit } = Error;
  socket.prependOnceListener('close', () => {
    stackTraceLimit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
  });
  socket.once('close', () => {
    Error.stackTraceLimit = stackTraceLimit;
  });
}
