// One kind of answer behind the cache: what to serve, when to look anew, and that nothing is asked twice.

import DataLoader from 'dataloader';
import { type Asker, OWN_WORK } from '../directory/asker.ts';
import type { Waiters } from '../directory/waiters.ts';
import type { HandleName } from '../doi/name.ts';
import { MalformedRecordError } from '../handle/json.ts';
import type { Metrics } from '../metrics.ts';
import type { CacheClock } from './clock.ts';
import type { Codec } from './codec.ts';
import { createDecodedAnswers, type DecodedAnswer, entryKey } from './decoded-answers.ts';
import { ageOf, type Entry, isCacheable, keptMs, type SharedTier } from './entry.ts';
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

export interface LookupOptions<Value, Answer> extends CacheParts {
  readonly kind: 'record' | 'agency' | 'metadata';
  /** under which its entries are found; left out: the kind */
  readonly space?: string;
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
  peek(name: HandleName): DecodedAnswer<Value, Answer> | undefined;
  /**
   * Rejects as `ask` and `pay` do, where there is nothing old to serve in its place. What is asked for goes on without
   * a caller whose signal is aborted, as long as anyone else waits for it or something old is refreshed by it.
   */
  find(name: HandleName, caller?: Caller, pay?: Pay): Promise<Answer>;
  /** Takes in an answer that was fetched past the cache. */
  store(name: HandleName, entry: Entry<Value>): void;
}

/** How long the reader of an old entry waits for a new one. */
const REFRESH_WAIT_MS = 1_800;
/** How long a name whose refresh failed is left alone. */
const AFTER_FAILURE_MS = 30_000;

export function createLookup<Value, Answer>(options: LookupOptions<Value, Answer>): Lookup<Value, Answer> {
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

  /** What the shared tier says, its entry taken into memory. Garbage is thrown away. */
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

  /** One request to the directory for all who want the name now, in this process and, with locks, in others. */
  function fetch(name: HandleName, caller: Caller = {}): Promise<Entry<Value>> {
    const key = entryKey(space, name);
    const flight = flights.get(key) ?? takeOff(name, key, caller.asker ?? OWN_WORK);
    return flight.join(caller);
  }

  function takeOff(name: HandleName, key: string, asker: Asker): SharedFlight<Entry<Value>> {
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
        throwIfGivenUp: () => waiters.throwIfGivenUp(),
        read: async () => {
          const told = await readShared(name);
          if (told === undefined || told === NOT_KEPT) return told;
          return told.freshUntil > since && ageOf(told, clock.now()) === 'fresh' ? told : undefined;
        },
        ask: () => options.ask(name, waiters),
        store: (entry) => store(name, entry),
      });
    const flight = startFlight(asker, work, forget);
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

  function counted(stale: boolean, by: 'memory' | 'shared' | 'directory', { asker }: Caller): boolean {
    const answeredBy = stale ? 'stale' : by;
    counts[answeredBy] += 1;
    asker?.tally?.answered(answeredBy, 1);
    return stale;
  }

  /** What the directory has just said is not stale, however short its life. */
  function fromDirectory(entry: Entry<Value>, caller: Caller): Answer {
    return answerOf(entry, counted(false, 'directory', caller));
  }

  /** Whether an entry may be served without waiting, a new look taken behind where it is due. */
  function isServedAtOnce(name: HandleName, entry: Entry<Value>, now: number): boolean {
    const age = ageOf(entry, now);
    if (age === 'old' || age === 'dead') return false;
    if (age !== 'fresh') refreshBehind(name);
    return true;
  }

  /** What memory gives at once of what it holds of a name. */
  function atOnce(name: HandleName, known: Held | undefined, now: number): Held | undefined {
    if (known === undefined || known.isSettled(now)) return known;
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
    // It goes on without the reader, among whose look-ups it has its turn as well.
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
      const told = await readShared(name);
      const elsewhere = told === NOT_KEPT ? undefined : told;
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

/** Of those that are served at all; undefined where none is. */
function newestOf<Value>(
  entries: readonly (Entry<Value> | undefined)[],
  now: number,
): Entry<Value> | undefined {
  let newest: Entry<Value> | undefined;
  for (const entry of entries) {
    if (entry === undefined || ageOf(entry, now) === 'dead') continue;
    if (newest === undefined || entry.fetchedAt > newest.fetchedAt) newest = entry;
  }
  return newest;
}
