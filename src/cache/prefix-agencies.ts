// Infers the agency of a name from the agency of another name with the same prefix.

import { canonicalName, type HandleName } from 'doi-names';
import type { KeptAnswer, WhichRaAnswer } from '../directory/directory.ts';
import type { HandleRecord } from '../handle/record.ts';
import type { Clock } from '../time.ts';
import { isFresh, validFrom } from './cached-entry.ts';
import { SmallValues } from './memory-tier.ts';
import type { DecodedAnswer } from './stored-answers.ts';

type KeptRecord = DecodedAnswer<HandleRecord>;

export function createPrefixAgencies(clock: Pick<Clock, 'now'>, maxBytes: number) {
  const agencies = new SmallValues<WhichRaAnswer>(maxBytes);
  // The key is the record, because the record shows that the name exists.
  const inferredOf = new WeakMap<KeptRecord, InferredAgency>();
  let droppedCount = 0;

  return {
    /** Stores the agency of the name's prefix. @param answer from the directory */
    learn(name: HandleName, answer: WhichRaAnswer): void {
      const prefix = prefixOf(name);
      if (prefix && answer.status === 'FOUND') agencies.set(prefix, answer);
    },

    /** The answer that `infer` made for this record. Undefined if there is no such answer, or if it is no longer fresh. */
    peek(record: KeptRecord): KeptAnswer<WhichRaAnswer> | undefined {
      const inferred = inferredOf.get(record);
      return inferred?.isFresh() ? inferred : undefined;
    },

    /** Undefined if the name does not exist, or if no fresh agency of the prefix is known. */
    infer(name: HandleName, record: KeptRecord): KeptAnswer<WhichRaAnswer> | undefined {
      const { status, freshUntil, stale } = record.answer;
      if (status === 'HANDLE_NOT_FOUND') return undefined;
      const known = agencies.get(prefixOf(name) ?? '');
      if (known === undefined || !isFresh(known, clock.now())) return undefined;
      // The answer is fresh while the agency of the prefix and the record of the name are fresh.
      const needsNoCopy = known.freshUntil <= freshUntil && known.stale === stale;
      const answer = needsNoCopy
        ? known
        : Object.freeze({ ...known, freshUntil: Math.min(known.freshUntil, freshUntil), stale });
      const inferred = new InferredAgency(answer, record, known, clock);
      inferredOf.set(record, inferred);
      return inferred;
    },

    /** Drops the inferred agency of a record, because its name has its own answer now. */
    dropInferred(record: KeptRecord): void {
      const inferred = inferredOf.get(record);
      if (inferred === undefined) return;
      inferred.isDropped = true;
      droppedCount += 1;
    },

    /** number of inferred agencies dropped so far */
    get droppedCount() {
      return droppedCount;
    },
  };
}

class InferredAgency implements KeptAnswer<WhichRaAnswer> {
  readonly answer: WhichRaAnswer;
  readonly noCheckFrom: number;
  readonly noCheckUntil: number;
  readonly #record: KeptRecord;
  /** the agency of the prefix; all names of the prefix share this object */
  readonly #prefixAgency: WhichRaAnswer;
  isDropped = false;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(
    answer: WhichRaAnswer,
    record: KeptRecord,
    prefixAgency: WhichRaAnswer,
    clock: Pick<Clock, 'now'>,
  ) {
    this.answer = answer;
    this.noCheckFrom = Math.max(record.noCheckFrom, validFrom(prefixAgency));
    this.noCheckUntil = Math.min(record.noCheckUntil, prefixAgency.freshUntil);
    this.#record = record;
    this.#prefixAgency = prefixAgency;
    this.#clock = clock;
  }

  /** Whether the agency of the prefix is fresh. The record is not checked. */
  isFresh(): boolean {
    return this.#isFreshAt(this.#clock.now());
  }

  isCurrent(): boolean {
    const now = this.#clock.now();
    return this.#isFreshAt(now) && this.#record.isCurrentAt(now);
  }

  #isFreshAt(now: number): boolean {
    return !this.isDropped && isFresh(this.#prefixAgency, now);
  }
}

function prefixOf(name: HandleName): string | null {
  return /^10\.[0-9.]+(?=\/)/.exec(canonicalName(name))?.[0] ?? null;
}
