// The end of a connection whose client is still sending. Closed at once it would be reset, and with that the answer
// lost that is on its way (RFC 9112, section 9.6).

import type { Socket } from 'node:net';

/** For how long, and how much of it, what still comes is thrown away. */
const LINGER_MS = 1_000;
const LINGER_BYTES = 1_000_000;

/** Ends our side once all is written; the connection is closed when the client ends its own, or takes too long. */
export function endGently(socket: Socket): void {
  let bytes = 0;
  // Node's parser has no use for it any more: it would fail over each piece.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > LINGER_BYTES) socket.destroy();
  });
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('end', () => socket.destroySoon());
  socket.once('close', () => clearTimeout(timer));
  socket.end();
}
