// Stores the answers of one kind (records, agencies, or one format of metadata) as text in the shared tier and in memory,
// and decoded in memory. An answer is decoded at its first use, and stays decoded while it is used often.

import DataLoader from 'dataloader';
import { canonicalName, type HandleName } from 'doi-names';
import type { KeptAnswer } from '../directory/directory.ts';
import { MalformedRecordError } from '../handle/json.ts';
import { LIFETIMES } from '../lifetimes.ts';
import type { Metrics } from '../metrics.ts';
import type { Clock } from '../time.ts';
import {
  ageOf,
  agingFrom,
  type CachedAnswer,
  isFailure,
  keptMs,
  newestOf,
  type SharedTier,
  validFrom,
  withStaleness,
} from './cached-entry.ts';
import type { Codec } from './codec.ts';
import { NOT_CACHEABLE } from './in-flight.ts';
import { decodedBytes, type KeptEntry, type MemoryTier, ownCopy, type SmallValues } from './memory-tier.ts';

/** The parts that the look-ups of all kinds share. */
export interface CacheParts {
  readonly memory: MemoryTier;
  readonly shared: SharedTier;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly random: () => number;
  /** for each key the time of its last failed refresh, in milliseconds since 1970 */
  readonly failures: SmallValues<number>;
  readonly metrics: Pick<Metrics, 'cacheLookupCounts' | 'lockWaits' | 'sharedCacheErrors'>;
}

export interface StoredAnswersOptions<Answer extends CachedAnswer> extends CacheParts {
  /** Keys begin with this text. Each kind has its own text. */
  readonly keyPrefix: string;
  readonly codec: Codec<Answer>;
  /** called with each name whose answer in memory changes */
  readonly onChange?: (name: HandleName) => void;
  /** called with the name of each `aging` answer that is used */
  readonly onAging: (name: HandleName) => void;
}

export function entryKey(keyPrefix: string, name: HandleName): string {
  return `${keyPrefix}:${canonicalName(name)}`;
}

/** The parts that all decoded answers of one kind share. */
interface KindParts<Answer extends CachedAnswer> extends StoredAnswersOptions<Answer> {
  readonly kept: Map<HandleName, DecodedAnswer<Answer>>;
}

type EntryParts = Pick<DecodedAnswer<CachedAnswer>, 'name' | 'key' | 'bytes'>;

export class DecodedAnswer<Answer extends CachedAnswer> implements KeptEntry, KeptAnswer<Answer> {
  /** in the canonical spelling */
  readonly name: HandleName;
  readonly key: string;
  readonly bytes: number;
  readonly answer: Answer;
  isUsed = false;
  usedInPeriod = -1;
  readonly noCheckFrom: number;
  readonly noCheckUntil: number;
  /** false after memory has dropped this answer */
  isKept = true;
  readonly #parts: KindParts<Answer>;

  constructor(parts: KindParts<Answer>, { name, key, bytes }: EntryParts, answer: Answer) {
    this.name = name;
    this.key = key;
    this.bytes = bytes;
    this.answer = answer;
    this.noCheckFrom = validFrom(answer);
    this.noCheckUntil = answer.stale ? Number.NEGATIVE_INFINITY : agingFrom(answer);
    this.#parts = parts;
  }

  /** True while the answer is neither aging nor stale, so that the caller can serve it. */
  needsNoCheck(now: number): boolean {
    return now < this.noCheckUntil && now >= this.noCheckFrom;
  }

  isCurrent(): boolean {
    return this.isCurrentAt(this.#parts.clock.now());
  }

  /** Like `isCurrent`, for callers that have read the time already. */
  isCurrentAt(now: number): boolean {
    if (!this.isKept) return false;
    if (!this.needsNoCheck(now) && !this.#isCurrentWhileAging(now)) return false;
    this.#parts.memory.use(this);
    return true;
  }

  #isCurrentWhileAging(now: number): boolean {
    if (this.answer.stale || ageOf(this.answer, now) !== 'aging') return false;
    this.#parts.onAging(this.name);
    return true;
  }

  onDrop(): void {
    const { kept } = this.#parts;
    this.isKept = false;
    if (kept.get(this.name) === this) kept.delete(this.name);
  }
}

export function createStoredAnswers<Answer extends CachedAnswer>(options: StoredAnswersOptions<Answer>) {
  const { keyPrefix, codec, memory, shared, clock, random, metrics } = options;
  const sharedTexts = new DataLoader<string, string | null>((keys) => shared.getMany(keys), { cache: false });
  const kept = new Map<HandleName, DecodedAnswer<Answer>>();
  const parts = { ...options, kept };
  // The last answer of `get`. A request often needs one record twice: for the field `record`, and to infer the agency.
  let lastName: HandleName | undefined;
  let last: DecodedAnswer<Answer> | undefined;

  /** The answer in memory, without a check of its age: its `stale` can be out of date. */
  function get(name: HandleName): DecodedAnswer<Answer> | undefined {
    if (last?.isKept && name === lastName) return last;
    // `kept.get(name)` finds most answers, because nearly all names have the canonical spelling.
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
    const entry = { name, key: ownCopy(key), bytes: decodedBytes(text, name) };
    return keep(entry, withStaleness(answer, clock.now() >= answer.freshUntil));
  }

  function keep(entry: EntryParts, answer: Answer): DecodedAnswer<Answer> {
    const decoded = new DecodedAnswer(parts, entry, answer);
    // `kept.set` must be first: if the answer is too large, `memory.keep` removes it from `kept` at once.
    kept.set(entry.name, decoded);
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

    /** Returns `known` if its `stale` already has this value. Else replaces `known` in memory. */
    setStale: (known: DecodedAnswer<Answer>, stale: boolean) =>
      known.answer.stale === stale ? known : keep(known, withStaleness(known.answer, stale)),

    /** Reads the shared tier. If its answer is newer, memory keeps this answer. Deletes a text that cannot be decoded. */
    async readShared(name: HandleName): Promise<Answer | typeof NOT_CACHEABLE | undefined> {
      if (shared.state === 'down') return undefined;
      const key = entryKey(keyPrefix, name);
      const text = await sharedTexts.load(key);
      if (text === null || text === NOT_CACHEABLE) return text ?? undefined;
      const answer = decodeShared(name, text);
      if (!answer) shared.delete(key);
      else if (newestOf([answer, get(name)?.answer], clock.now()) === answer) setMemory(name, key, text);
      return answer;
    },

    /** Stores an answer of the directory. Ignores a failure. For an answer that was never fresh, deletes the older answer. */
    store(name: HandleName, answer: Answer): void {
      if (isFailure(answer)) return;
      const key = entryKey(keyPrefix, name);
      if (answer.freshUntil <= answer.fetchedAt) {
        memory.delete(key);
        shared.set(key, NOT_CACHEABLE, LIFETIMES.notCacheable);
        return;
      }
      const text = codec.encode(answer);
      setMemory(name, key, text);
      shared.set(key, text, keptMs(answer, clock.now(), random));
    },
  };
}
