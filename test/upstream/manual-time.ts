// A clock that stands still until the test moves it, or that each sleep moves to its end.

import { abortable } from '../../src/abortable.ts';
import type { Clock } from '../../src/time.ts';

export interface ManualTime extends Clock {
  /** milliseconds of every sleep, in order */
  readonly sleeps: number[];
  /** number of alarms and sleeps that have not ended */
  pending(): number;
  advance(ms: number): void;
  /** time until the next alarm or the end of a sleep; null: there is no alarm and no sleep */
  untilNextMs(): number | null;
  /** Resolves when so many sleeps have begun. */
  slept(count: number): Promise<void>;
}

/** Sleeps end and alarms ring when `advance` has moved time far enough. */
export function createManualTime(): ManualTime {
  let now = 0;
  let sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  let watchers: { readonly count: number; readonly resolve: () => void }[] = [];
  const sleeps: number[] = [];
  return {
    sleeps,
    pending: () => sleepers.length,
    now: () => now,
    advance(ms) {
      now += ms;
      const due = sleepers.filter(({ until }) => until <= now);
      // An alarm can cancel another alarm that is due.
      for (const sleeper of due) if (sleepers.includes(sleeper)) sleeper.wake();
      sleepers = sleepers.filter((sleeper) => !due.includes(sleeper));
    },
    untilNextMs() {
      return sleepers.length === 0 ? null : Math.min(...sleepers.map(({ until }) => until)) - now;
    },
    after(ms, run) {
      const alarm = { until: now + ms, wake: run };
      sleepers.push(alarm);
      return () => {
        sleepers = sleepers.filter((other) => other !== alarm);
      };
    },
    every(ms, run) {
      let cancel = () => {};
      const next = () => {
        cancel = this.after(ms, () => {
          run();
          next();
        });
      };
      next();
      return () => cancel();
    },
    sleep(ms, signal) {
      sleeps.push(ms);
      for (const { count, resolve } of watchers) if (count <= sleeps.length) resolve();
      watchers = watchers.filter(({ count }) => count > sleeps.length);
      const until = now + ms;
      const slept = new Promise<void>((wake) => sleepers.push({ until, wake }));
      return signal ? abortable(slept, signal) : slept;
    },
    slept(count) {
      if (sleeps.length >= count) return Promise.resolve();
      return new Promise((resolve) => watchers.push({ count, resolve }));
    },
  };
}

/** Each sleep moves the clock to its end and ends at once. */
export function createSkippingTime(): ManualTime {
  const time = createManualTime();
  return {
    ...time,
    async sleep(ms, signal) {
      const slept = time.sleep(ms, signal);
      time.advance(ms);
      await slept;
    },
  };
}
