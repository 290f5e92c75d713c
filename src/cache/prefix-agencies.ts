// Infers the agency of a name from another name with the same prefix.

import type { KeptAnswer, WhichRaAnswer } from '../directory/directory.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import type { HandleRecord } from '../handle/record.ts';
import { isFreshUntil, validFromExpiry } from './cached-entry.ts';
import type { CacheClock } from './clock.ts';
import { createSmallValues } from './memory-tier.ts';

interface KeptRecord extends KeptAnswer<HandleRecord> {
  /** Like `isCurrent`, for callers that have read the time already. */
  isCurrentAt(now: number): boolean;
}

export interface PrefixAgencies {
  /** Stores the agency of the prefix, from an answer of the directory. */
  learn(name: HandleName, answer: WhichRaAnswer): void;
  /** The answer that `infer` has made for this record, while the agency of the prefix is fresh. */
  peek(record: KeptRecord): KeptAnswer<WhichRaAnswer> | undefined;
  /** Undefined if the name does not exist, or if the agency of its prefix is not known. */
  infer(name: HandleName, record: KeptRecord): KeptAnswer<WhichRaAnswer> | undefined;
  /** Drops the inferred agency of a record, because its name has its own answer now. */
  dropInferred(record: KeptRecord): void;
  /** how many inferred agencies were dropped so far */
  readonly droppedCount: number;
}

export function createPrefixAgencies(clock: Pick<CacheClock, 'now'>, maxBytes: number): PrefixAgencies {
  const agencies = createSmallValues<WhichRaAnswer>(maxBytes);
  // By the record, which shows that the name exists.
  const inferredOf = new WeakMap<KeptRecord, InferredAgency>();
  let droppedCount = 0;

  return {
    learn(name, answer) {
      const prefix = prefixOf(name);
      if (prefix && answer.status === 'FOUND') agencies.set(prefix, Object.freeze({ ...answer }));
    },

    peek(record) {
      const inferred = inferredOf.get(record);
      return inferred?.isFresh() ? inferred : undefined;
    },

    infer(name, record) {
      const { status, freshUntil, stale } = record.answer;
      if (status === 'HANDLE_NOT_FOUND') return undefined;
      const known = agencies.get(prefixOf(name) ?? '');
      if (known === undefined || !isFreshUntil(known.freshUntil, clock.now())) return undefined;
      // The answer is fresh while both are fresh: the agency of the prefix, and the record of the name.
      const expiresFirst = known.freshUntil <= freshUntil && known.stale === stale;
      const answer = expiresFirst
        ? known
        : Object.freeze({ ...known, freshUntil: Math.min(known.freshUntil, freshUntil), stale });
      const inferred = new InferredAgency(answer, record, known, clock);
      inferredOf.set(record, inferred);
      return inferred;
    },

    dropInferred(record) {
      const inferred = inferredOf.get(record);
      if (inferred === undefined) return;
      inferred.drop();
      droppedCount += 1;
    },

    get droppedCount() {
      return droppedCount;
    },
  };
}

class InferredAgency implements KeptAnswer<WhichRaAnswer> {
  readonly answer: WhichRaAnswer;
  readonly uncheckedFrom: number;
  readonly uncheckedUntil: number;
  readonly #record: KeptRecord;
  /** the agency of the prefix; all its names share this object */
  readonly #ofPrefix: WhichRaAnswer;
  #isDropped = false;
  readonly #clock: Pick<CacheClock, 'now'>;

  constructor(
    answer: WhichRaAnswer,
    record: KeptRecord,
    ofPrefix: WhichRaAnswer,
    clock: Pick<CacheClock, 'now'>,
  ) {
    this.answer = answer;
    this.uncheckedFrom = Math.max(record.uncheckedFrom, validFromExpiry(ofPrefix.freshUntil));
    this.uncheckedUntil = Math.min(record.uncheckedUntil, ofPrefix.freshUntil);
    this.#record = record;
    this.#ofPrefix = ofPrefix;
    this.#clock = clock;
  }

  /** Whether the agency of the prefix is fresh. Does not check the record. */
  isFresh(): boolean {
    return this.#isFreshAt(this.#clock.now());
  }

  isCurrent(): boolean {
    const now = this.#clock.now();
    return this.#isFreshAt(now) && this.#record.isCurrentAt(now);
  }

  #isFreshAt(now: number): boolean {
    return !this.#isDropped && isFreshUntil(this.#ofPrefix.freshUntil, now);
  }

  drop(): void {
    this.#isDropped = true;
  }
}

function prefixOf(name: HandleName): string | null {
  return /^10\.[0-9.]+(?=\/)/.exec(canonicalName(name))?.[0] ?? null;
}
