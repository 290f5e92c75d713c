// Look-ups of one kind through the cache: which entry to serve, when to refresh it, and one request for all callers.

import DataLoader from 'dataloader';
import { OWN_WORK, type Requester } from '../directory/requester.ts';
import type { Waiters } from '../directory/waiters.ts';
import type { HandleName } from '../doi/name.ts';
import { MalformedRecordError } from '../handle/json.ts';
import type { Metrics } from '../metrics.ts';
import { ageOf, type Entry, isCacheable, keptMs, newestOf, type SharedTier } from './cached-entry.ts';
import type { CacheClock } from './clock.ts';
import type { Codec } from './codec.ts';
import { createDecodedAnswers, type DecodedAnswer, entryKey } from './decoded-answers.ts';
import {
  type Caller,
  couldPay,
  fetchOnce,
  NOT_KEPT,
  NOT_KEPT_MS,
  type Pay,
  type SharedFlight,
  startFlight,
} from './in-flight.ts';
import type { MemoryTier, SmallValues } from './memory-tier.ts';

/** What all kinds of answers have in common. */
export interface CacheParts {
  readonly memory: MemoryTier;
  readonly shared: SharedTier;
  readonly clock: CacheClock;
  readonly random: () => number;
  /** when the last refresh of each key failed, in milliseconds since 1970: one for all look-ups */
  readonly failures: SmallValues<number>;
  readonly metrics: Pick<Metrics, 'cacheLookupCounts' | 'lockWaits' | 'sharedCacheErrors'>;
}

export interface ReadThroughOptions<Value, Answer> extends CacheParts {
  readonly kind: 'record' | 'agency' | 'metadata';
  /** the prefix of the keys of its entries; left out: the kind */
  readonly space?: string;
  readonly codec: Codec<Value>;
  /** sends the request to the directory, for all clients that wait for the name */
  readonly ask: (name: HandleName, waiters: Waiters) => Promise<Entry<Value>>;
  /** whether a value reports a failure: an old entry is better, and the value is not kept */
  readonly isFailure: (value: Value) => boolean;
  /** the answer that callers get for an entry; stale: it is past `freshUntil` */
  readonly answerOf: (entry: Entry<Value>, stale: boolean) => Answer;
  /** called with each name whose entry in memory changes */
  readonly onChange?: (name: HandleName) => void;
}

export interface ReadThrough<Value, Answer> {
  /**
   * The answer that memory has at once; undefined if the caller must wait. Returns the same object as long as memory
   * keeps the entry decoded. The metrics do not count it.
   */
  peek(name: HandleName): DecodedAnswer<Value, Answer> | undefined;
  /**
   * Rejects as `ask` and `pay` do, unless it can serve an old entry instead. If the signal of a caller is aborted, the
   * request still goes on if another caller waits for it, or if it refreshes an old entry.
   */
  find(name: HandleName, caller?: Caller, pay?: Pay): Promise<Answer>;
  /** Stores an answer that was fetched without the cache. */
  store(name: HandleName, entry: Entry<Value>): void;
}

/** How long the reader of an old entry waits for a new one. */
const REFRESH_WAIT_MS = 1_800;
/** How long a name is not refreshed after its refresh failed. */
const AFTER_FAILURE_MS = 30_000;

