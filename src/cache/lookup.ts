// One kind of answer behind the cache: what to serve, when to look anew, and that nothing is asked twice.

import DataLoader from 'dataloader';
import type { Waiters } from '../directory/waiters.ts';
import type { HandleName } from '../doi/name.ts';
import { MalformedRecordError } from '../handle/json.ts';
import type { Metrics } from '../metrics.ts';
import type { CacheClock } from './clock.ts';
import type { Codec } from './codec.ts';
import { createDecodedAnswers, type DecodedAnswer, keyOf } from './decoded-answers.ts';
import { ageOf, type Entry, isCacheable, keptMs } from './entry.ts';
import { fetchOnce } from './fetch-once.ts';
import { type Caller, type SharedFlight, startFlight } from './in-flight.ts';
import { createSmallValues, type MemoryTier } from './memory-tier.ts';
import type { SharedTier } from './shared-tier.ts';

/** What all kinds of answers have in common. */
export interface CacheParts {
  readonly memory: MemoryTier;
  readonly shared: SharedTier;
  readonly clock: CacheClock;
  readonly random: () => number;
  readonly metrics: Pick<Metrics, 'cacheLookupCounts' | 'lockWaits' | 'sharedCacheErrors'>;
}

export interface LookupOptions<Value, Answer> extends CacheParts {
  readonly kind: 'record' | 'agency';
  readonly codec: Codec<Value>;
  /** asks the directory, on behalf of all who wait for the name */
  readonly ask: (name: HandleName, waiters: Waiters) => Promise<Entry<Value>>;
  /** an answer that is worth less than an old one, and nothing to keep */
  readonly isFailure: (value: Value) => boolean;
  /** what is handed out for an entry; stale: past its time */
  readonly answerOf: (entry: Entry<Value>, stale: boolean) => Answer;
  /** is told of each name whose entry in memory is another from now on */
  readonly onChange?: (name: HandleName) => void;
}

export interface Lookup<Value, Answer> {
  /**
   * What memory answers at once; undefined where something has to be waited for. The same object as long as
   * memory holds the same and keeps it decoded. It is not counted.
   */
  peek(name: HandleName): Answer | undefined;
  /**
   * Rejects as `ask` does, where there is nothing old to serve in its place. What is asked for goes on without
   * a caller whose signal is aborted, as long as anyone else waits for it or something old is refreshed by it.
   */
  find(name: HandleName, caller?: Caller): Promise<Answer>;
  /** Takes in an answer that was fetched past the cache. */
  store(name: HandleName, entry: Entry<Value>): void;
}

/** How long the reader of an old entry waits for a new one. */
const REFRESH_WAIT_MS = 1_800;
/** How long a name whose refresh failed is left alone. */
const AFTER_FAILURE_MS = 30_000;
const FAILURES_MAX_BYTES = 16_000_000;

