// One request for all callers of a name: locks between replicas, and flights within a process.

import { abortable } from '../directory/abortable.ts';
import type { DescribeOptions, LookUpOptions, ResolveOptions } from '../directory/directory.ts';
import { OWN_WORK, type Requester } from '../directory/requester.ts';
import { createWaiters, type OpenWaiters, type Waiters } from '../directory/waiters.ts';
import type { Metrics } from '../metrics.ts';
import type { Entry, SharedTier } from './cached-entry.ts';
import type { CacheClock } from './clock.ts';

// Between replicas: the replica with the lock sends the request. The other replicas wait for its answer.

interface FetchOnceOptions<Value> {
  readonly key: string;
  readonly shared: SharedTier;
  readonly clock: CacheClock;
  readonly metrics: Pick<Metrics, 'lockWaits'>;
  /** Reads the shared tier. Returns an entry if it makes the request unnecessary, or NOT_KEPT, else undefined. */
  readonly read: () => Promise<Entry<Value> | typeof NOT_KEPT | undefined>;
  readonly ask: () => Promise<Entry<Value>>;
  readonly store: (entry: Entry<Value>) => void;
  readonly throwIfAborted: () => void;
}

/** The shared tier stores this in place of an answer that may not be kept. Then each replica sends its own request. */
export const NOT_KEPT = 'not kept';
/** How long the shared tier keeps NOT_KEPT for a name. Each such answer starts the time again. */
export const NOT_KEPT_MS = 60_000;

/** After this time the shared tier releases the lock of a name, because its holder may have died. */
const LOCK_MS = 5_000;
/** How long a replica waits before it sends its own request: once for a holder that dies, once for the next holder. */
const MAX_WAIT_MS = 2 * LOCK_MS;
const FIRST_POLL_MS = 20;
const LAST_POLL_MS = 320;

/** Fails only if `ask` or `throwIfAborted` fails. If the shared tier fails, each replica sends its own request. */
export async function fetchOnce<Value>(options: FetchOnceOptions<Value>): Promise<Entry<Value>> {
  const { key, shared, clock, metrics, read, ask, store, throwIfAborted } = options;
  const start = clock.now();
  let sleptMs = 0;
  let waited = false;
  let pollMs = FIRST_POLL_MS;
  /** `lost`: the wait brought no answer, for any reason */
  const countWait = (ended: 'answered' | 'lost' | 'not kept'): void => {
    if (waited) metrics.lockWaits.inc({ ended });
  };
  const askAndStore = async (): Promise<Entry<Value>> => {
    const entry = await ask();
    store(entry);
    return entry;
  };

  // If the clock is set back, `sleptMs` still ends the wait.
  while (shared.state === 'up' && Math.max(sleptMs, clock.now() - start) < MAX_WAIT_MS) {
    const attempt = await shared.lock(key, LOCK_MS);
    if (attempt.got === 'unavailable') break;
    if (attempt.got === 'held by another') waited = true;
    try {
      // The replica that has the lock, or had it before, may have stored the answer.
      const stored = await read();
      throwIfAborted();
      if (stored === NOT_KEPT) {
        countWait('not kept');
        return await askAndStore();
      }
      if (stored) {
        countWait('answered');
        return stored;
      }
      if (attempt.got === 'lock') {
        countWait('lost');
        return await askAndStore();
      }
    } finally {
      if (attempt.got === 'lock') attempt.release();
    }
    await clock.sleep(pollMs);
    throwIfAborted();
    sleptMs += pollMs;
    pollMs = Math.min(pollMs * 2, LAST_POLL_MS);
  }
  throwIfAborted();
  countWait('lost');
  return askAndStore();
}

// Within a process: several callers may wait for one flight.

/** The options of a look-up. They have `waiters` and `signal`, because some directories read only `signal`. */
export function optionsForWaiters(
  waiters: Waiters,
  options: ResolveOptions & DescribeOptions = {},
): ResolveOptions & DescribeOptions {
  return new OptionsOfWaiters(waiters, options);
}

/** A class, because JavaScript makes an object literal with a getter more slowly. */
class OptionsOfWaiters implements ResolveOptions, DescribeOptions {
  readonly auth: boolean;
  readonly cert: boolean;
  readonly agency: DescribeOptions['agency'];
  readonly requester: Requester;
  readonly waiters: Waiters;

  constructor(waiters: Waiters, { auth = false, cert = false, agency }: ResolveOptions & DescribeOptions) {
    this.auth = auth;
    this.cert = cert;
    this.agency = agency;
    this.requester = waiters.firstRequester;
    this.waiters = waiters;
  }

  get signal(): AbortSignal {
    return this.waiters.signal;
  }
}

/** Waits for an answer until the caller gives up. The look-up itself goes on while other callers wait for it. */
export function untilAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal ? abortable(answer, signal) : answer;
}

export type Caller = Pick<LookUpOptions, 'signal' | 'requester'>;

/** Work for all its callers. */
export interface Flight<T> {
  /** settles as the work does, even if no caller waits any more */
  readonly ended: Promise<T>;
  /** true after the last caller left before the end of the work */
  readonly isAborted: boolean;
  /**
   * Waits for the work. The first caller starts it. If the caller's signal is aborted, rejects with its reason. Do not
   * join a flight that was given up.
   */
  join(caller?: Caller): Promise<T>;
}

/**
 * The work starts when the first caller joins.
 * @param firstRequester the request that joins first
 * @param work aborted when no client waits, unless a watcher of its waiters lets it go on
 * @param onAbort called before the work is aborted; must hide the flight, so that no caller joins it
 */
export function createFlight<T>(
  firstRequester: Requester,
  work: (waiters: Waiters) => Promise<T>,
  onAbort: () => void,
): Flight<T> {
  return new WaitedFlight(firstRequester, work, onAbort);
}

/** A class, because each look-up makes a flight, and an object literal with a getter is slower to make. */
class WaitedFlight<T> implements Flight<T> {
  readonly ended: Promise<T>;
  readonly #waiters: OpenWaiters;
  #begin: (() => void) | undefined;
  #hasEnded = false;

  constructor(firstRequester: Requester, work: (waiters: Waiters) => Promise<T>, onAbort: () => void) {
    const waiters = createWaiters(firstRequester, () => {
      if (!this.#hasEnded) onAbort();
      return !this.#hasEnded;
    });
    this.#waiters = waiters;
    const markEnded = (): void => {
      this.#hasEnded = true;
    };
    this.ended = new Promise<T>((resolve) => {
      this.#begin = () => {
        const answer = work(waiters);
        answer.then(markEnded, markEnded);
        resolve(answer);
      };
    });
  }

  get isAborted(): boolean {
    return this.#waiters.isAborted;
  }

  async join({ signal, requester = OWN_WORK }: Caller = {}): Promise<T> {
    const { key } = requester.client;
    const begin = this.#begin;
    this.#begin = undefined;
    this.#waiters.enter(key);
    begin?.();
    try {
      return await untilAborted(this.ended, signal);
    } finally {
      this.#waiters.leave(key);
    }
  }
}