export function createReadThrough<Value, Answer>(
  options: ReadThroughOptions<Value, Answer>,
): ReadThrough<Value, Answer> {
  type Held = DecodedAnswer<Value, Answer>;
  const { kind, space = kind, codec, memory, shared, clock, random, failures, metrics, answerOf } = options;
  const counts = metrics.cacheLookupCounts[kind];
  const held = createDecodedAnswers({ ...options, space, onAging: refreshBehind });
  const flights = new Map<string, SharedFlight<Entry<Value>>>();
  const sharedTexts = new DataLoader<string, string | null>((keys) => shared.getMany(keys), { cache: false });

  function decode(name: HandleName, text: string): Entry<Value> | undefined {
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

  /** Reads the shared tier, and copies a newer entry into memory. Deletes an entry that cannot be decoded. */
  async function readShared(name: HandleName): Promise<Entry<Value> | typeof NOT_KEPT | undefined> {
    if (shared.state === 'down') return undefined;
    const key = entryKey(space, name);
    const text = await sharedTexts.load(key);
    if (text === null || text === NOT_KEPT) return text ?? undefined;
    const entry = decode(name, text);
    if (!entry) shared.delete(key);
    else if (newestOf([entry, held.get(name)?.entry], clock.now()) === entry) setMemory(name, key, text);
    return entry;
  }

  function store(name: HandleName, entry: Entry<Value>): void {
    if (options.isFailure(entry.value)) return;
    const key = entryKey(space, name);
    if (!isCacheable(entry)) {
      memory.delete(key);
      shared.set(key, NOT_KEPT, NOT_KEPT_MS);
      return;
    }
    const text = codec.encode(entry);
    setMemory(name, key, text);
    shared.set(key, text, keptMs(entry, clock.now(), random));
  }

  /** One request to the directory for all callers of the name: in this process and, with locks, in other processes. */
  function fetch(name: HandleName, caller: Caller = {}): Promise<Entry<Value>> {
    const key = entryKey(space, name);
    const flight = flights.get(key) ?? takeOff(name, key, caller.requester ?? OWN_WORK);
    return flight.join(caller);
  }

  function takeOff(name: HandleName, key: string, requester: Requester): SharedFlight<Entry<Value>> {
    const since = clock.now();
    const forget = (): void => {
      // After this flight was given up, another flight may have the key.
      if (flights.get(key) === flight) flights.delete(key);
    };
    const work = (waiters: Waiters): Promise<Entry<Value>> =>
      fetchOnce({
        key,
        shared,
        clock,
        metrics,
        throwIfGivenUp: () => waiters.throwIfAborted(),
        read: async () => {
          const found = await readShared(name);
          if (found === undefined || found === NOT_KEPT) return found;
          return found.freshUntil > since && ageOf(found, clock.now()) === 'fresh' ? found : undefined;
        },
        ask: () => options.ask(name, waiters),
        store: (entry) => store(name, entry),
      });
    const flight = startFlight(requester, work, forget);
    flights.set(key, flight);
    const failed = (): void => {
      if (!flight.isGivenUp) failures.set(key, clock.now());
      forget();
    };
    flight.landed.then(({ value }) => {
      if (options.isFailure(value)) failed();
      else {
        failures.delete(key);
        forget();
      }
    }, failed);
    return flight;
  }

  function hasFailedLately(name: HandleName): boolean {
    const agoMs = clock.now() - (failures.get(entryKey(space, name)) ?? Number.NEGATIVE_INFINITY);
    return agoMs >= 0 && agoMs < AFTER_FAILURE_MS;
  }

  function refreshBehind(name: HandleName): void {
    if (!hasFailedLately(name)) fetch(name).catch(() => {});
  }

  function counted(stale: boolean, by: 'memory' | 'shared' | 'directory', { requester }: Caller): boolean {
    const answeredBy = stale ? 'stale' : by;
    counts[answeredBy] += 1;
    requester?.tally?.answered(answeredBy, 1);
    return stale;
  }

  /** An answer straight from the directory is not stale, even if it expires at once. */
  function fromDirectory(entry: Entry<Value>, caller: Caller): Answer {
    return answerOf(entry, counted(false, 'directory', caller));
  }

  /** Whether an entry may be served without waiting. Starts a refresh in the background if one is due. */
  function isServedAtOnce(name: HandleName, entry: Entry<Value>, now: number): boolean {
    const age = ageOf(entry, now);
    if (age === 'old' || age === 'dead') return false;
    if (age !== 'fresh') refreshBehind(name);
    return true;
  }

  /** The entry in memory, if it may be served at once. */
  function atOnce(name: HandleName, known: Held | undefined, now: number): Held | undefined {
    if (known === undefined || known.needsNoCheck(now)) return known;
    const isServed = isServedAtOnce(name, known.entry, now);
    return isServed ? held.turned(known, now >= known.entry.freshUntil) : undefined;
  }

  async function refreshed(
    name: HandleName,
    old: Entry<Value>,
    caller: Caller,
    pay: Pay | undefined,
  ): Promise<Answer> {
    const oldAnswer = () => answerOf(old, counted(clock.now() >= old.freshUntil, 'memory', caller));
    if (hasFailedLately(name) || (pay && !(await couldPay(pay)))) return oldAnswer();
    const inTime = clock.sleep(REFRESH_WAIT_MS).then(() => undefined);
    const answer = fetch(name, caller).catch(() => undefined);
    // The gateway waits for the same request, so that it goes on if the caller leaves.
    refreshBehind(name);
    const entry = await Promise.race([answer, inTime]);
    return entry === undefined || options.isFailure(entry.value) ? oldAnswer() : fromDirectory(entry, caller);
  }

  return {
    peek: (name) => atOnce(name, held.get(name), clock.now()),

    async find(name, caller = {}, pay = undefined) {
      const { signal } = caller;
      const known = held.get(name);
      const given = atOnce(name, known, clock.now());
      if (given) {
        counted(given.isStale, 'memory', caller);
        return given.answer;
      }
      const found = await readShared(name);
      const elsewhere = found === NOT_KEPT ? undefined : found;
      signal?.throwIfAborted();
      if (elsewhere && isServedAtOnce(name, elsewhere, clock.now())) {
        return answerOf(elsewhere, counted(clock.now() >= elsewhere.freshUntil, 'shared', caller));
      }
      const old = newestOf([elsewhere, known?.entry], clock.now());
      if (old && ageOf(old, clock.now()) === 'old') return refreshed(name, old, caller, pay);
      if (pay) {
        await pay();
        signal?.throwIfAborted();
      }
      return fromDirectory(await fetch(name, caller), caller);
    },

    store,
  };
}
