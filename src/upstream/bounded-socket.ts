// Limits how many bytes the HTTP parser gets from a socket, and how long it may parse in one slice.

import type { Socket } from 'node:net';

export interface ParsingSlices {
  /** Returns whether this slice has time left. If not, a later slice calls `again`, in the order of the calls. */
  hasTime(again: () => void): boolean;
}

/** After this time, the event loop runs other work, even if more bytes have arrived. */
const MAX_SLICE_MS = 5;

export function createParsingSlices(now: () => number = () => performance.now()): ParsingSlices {
  let waiting: (() => void)[] = [];
  /** Null until the parser gets the first bytes of this slice. */
  let startedAt: number | null = null;

  function takeTime(): boolean {
    if (startedAt === null) {
      startedAt = now();
      setImmediate(startSlice);
      return true;
    }
    return now() - startedAt < MAX_SLICE_MS;
  }

  function startSlice(): void {
    startedAt = null;
    const ready = waiting;
    waiting = [];
    let next = 0;
    while (next < ready.length && takeTime()) {
      ready[next]?.();
      next += 1;
    }
    waiting = [...ready.slice(next), ...waiting];
  }

  return {
    hasTime(again) {
      if (takeTime()) return true;
      waiting.push(again);
      return false;
    },
  };
}

/** All hosts share the slices, because all connections share one event loop. */
export const PARSING_SLICES: ParsingSlices = createParsingSlices();

export interface BoundedSocket {
  /** Sets the count of parsed bytes to 0. The caller calls it when it sends a request. */
  startCount(): void;
}

/** The parser gets at most this many bytes at once, so that the next check of the time comes soon. */
const MAX_STEP_BYTES = 16_384;

/**
 * Replaces `socket.read`. When the socket is readable, undici calls `read()` until `read` returns null. Unread bytes stay
 * in the socket. A full socket receives no more bytes, so the server must wait.
 * @param remainingBytes gets the number of bytes that were parsed since the request. Returns how many more bytes the
 * parser can have. If the result is below 1, the socket closes.
 */
export function boundSocket(
  socket: Socket,
  remainingBytes: (parsedBytes: number) => number,
  slices: ParsingSlices,
): BoundedSocket {
  const read = socket.read.bind(socket);
  let countedFrom = 0;
  let isWaiting = false;

  function parsedBytes(): number {
    return socket.bytesRead - socket.readableLength;
  }

  function readAgain(): void {
    isWaiting = false;
    if (!socket.destroyed) socket.emit('readable');
  }

  socket.read = (size) => {
    const arrived = socket.readableLength;
    // Only Node passes a size. An empty socket must be read, because the read makes the socket receive more bytes.
    if (size !== undefined || arrived === 0) return read(size);
    if (isWaiting) return null;
    const remaining = Math.floor(remainingBytes(parsedBytes() - countedFrom));
    if (remaining < 1) {
      socket.destroy();
      return null;
    }
    isWaiting = !slices.hasTime(readAgain);
    return isWaiting ? null : read(Math.min(arrived, remaining, MAX_STEP_BYTES));
  };

  return {
    startCount() {
      countedFrom = parsedBytes();
    },
  };
}
