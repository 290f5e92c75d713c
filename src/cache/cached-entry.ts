// The age of a cached answer, the rules for serving stale answers (RFC 8767), and the port to the shared tier.

import type { MetadataAnswer, WhichRaAnswer } from '../directory/directory.ts';
import type { HandleRecord } from '../handle/record.ts';
import { LIFETIMES } from '../lifetimes.ts';

/** The maximum length of a text in UTF-8. The largest response of the directory is somewhat shorter. */
export const MAX_TEXT_BYTES = 8_000_000;

/** The port to a cache tier that all replicas share. It never rejects: if it fails, it behaves as if it were empty. */
export interface SharedTier {
  /** `down`: the cache does not use the tier, and the tier checks in the background whether it answers again */
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

export type CachedAnswer = HandleRecord | WhichRaAnswer | MetadataAnswer;

/** Whether the answer reports a failure of the directory. The cache does not keep it and prefers an older answer. */
export function isFailure(answer: CachedAnswer): boolean {
  return 'status' in answer && answer.status === 'ERROR';
}

/** The same answer with this value of `stale`. */
export function withStaleness<Answer extends CachedAnswer>(answer: Answer, stale: boolean): Answer {
  return answer.stale === stale ? answer : (Object.freeze({ ...answer, stale }) as Answer);
}

/** The clocks of two replicas can differ by this time. */
const CLOCK_SKEW_MS = 10_000;

/** A name that is absent could be registered soon, so these answers expire early. */
const ABSENCES: ReadonlySet<string> = new Set(['HANDLE_NOT_FOUND', 'VALUES_NOT_FOUND', 'DOES_NOT_EXIST']);

/** After this time, the answer has expired: the cache does not serve it, even if a refresh fails. */
function servedUntil(answer: CachedAnswer): number {
  const isAbsence = 'status' in answer ? ABSENCES.has(answer.status) : answer.content === null;
  return answer.freshUntil + (isAbsence ? LIFETIMES.servedStale : LIFETIMES.servedIfRefreshFails);
}

/**
 * `fresh`: the cache serves the answer.
 * `aging`: the last tenth of its fresh time. The cache serves the answer and refreshes it in the background.
 * `stale`: at most an hour after `freshUntil`. The cache serves the answer and refreshes it in the background.
 * `very stale`: at most seven days after `freshUntil`. The cache serves the answer if the refresh fails or is slow.
 * `expired`: the cache does not serve the answer. An answer from the future has also expired: the clock was set back, or
 * another program wrote the answer.
 */
export type Age = 'fresh' | 'aging' | 'stale' | 'very stale' | 'expired';

export function ageOf(answer: CachedAnswer, now: number): Age {
  const { freshUntil } = answer;
  if (now < validFrom(answer) || now > servedUntil(answer)) return 'expired';
  if (now < freshUntil) return now < agingFrom(answer) ? 'fresh' : 'aging';
  return now <= freshUntil + LIFETIMES.servedStale ? 'stale' : 'very stale';
}

/** Before this time, the answer seems to come from the future, because a clock is wrong. */
export function validFrom({ fetchedAt }: CachedAnswer): number {
  return fetchedAt - CLOCK_SKEW_MS;
}

/** Whether the answer is `fresh` or `aging`. */
export function isFresh(answer: CachedAnswer, now: number): boolean {
  return now < answer.freshUntil && now >= validFrom(answer);
}

/** The time when the last tenth of the fresh time begins. */
export function agingFrom({ fetchedAt, freshUntil }: CachedAnswer): number {
  return freshUntil - (freshUntil - fetchedAt) / 10;
}

/** How long the shared tier keeps an answer. Partly random, so that answers of one moment do not expire together. */
export function keptMs(answer: CachedAnswer, now: number, random: () => number): number {
  const jitter = 1 - random() / 10;
  return Math.max(1, Math.floor((servedUntil(answer) - now) * jitter));
}

/** The newest answer that has not expired. */
export function newestOf<Answer extends CachedAnswer>(
  answers: readonly (Answer | undefined)[],
  now: number,
): Answer | undefined {
  return answers
    .filter((answer) => answer !== undefined)
    .filter((answer) => ageOf(answer, now) !== 'expired')
    .toSorted((one, other) => other.fetchedAt - one.fetchedAt)[0];
}
