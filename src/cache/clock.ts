// The clock of the cache. Tests replace it.

import { turnClock } from '../time.ts';

export interface CacheClock {
  /** milliseconds since 1970 */
  now(): number;
  sleep(ms: number): Promise<void>;
}

export const systemClock: CacheClock = {
  now: turnClock,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};
