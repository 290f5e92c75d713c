// Time that stands still until a test advances it.

import type { Clock } from '../../src/time.ts';
import { NOW } from './fake-directory.ts';

export interface VirtualClock extends Pick<Clock, 'now' | 'sleep'> {
  /** number of pending sleeps */
  readonly sleepers: number;
  /** Advances time, ends due sleeps in order, and runs pending promises after each. */
  advance(ms: number): Promise<void>;
  /** Sets the clock forward, or back for a negative number. No time passes: sleeps continue. */
  shift(ms: number): void;
}

/** The clock stands at NOW, the time of the fake directory. */
export function createVirtualClock(): VirtualClock {
  const sleeping: { until: number; readonly wake: () => void }[] = [];
  let now = NOW;
  return {
    now: () => now,
    sleep: (ms) =>
      new Promise((wake) => {
        sleeping.push({ until: now + ms, wake });
        sleeping.sort((a, b) => a.until - b.until);
      }),
    get sleepers() {
      return sleeping.length;
    },
    async advance(ms) {
      const end = now + ms;
      await settled();
      for (let next = sleeping[0]; next && next.until <= end; next = sleeping[0]) {
        sleeping.shift();
        now = Math.max(now, next.until);
        next.wake();
        await settled();
      }
      now = end;
      await settled();
    },
    shift(ms) {
      now += ms;
      for (const sleeper of sleeping) sleeper.until += ms;
    },
  };
}

/** Resolves when all code that waits only for promises has run. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 3; round += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
