// Bounds what the HTTP parser gets from a socket: counted where the bytes arrive, before any of them is parsed.

import type { Socket } from 'node:net';

// When sockets of the directory and the agencies are parsed: for a few milliseconds in each turn of the event loop.

export interface ParsingTurns {
  /** Whether this turn has time left. If it has not, `again` is called in a later turn, first come first served. */
  hasTime(again: () => void): boolean;
}

/** 16 kB of header lines take about 5 ms: a flood on 64 connections must leave other work its part of each turn. */
const MAX_MS_IN_A_TURN = 5;

export function createParsingTurns(now: () => number = () => performance.now()): ParsingTurns {
  let waiting: (() => void)[] = [];
  /** when the first socket of this turn was parsed; null before */
  let startedAt: number | null = null;

  function takeTime(): boolean {
    if (startedAt === null) {
      startedAt = now();
      setImmediate(startTurn);
      return true;
    }
    return now() - startedAt < MAX_MS_IN_A_TURN;
  }

  function startTurn(): void {
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

/** One for all hosts, since all share one event loop. */
export const PARSING_TURNS: ParsingTurns = createParsingTurns();

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
