// The agencies of prefixes, for names without their own answer.

import type { KeptAnswer, WhichRaAnswer } from '../directory/directory.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import type { HandleRecord } from '../handle/record.ts';
import { believedFrom, isFreshUntil } from './cached-entry.ts';
import type { CacheClock } from './clock.ts';
import { createSmallValues } from './memory-tier.ts';

interface HeldRecord extends KeptAnswer<HandleRecord> {
  /** `isLive`, at a time that was read already */
  isLiveAt(now: number): boolean;
}

export interface PrefixAgencies {
  /** The directory's own answer of a name. */
  learn(name: HandleName, answer: WhichRaAnswer): void;
  /** The answer that `infer` gave for the name of a record, as long as the prefix's agency holds. */
  peek(record: HeldRecord): KeptAnswer<WhichRaAnswer> | undefined;
  /** The agency of a name that is known to exist, if another name with its prefix has an agency. */
  infer(name: HandleName, record: HeldRecord): KeptAnswer<WhichRaAnswer> | undefined;
  /** Called when the name of a record gets its own answer. */
  forget(record: HeldRecord): void;
  /** how many were forgotten so far */
  readonly forgotten: number;
}

export function createPrefixAgencies(clock: Pick<CacheClock, 'now'>, maxBytes: number): PrefixAgencies {
  const agencies = createSmallValues<WhichRaAnswer>(maxBytes);
  // By the records that say the names exist.
  const inferredOf = new WeakMap<HeldRecord, InferredAgency>();
  let forgotten = 0;

  return {
    learn(name, answer) {
      const prefix = prefixOf(name);
      if (prefix && answer.status === 'FOUND') agencies.set(prefix, Object.freeze({ ...answer }));
    },

    peek(record) {
      const inferred = inferredOf.get(record);
      return inferred?.holds() ? inferred : undefined;
    },

    infer(name, record) {
      const { status, freshUntil, stale } = record.answer;
      if (status === 'HANDLE_NOT_FOUND') return undefined;
      const known = agencies.get(prefixOf(name) ?? '');
      if (known === undefined || !isFreshUntil(known.freshUntil, clock.now())) return undefined;
      // It holds for as long as both: the agency of the prefix, and that the name exists.
      const endsFirst = known.freshUntil <= freshUntil && known.stale === stale;
      const answer = endsFirst
        ? known
        : Object.freeze({ ...known, freshUntil: Math.min(known.freshUntil, freshUntil), stale });
      const inferred = new InferredAgency(answer, record, known, clock);
      inferredOf.set(record, inferred);
      return inferred;
    },

    forget(record) {
      const inferred = inferredOf.get(record);
      if (inferred === undefined) return;
      inferred.forget();
      forgotten += 1;
    },

    get forgotten() {
      return forgotten;
    },
  };
}

class InferredAgency implements KeptAnswer<WhichRaAnswer> {
  readonly answer: WhichRaAnswer;
  readonly uncheckedFrom: number;
  readonly uncheckedUntil: number;
  readonly #record: HeldRecord;
  /** One for all names of the prefix. */
  readonly #ofPrefix: WhichRaAnswer;
  #isForgotten = false;
  readonly #clock: Pick<CacheClock, 'now'>;

  constructor(
    answer: WhichRaAnswer,
    record: HeldRecord,
    ofPrefix: WhichRaAnswer,
    clock: Pick<CacheClock, 'now'>,
  ) {
    this.answer = answer;
    this.uncheckedFrom = Math.max(record.uncheckedFrom, believedFrom(ofPrefix.freshUntil));
    this.uncheckedUntil = Math.min(record.uncheckedUntil, ofPrefix.freshUntil);
    this.#record = record;
    this.#ofPrefix = ofPrefix;
    this.#clock = clock;
  }

  /** Whether it is so, if the record is. */
  holds(): boolean {
    return this.#holdsAt(this.#clock.now());
  }

  isCurrent(): boolean {
    const now = this.#clock.now();
    return this.#holdsAt(now) && this.#record.isLiveAt(now);
  }

  #holdsAt(now: number): boolean {
    return !this.#isForgotten && isFreshUntil(this.#ofPrefix.freshUntil, now);
  }

  forget(): void {
    this.#isForgotten = true;
  }
}

/** Prefixes are digits and full stops, so that their case does not matter. */
function prefixOf(name: HandleName): string | null {
  return /^10\.[0-9.]+(?=\/)/.exec(canonicalName(name))?.[0] ?? null;
}
