// A cached answer: its value, its time, and how long it may be served (after RFC 8767).

import { LONGEST_LIFE_MS } from '../handle/value.ts';

// The port to a tier that all replicas share.

/** In UTF-8. Somewhat more than the largest response of the directory. */
export const MAX_TEXT_BYTES = 8_000_000;

/** All promises resolve, and quickly. A tier that fails answers as if it were empty, and sets `state`. */
export interface SharedTier {
  /** `down`: bypassed, and tried again in the background */
  readonly state: 'up' | 'down';
  /** the tier has no memory left: it allows reads and refuses writes */
  readonly isFull: boolean;
  /**
   * Makes one round trip for each call. Null: no entry, or the tier failed. Of a text, it reads at most MAX_TEXT_BYTES
   * and one byte.
   */
  getMany(keys: readonly string[]): Promise<readonly (string | null)[]>;
  /** Does not wait for the write. A text above MAX_TEXT_BYTES is not kept, and the entry before it is deleted. */
  set(key: string, text: string, keptMs: number): void;
  delete(key: string): void;
  /** Takes the lock of a key for at most `heldMs`. */
  lock(key: string, heldMs: number): Promise<LockAttempt>;
  close(): Promise<void>;
}

/** `none`: the tier cannot give a lock now; go on without a lock. */
export type LockAttempt =
  | { readonly got: 'lock'; release(): void }
  | { readonly got: 'held by another' | 'none' };

/** For a gateway without a shared tier. */
export const NO_SHARED_TIER: SharedTier = {
  state: 'down',
  isFull: false,
  getMany: async (keys) => keys.map(() => null),
  set() {},
  delete() {},
  lock: async () => ({ got: 'none' }),
  async close() {},
};

/** All times are milliseconds since the epoch. */
export interface Entry<Value> {
  readonly value: Value;
  readonly fetchedAt: number;
  readonly freshUntil: number;
  /** After this time it is not served, even if a refresh fails. */
  readonly servedUntil: number;
}

const HOUR_MS = 3_600_000;
const SERVED_AT_ONCE_MS = HOUR_MS;
const SERVED_MS = 7 * 24 * HOUR_MS;

/** How much the clocks of replicas that share a tier may differ. */
const CLOCK_SKEW_MS = 10_000;

/** @param isAbsence the value reports that a name is absent; the name may be registered later */
export function createEntry<Value>(
  value: Value,
  { fetchedAt, freshUntil }: Pick<Entry<Value>, 'fetchedAt' | 'freshUntil'>,
  isAbsence: boolean,
): Entry<Value> {
  const servedUntil = freshUntil + (isAbsence ? SERVED_AT_ONCE_MS : SERVED_MS);
  return { value, fetchedAt, freshUntil, servedUntil };
}

/**
 * `fresh`: served. `aging`: served, and refreshed, because it is in the last tenth of its life.
 * `stale`: expired for up to an hour; served while it is refreshed.
 * `old`: expired for up to seven days; served if the refresh fails or takes long. An absent name is never `old`.
 * `dead`: not served any more, or from the future: the clock was set back, or another program wrote it.
 */
export type Age = 'fresh' | 'aging' | 'stale' | 'old' | 'dead';

export function ageOf(entry: Entry<unknown>, now: number): Age {
  const { freshUntil, servedUntil } = entry;
  if (now < knownFrom(entry) || now > servedUntil) return 'dead';
  if (now < freshUntil) return now < agingFrom(entry) ? 'fresh' : 'aging';
  return now <= freshUntil + SERVED_AT_ONCE_MS ? 'stale' : 'old';
}

/** If the time is earlier than this, a clock is wrong. */
export function knownFrom({ fetchedAt }: Pick<Entry<unknown>, 'fetchedAt'>): number {
  return fetchedAt - CLOCK_SKEW_MS;
}

/** For an answer without the time of its fetch: whether it is fresh, and for no longer than the longest life. */
export function isFreshUntil(freshUntil: number, now: number): boolean {
  return now < freshUntil && now >= believedFrom(freshUntil);
}

/** Before this time, its life would be longer than the longest life. */
export function believedFrom(freshUntil: number): number {
  return freshUntil - LONGEST_LIFE_MS - CLOCK_SKEW_MS;
}

/** When its last tenth begins. */
export function agingFrom({ fetchedAt, freshUntil }: Entry<unknown>): number {
  return freshUntil - (freshUntil - fetchedAt) / 10;
}

/** False for an entry that expires at once. */
export function isCacheable({ fetchedAt, freshUntil }: Entry<unknown>): boolean {
  return freshUntil > fetchedAt;
}

/** How long a tier keeps an entry. Shortened at random, so that entries of one time do not expire together. */
export function keptMs({ servedUntil }: Entry<unknown>, now: number, random: () => number): number {
  const jitter = 1 - random() / 10;
  return Math.max(1, Math.floor((servedUntil - now) * jitter));
}

/** The newest entry that may still be served; undefined if there is none. */
export function newestOf<Value>(
  entries: readonly (Entry<Value> | undefined)[],
  now: number,
): Entry<Value> | undefined {
  let newest: Entry<Value> | undefined;
  for (const entry of entries) {
    if (entry === undefined || ageOf(entry, now) === 'dead') continue;
    if (newest === undefined || entry.fetchedAt > newest.fetchedAt) newest = entry;
  }
  return newest;
}
