// A cached answer: its value, its time, and how long it may be served (after RFC 8767).

import { LONGEST_LIFE_MS } from '../handle/value.ts';

// The port to a tier that all replicas share.

/** In UTF-8. Somewhat more than the largest response of the directory. */
export const MAX_TEXT_BYTES = 8_000_000;

/** All promises resolve, and quickly. A tier that fails answers as if it were empty, and sets `state`. */
export interface SharedTier {
  /** `down`: the cache does without the tier, and tries it again in the background */
  readonly state: 'up' | 'down';
  /** the tier has no memory left: it allows reads and refuses writes */
  readonly isFull: boolean;
  /**
   * Makes one round trip. Null: no entry, or the tier failed. If a text is longer than MAX_TEXT_BYTES, returns only its
   * first MAX_TEXT_BYTES + 1 bytes.
   */
  getMany(keys: readonly string[]): Promise<readonly (string | null)[]>;
  /** Does not wait for the write. For a text above MAX_TEXT_BYTES, deletes the entry of the key instead. */
  set(key: string, text: string, keptMs: number): void;
  delete(key: string): void;
  /** Takes the lock of a key for at most `heldMs`. */
  lock(key: string, heldMs: number): Promise<LockAttempt>;
  close(): Promise<void>;
}

/** `unavailable`: the tier cannot give a lock now; go on without a lock. */
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

/** All times are milliseconds since the epoch. */
export interface Entry<Value> {
  readonly value: Value;
  readonly fetchedAt: number;
  readonly freshUntil: number;
  /** After this time the entry is expired: it is not served, even if a refresh fails. */
  readonly servedUntil: number;
}

const HOUR_MS = 3_600_000;
/** After `freshUntil`: how long an entry is served without waiting for its refresh. */
const SERVED_AT_ONCE_MS = HOUR_MS;
/** After `freshUntil`: how long an entry is served if its refresh fails. */
const SERVED_MS = 7 * 24 * HOUR_MS;

/** How much the clocks of replicas may differ. */
const CLOCK_SKEW_MS = 10_000;

/** @param isAbsence the name is absent, but may be registered soon; so the entry expires early */
export function createEntry<Value>(
  value: Value,
  { fetchedAt, freshUntil }: Pick<Entry<Value>, 'fetchedAt' | 'freshUntil'>,
  isAbsence: boolean,
): Entry<Value> {
  const servedUntil = freshUntil + (isAbsence ? SERVED_AT_ONCE_MS : SERVED_MS);
  return { value, fetchedAt, freshUntil, servedUntil };
}

/**
 * `fresh`: served.
 * `aging`: in the last tenth of its fresh time; served, and refreshed in the background.
 * `stale`: past `freshUntil` for up to an hour; served, and refreshed in the background.
 * `very stale`: past `freshUntil` for up to seven days; served if the refresh fails or takes long.
 * `expired`: not served. An entry from the future is also expired: the clock was set back, or another program wrote it.
 */
export type Age = 'fresh' | 'aging' | 'stale' | 'very stale' | 'expired';

export function ageOf(entry: Entry<unknown>, now: number): Age {
  const { freshUntil, servedUntil } = entry;
  if (now < validFrom(entry) || now > servedUntil) return 'expired';
  if (now < freshUntil) return now < agingFrom(entry) ? 'fresh' : 'aging';
  return now <= freshUntil + SERVED_AT_ONCE_MS ? 'stale' : 'very stale';
}

/** If the time is earlier than this, a clock is wrong. */
export function validFrom({ fetchedAt }: Pick<Entry<unknown>, 'fetchedAt'>): number {
  return fetchedAt - CLOCK_SKEW_MS;
}

/** For an answer without the time of its fetch: the earliest time at which it can have been fetched. */
export function validFromExpiry(freshUntil: number): number {
  return freshUntil - LONGEST_LIFE_MS - CLOCK_SKEW_MS;
}

/** For an answer without the time of its fetch: whether it is fresh. */
export function isFreshUntil(freshUntil: number, now: number): boolean {
  return now < freshUntil && now >= validFromExpiry(freshUntil);
}

/** When the last tenth of its fresh time begins. */
export function agingFrom({ fetchedAt, freshUntil }: Entry<unknown>): number {
  return freshUntil - (freshUntil - fetchedAt) / 10;
}

/** False for an entry that expires at once. */
export function isCacheable({ fetchedAt, freshUntil }: Entry<unknown>): boolean {
  return freshUntil > fetchedAt;
}

/** How long the shared tier keeps an entry. Random, so that entries of one time do not expire together. */
export function keptMs({ servedUntil }: Entry<unknown>, now: number, random: () => number): number {
  const jitter = 1 - random() / 10;
  return Math.max(1, Math.floor((servedUntil - now) * jitter));
}

/** The newest entry that has not expired. */
export function newestOf<Value>(
  entries: readonly (Entry<Value> | undefined)[],
  now: number,
): Entry<Value> | undefined {
  let newest: Entry<Value> | undefined;
  for (const entry of entries) {
    if (entry === undefined || ageOf(entry, now) === 'expired') continue;
    if (newest === undefined || entry.fetchedAt > newest.fetchedAt) newest = entry;
  }
  return newest;
}
