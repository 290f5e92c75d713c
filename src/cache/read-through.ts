// Looks up names through the cache: chooses the answer to serve, and refreshes aging and stale answers.

import type { HandleName } from 'doi-names';
import { type AnswerOrigin, GATEWAY_ITSELF, type Requester } from '../directory/requester.ts';
import type { Waiters } from '../directory/waiters.ts';
import { LIFETIMES } from '../lifetimes.ts';
import { ageOf, type CachedAnswer, isFailure, newestOf, withStaleness } from './cached-entry.ts';
import { type Caller, Flight, fetchOnce, NOT_CACHEABLE } from './in-flight.ts';
import {
  createStoredAnswers,
  type DecodedAnswer,
  entryKey,
  type StoredAnswersOptions,
} from './stored-answers.ts';
import { type TakeLookUp, tryToTakeLookUp } from './take-look-up.ts';

interface ReadThroughOptions<Answer extends CachedAnswer>
  extends Omit<StoredAnswersOptions<Answer>, 'onAging'> {
  readonly kind: 'record' | 'agency' | 'metadata';
  /** sends a request to the directory; `waiters`: all clients that wait for the name */
  readonly request: (name: HandleName, waiters: Waiters) => Promise<Answer>;
}

export type ReadThrough<Answer extends CachedAnswer> = ReturnType<typeof createReadThrough<Answer>>;

/** A caller waits at most this time for a new answer. Then the cache serves the very stale answer. */
const REFRESH_WAIT_MS = 1_800;

export function createReadThrough<Answer extends CachedAnswer>(options: ReadThroughOptions<Answer>) {
  type Decoded = DecodedAnswer<Answer>;
  const { keyPrefix, shared, clock, failures, metrics } = options;
  const counts = metrics.cacheLookupCounts[options.kind];
  const stored = createStoredAnswers({ ...options, onAging: refreshInBackground });
  const flights = new Map<string, Flight<Answer>>();

  /** Joins the flight of this name, or starts one. */
  function fetch(name: HandleName, caller: Caller = {}): Promise<Answer> {
    const key = entryKey(keyPrefix, name);
    const flight = flights.get(key) ?? addFlight(name, key, caller.requester ?? GATEWAY_ITSELF);
    return flight.join(caller);
  }

  function addFlight(name: HandleName, key: string, requester: Requester): Flight<Answer> {
    const since = clock.now();
    const remove = (): void => {
      // If this flight was aborted, the key can belong to a newer flight.
      if (flights.get(key) === flight) flights.delete(key);
    };
    const lookUp = (waiters: Waiters): Promise<Answer> =>
      fetchOnce({
        key,
        shared,
        clock,
        metrics,
        waiters,
        read: async () => {
          const found = await stored.readShared(name);
          if (found === undefined || found === NOT_CACHEABLE) return found;
          return found.freshUntil > since && ageOf(found, clock.now()) === 'fresh' ? found : undefined;
        },
        request: async () => {
          const answer = await options.request(name, waiters);
          stored.store(name, answer);
          return answer;
        },
      });
    const flight = new Flight(requester, lookUp, remove);
    flights.set(key, flight);
    const onFailure = (): void => {
      if (!flight.isAborted) failures.set(key, clock.now());
      remove();
    };
    flight.ended.then((answer) => {
      if (isFailure(answer)) return onFailure();
      failures.delete(key);
      remove();
    }, onFailure);
    return flight;
  }

  function hasFailedRecently(name: HandleName): boolean {
    const agoMs = clock.now() - (failures.get(entryKey(keyPrefix, name)) ?? Number.NEGATIVE_INFINITY);
    return agoMs >= 0 && agoMs < LIFETIMES.untilNextRefresh;
  }

  function refreshInBackground(name: HandleName): void {
    if (!hasFailedRecently(name)) fetch(name).catch(() => {});
  }

  /** Counts an answer and sets its `stale`. An answer from the directory is not stale, even if it expires at once. */
  function serve(answer: Answer, from: AnswerOrigin, caller: Caller): Answer {
    const stale = from !== 'directory' && clock.now() >= answer.freshUntil;
    countAnswer(stale ? 'stale' : from, caller);
    return withStaleness(answer, stale);
  }

  function countAnswer(by: AnswerOrigin, { requester }: Caller): void {
    counts[by] += 1;
    requester?.tally?.answered(by, 1);
  }

  /** Whether the cache can serve an answer without waiting. If the answer is aging or stale, starts a refresh. */
  function isServedAtOnce(name: HandleName, answer: Answer, now: number): boolean {
    const age = ageOf(answer, now);
    if (age === 'very stale' || age === 'expired') return false;
    if (age !== 'fresh') refreshInBackground(name);
    return true;
  }

  /** The answer in memory if the cache can serve it at once, else undefined. */
  function servedAtOnce(name: HandleName, known: Decoded | undefined, now: number): Decoded | undefined {
    if (known === undefined || known.needsNoCheck(now)) return known;
    const isServed = isServedAtOnce(name, known.answer, now);
    return isServed ? stored.setStale(known, now >= known.answer.freshUntil) : undefined;
  }

  /** The answer of the directory if it comes within REFRESH_WAIT_MS, else the very stale answer. */
  async function refreshOrStale(
    name: HandleName,
    veryStale: Answer,
    caller: Caller,
    takeLookUp: TakeLookUp | undefined,
  ): Promise<Answer> {
    const serveStale = () => serve(veryStale, 'memory', caller);
    if (hasFailedRecently(name) || (takeLookUp && !(await tryToTakeLookUp(takeLookUp)))) return serveStale();
    const timeout = clock.sleep(REFRESH_WAIT_MS).then(() => undefined);
    const answer = fetch(name, caller).catch(() => undefined);
    // Joins the same flight again, so that the flight continues if the caller leaves.
    refreshInBackground(name);
    const answerInTime = await Promise.race([answer, timeout]);
    const hasFailed = answerInTime === undefined || isFailure(answerInTime);
    return hasFailed ? serveStale() : serve(answerInTime, 'directory', caller);
  }

  return {
    /**
     * The answer in memory; undefined if there is no answer that can be served at once. Returns the same object while
     * memory keeps it decoded. The metrics do not include this look-up.
     */
    peek: (name: HandleName) => servedAtOnce(name, stored.get(name), clock.now()),

    /**
     * Rejects if `request` or `takeLookUp` rejects and there is no stale answer to serve instead. If the caller aborts, the
     * request continues while another caller waits for it, or if the request refreshes an answer.
     */
    async find(name: HandleName, caller: Caller = {}, takeLookUp?: TakeLookUp): Promise<Answer> {
      const { signal } = caller;
      const known = stored.get(name);
      const served = servedAtOnce(name, known, clock.now());
      if (served) {
        countAnswer(served.answer.stale ? 'stale' : 'memory', caller);
        return served.answer;
      }
      const found = await stored.readShared(name);
      const sharedAnswer = found === NOT_CACHEABLE ? undefined : found;
      signal?.throwIfAborted();
      if (sharedAnswer && isServedAtOnce(name, sharedAnswer, clock.now())) {
        return serve(sharedAnswer, 'shared', caller);
      }
      const newest = newestOf([sharedAnswer, known?.answer], clock.now());
      if (newest && ageOf(newest, clock.now()) === 'very stale')
        return refreshOrStale(name, newest, caller, takeLookUp);
      if (takeLookUp) {
        await takeLookUp();
        signal?.throwIfAborted();
      }
      return serve(await fetch(name, caller), 'directory', caller);
    },

    /** Stores an answer that was fetched without the cache. */
    store: stored.store,
  };
}
