// Bounds the bytes that the HTTP parser gets from a socket, in number and in time.

import type { Socket } from 'node:net';

export interface ParsingSlices {
  /** Whether this slice has time left. If not, a later slice calls `again`, in the order of the calls. */
  hasTime(again: () => void): boolean;
}

/** A flood on all connections must leave time for other work. */
const MAX_SLICE_MS = 5;

export function createParsingSlices(now: () => number = () => performance.now()): ParsingSlices {
  let waiting: (() => void)[] = [];
  /** when the first socket of this slice was parsed; null before */
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

/** Parsed in one step, so that the next check of the time comes soon. */
const MAX_STEP_BYTES = 16_384;

/**
 * undici calls only `read()`, when the socket is readable, until `null` comes. Unread bytes stay in the socket. A full
 * socket stops receiving, so the other side waits.
 * @param allowedBytes how many more bytes may be parsed, after `parsedBytes` since the request. Below 1 the socket closes.
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
    // Node itself calls with a size. A call on an empty socket makes it receive more.
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
