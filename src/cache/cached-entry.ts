// A cached answer with its times, and the rules for serving stale answers (RFC 8767).

import { setTimeout as sleep } from 'node:timers/promises';
import { LONGEST_LIFE_MS } from '../handle/record-life.ts';
import { turnClock } from '../time.ts';

/** Tests replace it. */
export interface CacheClock {
  /** milliseconds since 1970 */
  now(): number;
  sleep(ms: number): Promise<void>;
}

export const systemClock: CacheClock = { now: turnClock, sleep: (ms) => sleep(ms) };

/** The longest text in UTF-8, somewhat longer than the largest response of the directory. */
export const MAX_TEXT_BYTES = 8_000_000;

/** The port to a cache tier that all replicas share. It never rejects: if it fails, it behaves as if it were empty. */
export interface SharedTier {
  /** `down`: the cache does not use the tier, and the tier finds out in the background when it works again */
  readonly state: 'up' | 'down';
  /** The tier has no free memory: it allows reads and refuses writes. */
  readonly isFull: boolean;
  /**
   * Makes one round trip. Null: there is no entry, or the tier failed. Returns only the first MAX_TEXT_BYTES + 1 bytes
   * of a longer text.
   */
  getMany(keys: readonly string[]): Promise<readonly (string | null)[]>;
  /** Returns before the write. If the text is longer than MAX_TEXT_BYTES, deletes the entry instead. */
  set(key: string, text: string, keptMs: number): void;
  delete(key: string): void;
  /** Takes the lock of a key for at most `heldMs`. */
  lock(key: string, heldMs: number): Promise<LockAttempt>;
  close(): Promise<void>;
}

/** `unavailable`: the tier cannot give a lock now, and the caller continues without a lock. */
export type LockAttempt =
  | { readonly got: 'lock'; release(): void }
  | { readonly got: 'held by another' | 'unavailable' };

/** For a gateway without a shared tier. */
export const NO_SHARED_TIER: SharedTier = {
  state: 'down',
  isFull: false,
  getMany: async (keys) => keys.map(() => null),
  set() {},
  delete() {},
  lock: async () => ({ got: 'unavailable' }),
  async close() {},
};

/** All times are milliseconds since 1970. */
export interface Entry<Value> {
  readonly value: Value;
  readonly fetchedAt: number;
  readonly freshUntil: number;
  /** After this time, the entry has expired: the cache does not serve it, even if a refresh fails. */
  readonly servedUntil: number;
}

const HOUR_MS = 3_600_000;
/** The cache serves an entry without waiting for its refresh until this time after `freshUntil`. */
const SERVED_AT_ONCE_MS = HOUR_MS;
/** The cache serves an entry whose refresh fails until this time after `freshUntil`. */
const SERVED_MS = 7 * 24 * HOUR_MS;
/** The clocks of two replicas can differ by this time. */
const CLOCK_SKEW_MS = 10_000;

/** @param isAbsence the name does not exist. It could be registered soon, so the entry expires early. */
export function createEntry<Value>(
  value: Value,
  { fetchedAt, freshUntil }: Pick<Entry<Value>, 'fetchedAt' | 'freshUntil'>,
  isAbsence: boolean,
): Entry<Value> {
  const servedUntil = freshUntil + (isAbsence ? SERVED_AT_ONCE_MS : SERVED_MS);
  return { value, fetchedAt, freshUntil, servedUntil };
}

/**
 * `fresh`: the cache serves the entry.
 * `aging`: the last tenth of its fresh time. The cache serves the entry and refreshes it in the background.
 * `stale`: at most an hour after `freshUntil`. The cache serves the entry and refreshes it in the background.
 * `very stale`: at most seven days after `freshUntil`. The cache serves the entry if the refresh fails or is slow.
 * `expired`: the cache does not serve the entry. An entry from the future has also expired: the clock was set back, or
 * another program wrote the entry.
 */
export type Age = 'fresh' | 'aging' | 'stale' | 'very stale' | 'expired';

export function ageOf(entry: Entry<unknown>, now: number): Age {
  const { freshUntil, servedUntil } = entry;
  if (now < validFrom(entry) || now > servedUntil) return 'expired';
  if (now < freshUntil) return now < agingFrom(entry) ? 'fresh' : 'aging';
  return now <= freshUntil + SERVED_AT_ONCE_MS ? 'stale' : 'very stale';
}

/** Before this time, the entry seems to come from the future, because a clock is wrong. */
export function validFrom({ fetchedAt }: Pick<Entry<unknown>, 'fetchedAt'>): number {
  return fetchedAt - CLOCK_SKEW_MS;
}

/** `validFrom` for an answer whose fetch time is unknown: the earliest possible fetch time is used. */
export function validFromExpiry(freshUntil: number): number {
  return freshUntil - LONGEST_LIFE_MS - CLOCK_SKEW_MS;
}

/** Whether an answer whose fetch time is unknown is fresh. */
export function isFreshUntil(freshUntil: number, now: number): boolean {
  return now < freshUntil && now >= validFromExpiry(freshUntil);
}

/** The time when the last tenth of the fresh time begins. */
export function agingFrom({ fetchedAt, freshUntil }: Entry<unknown>): number {
  return freshUntil - (freshUntil - fetchedAt) / 10;
}

/** False if the answer must not be kept: it was never fresh. */
export function isCacheable({ fetchedAt, freshUntil }: Entry<unknown>): boolean {
  return freshUntil > fetchedAt;
}

/** How long the shared tier keeps an entry. Random, so that entries of one moment do not expire together. */
export function keptMs({ servedUntil }: Entry<unknown>, now: number, random: () => number): number {
  const jitter = 1 - random() / 10;
  return Math.max(1, Math.floor((servedUntil - now) * jitter));
}

/** The newest entry that has not expired. */
export function newestOf<Value>(
  entries: readonly (Entry<Value> | undefined)[],
  now: number,
): Entry<Value> | undefined {
  return entries
    .filter((entry) => entry !== undefined)
    .filter((entry) => ageOf(entry, now) !== 'expired')
    .toSorted((one, other) => other.fetchedAt - one.fetchedAt)[0];
}
