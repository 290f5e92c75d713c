// Time, so that tests can hold it.

export interface CacheClock {
  /** milliseconds since the epoch */
  now(): number;
  sleep(ms: number): Promise<void>;
}

export const systemClock: CacheClock = {
  now: Date.now,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};
