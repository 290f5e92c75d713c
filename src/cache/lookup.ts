// One kind of answer behind the cache: what to serve, when to look anew, and that nothing is asked twice.

import DataLoader from 'dataloader';
import { canonicalName, type HandleName } from '../doi/name.ts';
import { MalformedRecordError } from '../handle/json.ts';
import type { Metrics } from '../metrics.ts';
import type { CacheClock } from './clock.ts';
import type { Codec } from './codec.ts';
import { ageOf, type Entry, isCacheable, keptMs } from './entry.ts';
import { fetchOnce } from './fetch-once.ts';
import { type SharedFlight, startFlight } from './in-flight.ts';
import { createSmallValues, type MemoryTier } from './memory-tier.ts';
import type { SharedTier } from './shared-tier.ts';

/** What all kinds of answers have in common. */
export interface CacheParts {
  readonly memory: MemoryTier;
  readonly shared: SharedTier;
  readonly clock: CacheClock;
  readonly random: () => number;
  readonly metrics: Pick<Metrics, 'cacheLookups' | 'lockWaits' | 'sharedCacheErrors'>;
}

export interface LookupOptions<Value> extends CacheParts {
  readonly kind: 'record' | 'agency';
  readonly codec: Codec<Value>;
  /** asks the directory, on behalf of all who wait for the name; the signal says that nobody does any more */
  readonly ask: (name: HandleName, givenUp: AbortSignal) => Promise<Entry<Value>>;
  /** an answer that is worth less than an old one, and nothing to keep */
  readonly isFailure: (value: Value) => boolean;
}

/** An answer, and whether it is served past its time. */
export interface Found<Value> {
  readonly value: Value;
  /** milliseconds since the epoch */
  readonly freshUntil: number;
  readonly stale: boolean;
}

export interface Lookup<Value> {
  /** What memory answers at once; undefined where something has to be waited for. */
  peek(name: HandleName): Found<Value> | undefined;
  /**
   * Rejects as `ask` does, where there is nothing old to serve in its place. What is asked for goes on without
   * a caller whose signal is aborted, as long as anyone else waits for it or something old is refreshed by it.
   */
  find(name: HandleName, signal?: AbortSignal): Promise<Found<Value>>;
  /** Takes in an answer that was fetched past the cache. */
  store(name: HandleName, entry: Entry<Value>): void;
}

/** How long the reader of an old entry waits for a new one. */
const REFRESH_WAIT_MS = 1_800;
/** How long a name whose refresh failed is left alone. */
const AFTER_FAILURE_MS = 30_000;
const FAILURES_MAX_BYTES = 16_000_000;

