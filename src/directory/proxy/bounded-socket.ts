// Bounds what the HTTP parser gets from a socket: counted where the bytes arrive, before any of them is parsed.

import type { Socket } from 'node:net';
import type { ParsingTurns } from './parsing-turns.ts';

export interface BoundedSocket {
  /** A request is sent on it: bytes are counted from here. */
  startCount(): void;
}

/** Parsed in one step, so that the next check of the time comes soon. */
const MAX_STEP_BYTES = 16_384;

/**
 * undici reads a socket by `read()` alone, when it is readable, until `null` comes. Bytes that are not read yet stay in
 * the socket, which stops receiving when it is full, and then with the other side.
 * @param allowedBytes how many more bytes may be parsed, after `parsedBytes` since the request; below 1 the socket is closed
 */
export function boundSocket(
  socket: Socket,
  allowedBytes: (parsedBytes: number) => number,
  turns: ParsingTurns,
): BoundedSocket {
  const read = socket.read.bind(socket);
  let countedFrom = 0;
  let isWaiting = false;

  /** Bytes that the parser puts back are not counted. */
  function parsedBytes(): number {
    return socket.bytesRead - socket.readableLength;
  }

  function readAgain(): void {
    isWaiting = false;
    if (!socket.destroyed) socket.emit('readable');
  }

  socket.read = (size) => {
    const arrived = socket.readableLength;
    // Node's own calls have a size. A call of an empty socket makes it receive more.
    if (size !== undefined || arrived === 0) return read(size);
    if (isWaiting) return null;
    const allowed = Math.floor(allowedBytes(parsedBytes() - countedFrom));
    if (allowed < 1) {
      socket.destroy();
      return null;
    }
    isWaiting = !turns.hasTime(readAgain);
    return isWaiting ? null : read(Math.min(arrived, allowed, MAX_STEP_BYTES));
  };

  return {
    startCount() {
      countedFrom = parsedBytes();
    },
  };
}