export function createLookup<Value, Answer>(options: LookupOptions<Value, Answer>): Lookup<Value, Answer> {
  const { kind, codec, memory, shared, clock, random, metrics, answerOf } = options;
  const counts = metrics.cacheLookupCounts[kind];
  const held = createDecodedAnswers(options);
  const flights = new Map<string, SharedFlight<Entry<Value>>>();
  const failures = createSmallValues<number>(FAILURES_MAX_BYTES);
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

  /** What the shared tier has, taken into memory. Garbage is thrown away. */
  async function readShared(name: HandleName): Promise<Entry<Value> | undefined> {
    if (shared.state === 'down') return undefined;
    const key = keyOf(kind, name);
    const text = await sharedTexts.load(key);
    if (text === null) return undefined;
    const entry = decode(name, text);
    if (!entry) shared.delete(key);
    else if (newerOf(held.get(name)?.entry, entry) === entry) setMemory(name, key, text);
    return entry;
  }

  function store(name: HandleName, entry: Entry<Value>): void {
    if (options.isFailure(entry.value)) return;
    const key = keyOf(kind, name);
    if (!isCacheable(entry)) {
      memory.delete(key);
      shared.delete(key);
      return;
    }
    const text = codec.encode(entry);
    setMemory(name, key, text);
    shared.set(key, text, keptMs(entry, clock.now(), random));
  }

  /** One request to the directory for all who want the name now, in this process and, with locks, in others. */
  function fetch(name: HandleName, caller?: Caller): Promise<Entry<Value>> {
    const key = keyOf(kind, name);
    const flight = flights.get(key) ?? takeOff(name, key);
    return flight.join(caller);
  }

  function takeOff(name: HandleName, key: string): SharedFlight<Entry<Value>> {
    const since = clock.now();
    const forget = (): void => {
      // Where it was given up, another may have taken its place.
      if (flights.get(key) === flight) flights.delete(key);
    };
    const work = (waiters: Waiters): Promise<Entry<Value>> =>
      fetchOnce({
        key,
        shared,
        clock,
        metrics,
        throwIfGivenUp: waiters.throwIfGivenUp,
        read: async () => {
          const entry = await readShared(name);
          return entry && entry.freshUntil > since && ageOf(entry, clock.now()) === 'fresh'
            ? entry
            : undefined;
        },
        ask: () => options.ask(name, waiters),
        store: (entry) => store(name, entry),
      });
    const flight = startFlight(work, forget);
    flights.set(key, flight);
    const failed = (): void => {
      if (!flight.isGivenUp) failures.set(key, clock.now());
    };
    flight.landed
      .then(({ value }) => (options.isFailure(value) ? failed() : failures.delete(key)), failed)
      .finally(forget);
    return flight;
  }

  function hasFailedLately(name: HandleName): boolean {
    return clock.now() - (failures.get(keyOf(kind, name)) ?? Number.NEGATIVE_INFINITY) < AFTER_FAILURE_MS;
  }

  function refreshBehind(name: HandleName): void {
    if (!hasFailedLately(name)) fetch(name).catch(() => {});
  }

  function counted(stale: boolean, by: 'memory' | 'shared' | 'directory'): boolean {
    counts[stale ? 'stale' : by] += 1;
    return stale;
  }

  /** What the directory has just said is not stale, however short its life. */
  function fromDirectory(entry: Entry<Value>): Answer {
    return answerOf(entry, counted(false, 'directory'));
  }

  /** Whether an entry may be served without waiting, a new look taken behind where it is due. */
  function isServedAtOnce(name: HandleName, entry: Entry<Value>, now: number): boolean {
    const age = ageOf(entry, now);
    if (age === 'old' || age === 'dead') return false;
    if (age !== 'fresh') refreshBehind(name);
    return true;
  }

  function peekAt(name: HandleName, known: DecodedAnswer<Value, Answer>, now: number): Answer | undefined {
    if (now < known.agingFrom) return known.answer(false);
    return isServedAtOnce(name, known.entry, now) ? known.answer(now >= known.entry.freshUntil) : undefined;
  }

  async function refreshed(name: HandleName, old: Entry<Value>, caller: Caller): Promise<Answer> {
    const oldAnswer = (): Answer => answerOf(old, counted(clock.now() >= old.freshUntil, 'memory'));
    if (hasFailedLately(name)) return oldAnswer();
    const inTime = clock.sleep(REFRESH_WAIT_MS).then(() => undefined);
    // It goes on without the reader, for whom it has its turn among the reader's own.
    refreshBehind(name);
    const entry = await Promise.race([fetch(name, caller).catch(() => undefined), inTime]);
    return entry === undefined || options.isFailure(entry.value) ? oldAnswer() : fromDirectory(entry);
  }

  function peek(name: HandleName): Answer | undefined {
    const known = held.get(name);
    return known && peekAt(name, known, clock.now());
  }

  return {
    peek,

    async find(name, caller = {}) {
      const known = held.get(name);
      const now = clock.now();
      const atOnce = known && peekAt(name, known, now);
      if (known && atOnce !== undefined) {
        counted(now >= known.entry.freshUntil, 'memory');
        return atOnce;
      }
      const elsewhere = await readShared(name);
      caller.signal?.throwIfAborted();
      if (elsewhere && isServedAtOnce(name, elsewhere, clock.now())) {
        return answerOf(elsewhere, counted(clock.now() >= elsewhere.freshUntil, 'shared'));
      }
      const old = newerOf(known?.entry, elsewhere);
      if (old && ageOf(old, clock.now()) === 'old') return refreshed(name, old, caller);
      return fromDirectory(await fetch(name, caller));
    },

    store,
  };
}

function newerOf<Value>(a: Entry<Value> | undefined, b: Entry<Value> | undefined): Entry<Value> | undefined {
  return a && b ? (a.fetchedAt > b.fetchedAt ? a : b) : (a ?? b);
}
