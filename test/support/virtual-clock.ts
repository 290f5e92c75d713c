// Time that stands still until a test moves it on.

import type { Clock } from '../../src/time.ts';
import { NOW } from './fake-directory.ts';

export interface VirtualClock extends Pick<Clock, 'now' | 'sleep'> {
  /** how many sleep now */
  readonly sleepers: number;
  /** Moves time on, wakes who has slept long enough in order, and lets each get as far as it can. */
  advance(ms: number): Promise<void>;
  /** Sets the clock forward, or back where it is less than nothing. No time passes: who sleeps sleeps on. */
  shift(ms: number): void;
}

/** Stands at NOW, the time of the fake directory. */
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

/** Everything that waits for nothing but promises has happened. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 3; round += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
