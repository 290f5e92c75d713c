// The answers of one kind in memory. An answer is decoded at its first use, and stays decoded while it is used often.

import type { KeptAnswer } from '../directory/directory.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import { ageOf, agingFrom, type Entry, validFrom } from './cached-entry.ts';
import type { CacheClock } from './clock.ts';
import type { Codec } from './codec.ts';
import { type Decoded, decodedBytes, type MemoryTier, ownCopy } from './memory-tier.ts';

export interface DecodedAnswersOptions<Value, Answer> {
  readonly keyPrefix: string;
  readonly memory: MemoryTier;
  readonly clock: Pick<CacheClock, 'now'>;
  readonly codec: Codec<Value>;
  /** makes the answer for callers */
  readonly answerOf: (entry: Entry<Value>, stale: boolean) => Answer;
  /** called when an answer in its `aging` time is used */
  readonly onAging: (name: HandleName) => void;
}

export interface DecodedAnswers<Value, Answer> {
  /** The answer in memory, without a check of its age: its `isStale` can be out of date. */
  get(name: HandleName): DecodedAnswer<Value, Answer> | undefined;
  /** Returns `known`, or a new answer of the same entry that is stale or fresh as requested. Memory then keeps only it. */
  withStaleness(known: DecodedAnswer<Value, Answer>, stale: boolean): DecodedAnswer<Value, Answer>;
}

export function entryKey(keyPrefix: string, name: HandleName): string {
  return `${keyPrefix}:${canonicalName(name)}`;
}

/** Shared by all answers of one kind. */
interface Keeper<Value, Answer> extends DecodedAnswersOptions<Value, Answer> {
  readonly kept: Map<HandleName, DecodedAnswer<Value, Answer>>;
}

interface Source<Value> {
  /** in the canonical spelling */
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
  /** false after memory has dropped this answer */
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
    this.uncheckedFrom = validFrom(entry);
    this.uncheckedUntil = stale ? Number.NEGATIVE_INFINITY : agingFrom(entry);
    this.#keeper = keeper;
  }

  /** True while the answer is neither aging nor stale: the caller can serve it. */
  needsNoCheck(now: number): boolean {
    return now < this.uncheckedUntil && now >= this.uncheckedFrom;
  }

  isCurrent(): boolean {
    return this.isCurrentAt(this.#keeper.clock.now());
  }

  /** Like `isCurrent`, for callers that have read the time already. */
  isCurrentAt(now: number): boolean {
    if (!this.isKept) return false;
    if (!this.needsNoCheck(now) && !this.#isCurrentWhileAging(now)) return false;
    this.#keeper.memory.use(this);
    return true;
  }

  #isCurrentWhileAging(now: number): boolean {
    if (this.isStale || ageOf(this.entry, now) !== 'aging') return false;
    this.#keeper.onAging(this.name);
    return true;
  }

  onDrop(): void {
    const { kept } = this.#keeper;
    this.isKept = false;
    if (kept.get(this.name) === this) kept.delete(this.name);
  }
}

export function createDecodedAnswers<Value, Answer>(
  options: DecodedAnswersOptions<Value, Answer>,
): DecodedAnswers<Value, Answer> {
  const { keyPrefix, memory, clock, codec } = options;
  const kept = new Map<HandleName, DecodedAnswer<Value, Answer>>();
  const keeper = { ...options, kept };
  // The last answer of `get`. A request often needs one record twice: for the record, and to infer the agency of its name.
  let lastName: HandleName | undefined;
  let last: DecodedAnswer<Value, Answer> | undefined;

  function decode(spelled: HandleName, canonical: HandleName): DecodedAnswer<Value, Answer> | undefined {
    const key = entryKey(keyPrefix, canonical);
    const text = memory.get(key);
    if (text === undefined) return undefined;
    const name = ownCopy(canonical);
    const entry = codec.decodeOwn(text, spelled === canonical ? name : ownCopy(spelled));
    const source = { name, key: ownCopy(key), bytes: decodedBytes(text, name), entry };
    return keep(source, clock.now() >= entry.freshUntil);
  }

  function keep(source: Source<Value>, stale: boolean): DecodedAnswer<Value, Answer> {
    const decoded = new DecodedAnswer(keeper, source, stale);
    // `kept.set` must be first: `memory.keep` removes an answer that is too large from `kept` at once.
    kept.set(source.name, decoded);
    memory.keep(decoded);
    return decoded;
  }

  return {
    get(name) {
      if (last?.isKept && name === lastName) return last;
      // The first `get` finds most answers, because nearly all names have the canonical spelling.
      const known = kept.get(name) ?? kept.get(canonicalName(name));
      if (known === undefined) return decode(name, canonicalName(name));
      memory.use(known);
      lastName = name;
      last = known;
      return known;
    },
    withStaleness: (known, stale) => (known.isStale === stale ? known : keep(known, stale)),
  };
}
