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
