// Limits how many bytes the HTTP parser gets from a socket, and how long it may parse in one slice.

import type { Socket } from 'node:net';

export interface ParsingSlices {
  /** Whether this slice has time left. If not, a later slice calls `again`, in the order of the calls. */
  hasTime(again: () => void): boolean;
}

/** After this time, other work runs, even if bytes arrive on all connections. */
const MAX_SLICE_MS = 5;

export function createParsingSlices(now: () => number = () => performance.now()): ParsingSlices {
  let waiting: (() => void)[] = [];
  /** When the parser got the first bytes of this slice. Null before. */
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
    const woken = waiting;
    waiting = [];
    let next = 0;
    while (next < woken.length && takeTime()) {
      woken[next]?.();
      next += 1;
    }
    waiting = [...woken.slice(next), ...waiting];
  }

  return {
    hasTime(again) {
      if (takeTime()) return true;
      waiting.push(again);
      return false;
    },
  };
}

/** One for all hosts, because they share one event loop. */
export const PARSING_SLICES: ParsingSlices = createParsingSlices();

export interface BoundedSocket {
  /** Starts to count bytes, when a request is sent. */
  startCount(): void;
}

/** The parser gets at most this much at once, so that the next check of the time comes soon. */
const MAX_STEP_BYTES = 16_384;

/**
 * Replaces `socket.read`. When the socket is readable, undici calls `read()` until it returns null. Unread bytes stay in
 * the socket. A full socket receives no more, so the other side waits.
 * @param allowedBytes gets the bytes that were parsed since the request. Returns how many more may be parsed. If the
 * result is below 1, the socket closes.
 */
export function boundSocket(
  socket: Socket,
  allowedBytes: (parsedBytes: number) => number,
  slices: ParsingSlices,
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
    // Only Node itself passes a size. A read of an empty socket makes the socket receive more.
    if (size !== undefined || arrived === 0) return read(size);
    if (isWaiting) return null;
    const allowed = Math.floor(allowedBytes(parsedBytes() - countedFrom));
    if (allowed < 1) {
      socket.destroy();
      return null;
    }
    isWaiting = !slices.hasTime(readAgain);
    return isWaiting ? null : read(Math.min(arrived, allowed, MAX_STEP_BYTES));
  };

  return {
    startCount() {
      countedFrom = parsedBytes();
    },
  };
}
