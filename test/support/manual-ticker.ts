import type { Clock } from '../../src/time.ts';
// Time that stands still until a test advances it, for code that runs at an interval.

export interface ManualTicker extends Pick<Clock, 'now' | 'every'> {
  /** number of intervals */
  readonly running: number;
  /** Advances time, and runs the intervals that are due. */
  advance(ms: number): void;
}

export function createManualTicker(): ManualTicker {
  const runs = new Set<{ readonly everyMs: number; readonly run: () => void; dueMs: number }>();
  let nowMs = 0;
  return {
    now: () => nowMs,
    get running() {
      return runs.size;
    },
    every(everyMs, run) {
      const entry = { everyMs, run, dueMs: nowMs + everyMs };
      runs.add(entry);
      return () => void runs.delete(entry);
    },
    advance(ms) {
      const endMs = nowMs + ms;
      for (;;) {
        const [next] = [...runs].sort((a, b) => a.dueMs - b.dueMs);
        if (!next || next.dueMs > endMs) break;
        nowMs = next.dueMs;
        next.dueMs += next.everyMs;
        next.run();
      }
      nowMs = endMs;
    },
  };
}
