// A cached answer: what it is, since when it is known, and how long it may be believed (after RFC 8767).

export interface Entry<Value> {
  readonly value: Value;
  /** milliseconds since the epoch */
  readonly fetchedAt: number;
  /** milliseconds since the epoch */
  readonly freshUntil: number;
}

const HOUR_MS = 3_600_000;
const SERVED_AT_ONCE_MS = HOUR_MS;
const KEPT_MS = 7 * 24 * HOUR_MS;

/**
 * `fresh`: believed. `aging`: believed, and in the last tenth of its life, so worth a new look.
 * `stale`: up to an hour past, good enough to be served while a new look is taken.
 * `old`: up to seven days past, served when a new look fails or takes long. `dead`: not served any more.
 */
export type Age = 'fresh' | 'aging' | 'stale' | 'old' | 'dead';

export function ageOf(entry: Entry<unknown>, now: number): Age {
  const { freshUntil } = entry;
  if (now < freshUntil) return now < agingFrom(entry) ? 'fresh' : 'aging';
  if (now <= freshUntil + SERVED_AT_ONCE_MS) return 'stale';
  return now <= freshUntil + KEPT_MS ? 'old' : 'dead';
}

/** When its last tenth begins. */
export function agingFrom({ fetchedAt, freshUntil }: Entry<unknown>): number {
  return freshUntil - (freshUntil - fetchedAt) / 10;
}

/** Whether there is anything to keep: what expires as it comes is not cached. */
export function isCacheable({ fetchedAt, freshUntil }: Entry<unknown>): boolean {
  return freshUntil > fetchedAt;
}

/** How long a tier keeps an entry; shortened at random, so that what came together does not go together. */
export function keptMs({ freshUntil }: Entry<unknown>, now: number, random: () => number): number {
  const jitter = 1 - random() / 10;
  return Math.max(1, Math.floor((freshUntil + KEPT_MS - now) * jitter));
}
