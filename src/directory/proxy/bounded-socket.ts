// Bounds what the HTTP parser gets from a socket: counted where the bytes arrive, before any of them is parsed.

import type { Socket } from 'node:net';
import type { ParsingTurns } from './parsing-turns.ts';

export interface BoundedSocket {
  /** A request is sent on it: bytes are counted from here. */
  startCount(): void;
}

/** In one step, so that the time of a turn is looked at again soon. */
const MAX_STEP_BYTES = 16_384;

/**
 * undici reads a socket by `read()` alone, when it is readable, until `null` comes. Bytes that are not read yet stay in
 * the socket, which stops receiving when it is full, and then with the other side.
 * @param allowedBytes how many more bytes may be parsed, after so many since the request; below 1 the socket is closed
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
    // With a size Node itself calls; with nothing there the call asks for more.
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
