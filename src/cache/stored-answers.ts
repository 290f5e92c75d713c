// The answers of one kind: as texts in the shared tier and in memory, and decoded in memory. An answer is decoded at its
// first use, and stays decoded while it is used often.

import DataLoader from 'dataloader';
import type { KeptAnswer } from '../directory/directory.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import { MalformedRecordError } from '../handle/json.ts';
import type { Metrics } from '../metrics.ts';
import {
  ageOf,
  agingFrom,
  type CacheClock,
  type Entry,
  isCacheable,
  keptMs,
  newestOf,
  type SharedTier,
  validFrom,
} from './cached-entry.ts';
import type { Codec } from './codec.ts';
import { NOT_KEPT, NOT_KEPT_MS } from './in-flight.ts';
import { type Decoded, decodedBytes, type MemoryTier, ownCopy, type SmallValues } from './memory-tier.ts';

/** The parts that the look-ups of all kinds share. */
export interface CacheParts {
  readonly memory: MemoryTier;
  readonly shared: SharedTier;
  readonly clock: CacheClock;
  readonly random: () => number;
  /** for each key the time of its last failed refresh, in milliseconds since 1970 */
  readonly failures: SmallValues<number>;
  readonly metrics: Pick<Metrics, 'cacheLookupCounts' | 'lockWaits' | 'sharedCacheErrors'>;
}

export interface StoredAnswersOptions<Value, Answer> extends CacheParts {
  /** Keys begin with this text. It differs between kinds. */
  readonly keyPrefix: string;
  readonly codec: Codec<Value>;
  /** True if the value reports a failure of the directory. The cache does not keep such a value and prefers an older entry. */
  readonly isFailure: (value: Value) => boolean;
  /** makes the answer for callers; `stale`: the time is after the entry's `freshUntil` */
  readonly answerOf: (entry: Entry<Value>, stale: boolean) => Answer;
  /** called with each name whose entry in memory changes */
  readonly onChange?: (name: HandleName) => void;
  /** called when an answer in its `aging` time is used */
  readonly onAging: (name: HandleName) => void;
}

export function entryKey(keyPrefix: string, name: HandleName): string {
  return `${keyPrefix}:${canonicalName(name)}`;
}

/** Shared by all decoded answers of one kind. */
interface Keeper<Value, Answer> extends StoredAnswersOptions<Value, Answer> {
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

export function createStoredAnswers<Value, Answer>(options: StoredAnswersOptions<Value, Answer>) {
  const { keyPrefix, codec, memory, shared, clock, random, metrics } = options;
  const sharedTexts = new DataLoader<string, string | null>((keys) => shared.getMany(keys), { cache: false });
  const kept = new Map<HandleName, DecodedAnswer<Value, Answer>>();
  const keeper = { ...options, kept };
  // The last answer of `get`. A request often needs one record twice: for the record, and to infer the agency of its name.
  let lastName: HandleName | undefined;
  let last: DecodedAnswer<Value, Answer> | undefined;

  /** The answer in memory, without a check of its age: its `isStale` can be out of date. */
  function get(name: HandleName): DecodedAnswer<Value, Answer> | undefined {
    if (last?.isKept && name === lastName) return last;
    // The first `get` finds most answers, because nearly all names have the canonical spelling.
    const known = kept.get(name) ?? kept.get(canonicalName(name));
    if (known === undefined) return decodeOwn(name, canonicalName(name));
    memory.use(known);
    lastName = name;
    last = known;
    return known;
  }

  function decodeOwn(spelled: HandleName, canonical: HandleName): DecodedAnswer<Value, Answer> | undefined {
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

  function decodeShared(name: HandleName, text: string): Entry<Value> | undefined {
    try {
      return codec.decode(text, name);
    } catch (error) {
      if (!(error instanceof MalformedRecordError)) throw error;
      metrics.sharedCacheErrors.inc({ operation: 'decode' });
      return undefined;
    }
  }

  function setMemory(name: HandleName, key: string, text: string): void {
    memory.set(key, text);
    options.onChange?.(name);
  }

  return {
    get,

    /** Returns `known` if its staleness fits. Else replaces it in memory with a new answer of the same entry. */
    withStaleness: (known: DecodedAnswer<Value, Answer>, stale: boolean) =>
      known.isStale === stale ? known : keep(known, stale),

    /** Reads the shared tier, and copies an entry into memory if it is newer. Deletes an entry that cannot be decoded. */
    async readShared(name: HandleName): Promise<Entry<Value> | typeof NOT_KEPT | undefined> {
      if (shared.state === 'down') return undefined;
      const key = entryKey(keyPrefix, name);
      const text = await sharedTexts.load(key);
      if (text === null || text === NOT_KEPT) return text ?? undefined;
      const entry = decodeShared(name, text);
      if (!entry) shared.delete(key);
      else if (newestOf([entry, get(name)?.entry], clock.now()) === entry) setMemory(name, key, text);
      return entry;
    },

    /** Stores an answer of the directory. Ignores a failure. If the answer must not be kept, deletes the entry of the name. */
    store(name: HandleName, entry: Entry<Value>): void {
      if (options.isFailure(entry.value)) return;
      const key = entryKey(keyPrefix, name);
      if (!isCacheable(entry)) {
        memory.delete(key);
        shared.set(key, NOT_KEPT, NOT_KEPT_MS);
        return;
      }
      const text = codec.encode(entry);
      setMemory(name, key, text);
      shared.set(key, text, keptMs(entry, clock.now(), random));
    },
  };
}
