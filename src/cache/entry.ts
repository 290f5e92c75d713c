// A cached answer: what it is, since when it is known, and how long it may be believed (after RFC 8767).

import { LONGEST_LIFE_MS } from '../handle/freshness.ts';

// The port to a tier that all replicas share.

/** In UTF-8. Somewhat more than the largest response of the directory takes. */
export const MAX_TEXT_BYTES = 8_000_000;

/** Everything resolves, and quickly: a tier that fails answers as one that holds nothing, and says so in `state`. */
export interface SharedTier {
  /** `down`: bypassed, and tried again in the background */
  readonly state: 'up' | 'down';
  /** no memory is left: it is read, and refuses writes */
  readonly isFull: boolean;
  /**
   * One round trip a call; null where there is nothing, or nothing to be had. Of a text that is too long no more
   * is read than a byte beyond MAX_TEXT_BYTES.
   */
  getMany(keys: readonly string[]): Promise<readonly (string | null)[]>;
  /** Does not wait for the write. A text of more than MAX_TEXT_BYTES is not kept, nor is what was there before. */
  set(key: string, text: string, keptMs: number): void;
  delete(key: string): void;
  /** Takes the lock of a key for at most `heldMs`. */
  lock(key: string, heldMs: number): Promise<LockAttempt>;
  close(): Promise<void>;
}

/** `none`: there is no lock to be had from this tier now; go on without one. */
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
  /** It is not served after that, whatever becomes of a new look. */
  readonly servedUntil: number;
}

const HOUR_MS = 3_600_000;
const SERVED_AT_ONCE_MS = HOUR_MS;
const SERVED_MS = 7 * 24 * HOUR_MS;

/** How much the clocks of replicas that share a tier may differ. */
const CLOCK_SKEW_MS = 10_000;

/** @param isAbsence it says that something is not there, which may have come to be since */
export function createEntry<Value>(
  value: Value,
  { fetchedAt, freshUntil }: Pick<Entry<Value>, 'fetchedAt' | 'freshUntil'>,
  isAbsence: boolean,
): Entry<Value> {
  const servedUntil = freshUntil + (isAbsence ? SERVED_AT_ONCE_MS : SERVED_MS);
  return { value, fetchedAt, freshUntil, servedUntil };
}

/**
 * `fresh`: believed. `aging`: believed, and in the last tenth of its life, so worth a new look.
 * `stale`: up to an hour past, good enough to be served while a new look is taken.
 * `old`: up to seven days past, served when a new look fails or takes long; never what says that something is absent.
 * `dead`: not served any more, or from the future: the clock was set back, or another program wrote it.
 */
export type Age = 'fresh' | 'aging' | 'stale' | 'old' | 'dead';

export function ageOf(entry: Entry<unknown>, now: number): Age {
  const { freshUntil, servedUntil } = entry;
  if (now < knownFrom(entry) || now > servedUntil) return 'dead';
  if (now < freshUntil) return now < agingFrom(entry) ? 'fresh' : 'aging';
  return now <= freshUntil + SERVED_AT_ONCE_MS ? 'stale' : 'old';
}

/** Before that a clock has gone wrong. */
export function knownFrom({ fetchedAt }: Pick<Entry<unknown>, 'fetchedAt'>): number {
  return fetchedAt - CLOCK_SKEW_MS;
}

/** Of an answer without a word on when it was fetched: it is fresh, and for no longer than anything may be. */
export function isFreshUntil(freshUntil: number, now: number): boolean {
  return now < freshUntil && now >= believedFrom(freshUntil);
}

/** Before that its life would be longer than any. */
export function believedFrom(freshUntil: number): number {
  return freshUntil - LONGEST_LIFE_MS - CLOCK_SKEW_MS;
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
export function keptMs({ servedUntil }: Entry<unknown>, now: number, random: () => number): number {
  const jitter = 1 - random() / 10;
  return Math.max(1, Math.floor((servedUntil - now) * jitter));
}
