// The answers of one kind that memory holds. Each answer is decoded once, and stays decoded while it is in use.

import type { KeptAnswer } from '../directory/directory.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import { ageOf, agingFrom, type Entry, knownFrom } from './cached-entry.ts';
import type { CacheClock } from './clock.ts';
import type { Codec } from './codec.ts';
import { type Decoded, decodedBytes, type MemoryTier, ownCopy } from './memory-tier.ts';

export interface DecodedAnswersOptions<Value, Answer> {
  /** the prefix of their keys in memory */
  readonly space: string;
  readonly memory: MemoryTier;
  readonly clock: Pick<CacheClock, 'now'>;
  readonly codec: Codec<Value>;
  /** the answer that callers get for an entry */
  readonly answerOf: (entry: Entry<Value>, stale: boolean) => Answer;
  /** called with a name whose answer was used in the last tenth of its life */
  readonly onAging: (name: HandleName) => void;
}

export interface DecodedAnswers<Value, Answer> {
  /** The answer in memory, stale or fresh as at its last use; undefined if memory has none. */
  get(name: HandleName): DecodedAnswer<Value, Answer> | undefined;
  /** The same entry, marked as stale or fresh. Memory keeps this answer from now on. */
  turned(known: DecodedAnswer<Value, Answer>, stale: boolean): DecodedAnswer<Value, Answer>;
}

export function entryKey(space: string, name: HandleName): string {
  return `${space}:${canonicalName(name)}`;
}

/** What all answers of one kind have in common. */
interface Keeper<Value, Answer> extends DecodedAnswersOptions<Value, Answer> {
  readonly kept: Map<HandleName, DecodedAnswer<Value, Answer>>;
}

/** What an answer is made from. */
interface Source<Value> {
  /** canonical */
  readonly name: HandleName;
  readonly key: string;
  readonly bytes: number;
  readonly entry: Entry<Value>;
}

export class DecodedAnswer<Value, Answer> implements Decoded, KeptAnswer<Answer> {
  readonly name: HandleName;
  readonly key: string;
  readonly bytes: number;
  readonly entry: Entry<Value>;
  readonly isStale: boolean;
  readonly answer: Answer;
  used = false;
  usedIn = -1;
  readonly uncheckedFrom: number;
  readonly uncheckedUntil: number;
  /** false after memory has dropped it */
  isKept: boolean;
  readonly #keeper: Keeper<Value, Answer>;

  constructor(keeper: Keeper<Value, Answer>, { name, key, bytes, entry }: Source<Value>, stale: boolean) {
    this.name = name;
    this.key = key;
    this.bytes = bytes;
    this.entry = entry;
    this.isStale = stale;
    this.answer = keeper.answerOf(entry, stale);
    this.isKept = true;
    this.uncheckedFrom = knownFrom(entry);
    this.uncheckedUntil = stale ? Number.NEGATIVE_INFINITY : agingFrom(entry);
    this.#keeper = keeper;
  }

  /** Whether callers may get it without a further check: it is neither aging nor stale. */
  needsNoCheck(now: number): boolean {
    return now < this.uncheckedUntil && now >= this.uncheckedFrom;
  }

  isCurrent(): boolean {
    return this.isLiveAt(this.#keeper.clock.now());
  }

  /** The same as `isLive`, at a time that the caller has read. */
  isLiveAt(now: number): boolean {
    if (!this.isKept) return false;
    if (!this.needsNoCheck(now) && !this.#isLiveWhileAging(now)) return false;
    this.#keeper.memory.use(this);
    return true;
  }

  #isLiveWhileAging(now: number): boolean {
    if (this.isStale || ageOf(this.entry, now) !== 'aging') return false;
    this.#keeper.onAging(this.name);
    return true;
  }

  dropped(): void {
    const { kept } = this.#keeper;
    this.isKept = false;
    if (kept.get(this.name) === this) kept.delete(this.name);
  }
}

export function createDecodedAnswers<Value, Answer>(
  options: DecodedAnswersOptions<Value, Answer>,
): DecodedAnswers<Value, Answer> {
  const { space, memory, clock, codec } = options;
  const kept = new Map<HandleName, DecodedAnswer<Value, Answer>>();
  const keeper = { ...options, kept };
  // After the record of a name, a request often needs its agency, which may follow from the record.
  let lastName: HandleName | undefined;
  let last: DecodedAnswer<Value, Answer> | undefined;

  function decode(asked: HandleName, canonical: HandleName): DecodedAnswer<Value, Answer> | undefined {
    const key = entryKey(space, canonical);
    const text = memory.get(key);
    if (text === undefined) return undefined;
    const name = ownCopy(canonical);
    const entry = codec.decodeOwn(text, asked === canonical ? name : ownCopy(asked));
    const source = { name, key: ownCopy(key), bytes: decodedBytes(text, name), entry };
    return keep(source, clock.now() >= entry.freshUntil);
  }

  function keep(source: Source<Value>, stale: boolean): DecodedAnswer<Value, Answer> {
    const decoded = new DecodedAnswer(keeper, source, stale);
    // In this order: if memory has no room, `keep` drops it from `kept` at once.
    kept.set(source.name, decoded);
    memory.keep(decoded);
    return decoded;
  }

  return {
    get(name) {
      if (last?.isKept && name === lastName) return last;
      // Nearly all names are in the canonical spelling, so the first `get` finds them.
      const known = kept.get(name) ?? kept.get(canonicalName(name));
      if (known === undefined) return decode(name, canonicalName(name));
      memory.use(known);
      lastName = name;
      last = known;
      return known;
    },
    turned: (known, stale) => (known.isStale === stale ? known : keep(known, stale)),
  };
}
