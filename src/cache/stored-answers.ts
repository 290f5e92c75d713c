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
  type CachedAnswer,
  isFailure,
  keptMs,
  newestOf,
  type SharedTier,
  validFrom,
  withStaleness,
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

export interface StoredAnswersOptions<Answer extends CachedAnswer> extends CacheParts {
  /** Keys begin with this text. It differs between kinds. */
  readonly keyPrefix: string;
  readonly codec: Codec<Answer>;
  /** called with each name whose answer in memory changes */
  readonly onChange?: (name: HandleName) => void;
  /** called when an answer in its `aging` time is used */
  readonly onAging: (name: HandleName) => void;
}

export function entryKey(keyPrefix: string, name: HandleName): string {
  return `${keyPrefix}:${canonicalName(name)}`;
}

/** Shared by all decoded answers of one kind. */
interface Keeper<Answer extends CachedAnswer> extends StoredAnswersOptions<Answer> {
  readonly kept: Map<HandleName, DecodedAnswer<Answer>>;
}

type Source = Pick<DecodedAnswer<CachedAnswer>, 'name' | 'key' | 'bytes'>;

export class DecodedAnswer<Answer extends CachedAnswer> implements Decoded, KeptAnswer<Answer> {
  /** in the canonical spelling */
  readonly name: HandleName;
  readonly key: string;
  readonly bytes: number;
  readonly answer: Answer;
  used = false;
  usedIn = -1;
  readonly uncheckedFrom: number;
  readonly uncheckedUntil: number;
  /** false after memory has dropped this answer */
  isKept = true;
  readonly #keeper: Keeper<Answer>;

  constructor(keeper: Keeper<Answer>, { name, key, bytes }: Source, answer: Answer) {
    this.name = name;
    this.key = key;
    this.bytes = bytes;
    this.answer = answer;
    this.uncheckedFrom = validFrom(answer);
    this.uncheckedUntil = answer.stale ? Number.NEGATIVE_INFINITY : agingFrom(answer);
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
    if (this.answer.stale || ageOf(this.answer, now) !== 'aging') return false;
    this.#keeper.onAging(this.name);
    return true;
  }

  onDrop(): void {
    const { kept } = this.#keeper;
    this.isKept = false;
    if (kept.get(this.name) === this) kept.delete(this.name);
  }
}

export function createStoredAnswers<Answer extends CachedAnswer>(options: StoredAnswersOptions<Answer>) {
  const { keyPrefix, codec, memory, shared, clock, random, metrics } = options;
  const sharedTexts = new DataLoader<string, string | null>((keys) => shared.getMany(keys), { cache: false });
  const kept = new Map<HandleName, DecodedAnswer<Answer>>();
  const keeper = { ...options, kept };
  // The last answer of `get`. A request often needs one record twice: for the record, and to infer the agency of its name.
  let lastName: HandleName | undefined;
  let last: DecodedAnswer<Answer> | undefined;

  /** The answer in memory, without a check of its age: its `stale` can be out of date. */
  function get(name: HandleName): DecodedAnswer<Answer> | undefined {
    if (last?.isKept && name === lastName) return last;
    // The first `get` finds most answers, because nearly all names have the canonical spelling.
    const known = kept.get(name) ?? kept.get(canonicalName(name));
    if (known === undefined) return decodeOwn(name, canonicalName(name));
    memory.use(known);
    lastName = name;
    last = known;
    return known;
  }

  function decodeOwn(spelled: HandleName, canonical: HandleName): DecodedAnswer<Answer> | undefined {
    const key = entryKey(keyPrefix, canonical);
    const text = memory.get(key);
    if (text === undefined) return undefined;
    const name = ownCopy(canonical);
    const answer = codec.decodeOwn(text, spelled === canonical ? name : ownCopy(spelled));
    const source = { name, key: ownCopy(key), bytes: decodedBytes(text, name) };
    return keep(source, withStaleness(answer, clock.now() >= answer.freshUntil));
  }

  function keep(source: Source, answer: Answer): DecodedAnswer<Answer> {
    const decoded = new DecodedAnswer(keeper, source, answer);
    // `kept.set` must be first: `memory.keep` removes an answer that is too large from `kept` at once.
    kept.set(source.name, decoded);
    memory.keep(decoded);
    return decoded;
  }

  function decodeShared(name: HandleName, text: string): Answer | undefined {
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

    /** Returns `known` if its staleness fits. Else replaces it in memory. */
    withStaleness: (known: DecodedAnswer<Answer>, stale: boolean) =>
      known.answer.stale === stale ? known : keep(known, withStaleness(known.answer, stale)),

    /** Reads the shared tier, and copies an answer into memory if it is newer. Deletes a text that cannot be decoded. */
    async readShared(name: HandleName): Promise<Answer | typeof NOT_KEPT | undefined> {
      if (shared.state === 'down') return undefined;
      const key = entryKey(keyPrefix, name);
      const text = await sharedTexts.load(key);
      if (text === null || text === NOT_KEPT) return text ?? undefined;
      const answer = decodeShared(name, text);
      if (!answer) shared.delete(key);
      else if (newestOf([answer, get(name)?.answer], clock.now()) === answer) setMemory(name, key, text);
      return answer;
    },

    /** Stores an answer of the directory. Ignores a failure. An answer that was never fresh deletes the older answer. */
    store(name: HandleName, answer: Answer): void {
      if (isFailure(answer)) return;
      const key = entryKey(keyPrefix, name);
      if (answer.freshUntil <= answer.fetchedAt) {
        memory.delete(key);
        shared.set(key, NOT_KEPT, NOT_KEPT_MS);
        return;
      }
      const text = codec.encode(answer);
      setMemory(name, key, text);
      shared.set(key, text, keptMs(answer, clock.now(), random));
    },
  };
}