export function createLookup<Value>(options: LookupOptions<Value>): Lookup<Value> {
  const { kind, codec, memory, shared, clock, random, metrics } = options;
  const flights = new Map<string, SharedFlight<Entry<Value>>>();
  const failures = createSmallValues<number>(FAILURES_MAX_BYTES);
  const sharedTexts = new DataLoader<string, string | null>((keys) => shared.getMany(keys), { cache: false });

  const keyOf = (name: HandleName): string => `${kind}:${canonicalName(name)}`;

  function decode(name: HandleName, text: string): Entry<Value> | undefined {
    try {
      return codec.decode(text, name);
    } catch (error) {
      if (!(error instanceof MalformedRecordError)) throw error;
      metrics.sharedCacheErrors.inc({ operation: 'decode' });
      return undefined;
    }
  }

  function readMemory(name: HandleName): Entry<Value> | undefined {
    const text = memory.get(keyOf(name));
    return text === undefined ? undefined : decode(name, text);
  }

  /** What the shared tier has, taken into memory. Garbage is thrown away. */
  async function readShared(name: HandleName): Promise<Entry<Value> | undefined> {
    if (shared.state === 'down') return undefined;
    const key = keyOf(name);
    const text = await sharedTexts.load(key);
    if (text === null) return undefined;
    const entry = decode(name, text);
    if (!entry) shared.delete(key);
    else if (newerOf(readMemory(name), entry) === entry) memory.set(key, text);
    return entry;
  }

  function store(name: HandleName, entry: Entry<Value>): void {
    if (options.isFailure(entry.value)) return;
    const key = keyOf(name);
    if (!isCacheable(entry)) {
      memory.delete(key);
      shared.delete(key);
      return;
    }
    const text = codec.encode(entry);
    memory.set(key, text);
    shared.set(key, text, keptMs(entry, clock.now(), random));
  }

  /** One request to the directory for all who want the name now, in this process and, with locks, in others. */
  function fetch(name: HandleName, signal?: AbortSignal): Promise<Entry<Value>> {
    const key = keyOf(name);
    const flight = flights.get(key) ?? takeOff(name, key);
    return flight.join(signal);
  }

  function takeOff(name: HandleName, key: string): SharedFlight<Entry<Value>> {
    const since = clock.now();
    const forget = (): void => {
      // Where it was given up, another may have taken its place.
      if (flights.get(key) === flight) flights.delete(key);
    };
    const work = (givenUp: AbortSignal): Promise<Entry<Value>> =>
      fetchOnce({
        key,
        shared,
        clock,
        metrics,
        givenUp,
        read: async () => {
          const entry = await readShared(name);
          return entry && entry.freshUntil > since && ageOf(entry, clock.now()) === 'fresh'
            ? entry
            : undefined;
        },
        ask: () => options.ask(name, givenUp),
        store: (entry) => store(name, entry),
      });
    const flight = startFlight(work, forget);
    flights.set(key, flight);
    const failed = (): void => {
      if (!flight.givenUp.aborted) failures.set(key, clock.now());
    };
    flight.landed
      .then(({ value }) => (options.isFailure(value) ? failed() : failures.delete(key)), failed)
      .finally(forget);
    return flight;
  }

  function hasFailedLately(name: HandleName): boolean {
    return clock.now() - (failures.get(keyOf(name)) ?? Number.NEGATIVE_INFINITY) < AFTER_FAILURE_MS;
  }

  function refreshBehind(name: HandleName): void {
    if (!hasFailedLately(name)) fetch(name).catch(() => {});
  }

  function served(entry: Entry<Value>, by: 'memory' | 'shared' | 'directory'): Found<Value> {
    const stale = clock.now() >= entry.freshUntil && by !== 'directory';
    metrics.cacheLookups.inc({ kind, answeredBy: stale ? 'stale' : by });
    return { value: entry.value, freshUntil: entry.freshUntil, stale };
  }

  /** The entry if it may be served without waiting, a new look taken behind where it is due. */
  function atOnce(
    name: HandleName,
    entry: Entry<Value> | undefined,
    by: 'memory' | 'shared',
  ): Found<Value> | undefined {
    if (entry === undefined) return undefined;
    const age = ageOf(entry, clock.now());
    if (age === 'old' || age === 'dead') return undefined;
    if (age !== 'fresh') refreshBehind(name);
    return served(entry, by);
  }

  async function refreshed(name: HandleName, old: Entry<Value>): Promise<Found<Value>> {
    if (hasFailedLately(name)) return served(old, 'memory');
    const inTime = clock.sleep(REFRESH_WAIT_MS).then(() => undefined);
    const entry = await Promise.race([fetch(name).catch(() => undefined), inTime]);
    return entry === undefined || options.isFailure(entry.value)
      ? served(old, 'memory')
      : served(entry, 'directory');
  }

  return {
    peek: (name) => atOnce(name, readMemory(name), 'memory'),

    async find(name, signal) {
      const held = readMemory(name);
      const known = atOnce(name, held, 'memory');
      if (known) return known;
      const elsewhere = await readShared(name);
      signal?.throwIfAborted();
      const found = atOnce(name, elsewhere, 'shared');
      if (found) return found;
      const old = newerOf(held, elsewhere);
      if (old && ageOf(old, clock.now()) === 'old') return refreshed(name, old);
      return served(await fetch(name, signal), 'directory');
    },

    store,
  };
}

function newerOf<Value>(a: Entry<Value> | undefined, b: Entry<Value> | undefined): Entry<Value> | undefined {
  return a && b ? (a.fetchedAt > b.fetchedAt ? a : b) : (a ?? b);
}
