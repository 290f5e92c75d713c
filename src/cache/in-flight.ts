// Work for several waiters. It is aborted when the last waiter has left.

import { abortable } from '../directory/abortable.ts';
import type {
  BeginsRequest,
  DescribeOptions,
  LookUpOptions,
  ResolveOptions,
} from '../directory/directory.ts';
import { type ClientBudget, OWN_WORK, type Requester } from '../directory/requester.ts';
import { createWaiters, type OpenWaiters, type Waiters } from '../directory/waiters.ts';
import type { HandleName } from '../doi/name.ts';
import { GatewayError } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import type { Entry, SharedTier } from './cached-entry.ts';
import type { CacheClock } from './clock.ts';

// Looks a name up once for all replicas: the replica with the lock sends the request, the others wait for the answer.

interface FetchOnceOptions<Value> {
  readonly key: string;
  readonly shared: SharedTier;
  readonly clock: CacheClock;
  readonly metrics: Pick<Metrics, 'lockWaits'>;
  /** the entry of the shared tier if it replaces the request, or NOT_KEPT; undefined: send the request */
  readonly read: () => Promise<Entry<Value> | typeof NOT_KEPT | undefined>;
  /** sends the request to the directory */
  readonly ask: () => Promise<Entry<Value>>;
  /** stores the answer in the tiers */
  readonly store: (entry: Entry<Value>) => void;
  /** throws if no client waits for the answer any more */
  readonly throwIfGivenUp: () => void;
}

/**
 * The shared tier stores this in place of an answer that may not be kept. Then no replica waits for the answer of
 * another replica, because it has to send its own request.
 */
export const NOT_KEPT = 'not kept';
/** How long NOT_KEPT is stored for a name, counted from the last such answer. */
export const NOT_KEPT_MS = 60_000;

/** How long a replica may hold the lock of a name. After this, the lock counts as lost. */
const LOCK_MS = 5_000;
/** Time for a holder that dies and for its successor. After this, each replica sends its own request. */
const MAX_WAIT_MS = 2 * LOCK_MS;
const FIRST_POLL_MS = 20;
const LAST_POLL_MS = 320;

/** Rejects as `ask` or `throwIfGivenUp` does. If the shared tier fails, each replica sends its own request. */
export async function fetchOnce<Value>(options: FetchOnceOptions<Value>): Promise<Entry<Value>> {
  const { key, shared, clock, metrics, read, ask, store, throwIfGivenUp } = options;
  const start = clock.now();
  let sleptMs = 0;
  let waited = false;
  let pollMs = FIRST_POLL_MS;
  const ended = (how: 'answered' | 'lost' | 'not kept'): void => {
    if (waited) metrics.lockWaits.inc({ ended: how });
  };
  const askAndStore = async (): Promise<Entry<Value>> => {
    const entry = await ask();
    store(entry);
    return entry;
  };

  // `sleptMs` ends the wait even if the clock is set back.
  while (shared.state === 'up' && Math.max(sleptMs, clock.now() - start) < MAX_WAIT_MS) {
    const attempt = await shared.lock(key, LOCK_MS);
    if (attempt.got === 'none') break;
    if (attempt.got === 'held by another') waited = true;
    try {
      // The replica that has the lock, or had it before, may have stored the answer.
      const held = await read();
      throwIfGivenUp();
      if (held === NOT_KEPT) {
        ended('not kept');
        return await askAndStore();
      }
      if (held) {
        ended('answered');
        return held;
      }
      if (attempt.got === 'lock') {
        ended('lost');
        return await askAndStore();
      }
    } finally {
      if (attempt.got === 'lock') attempt.release();
    }
    await clock.sleep(pollMs);
    throwIfGivenUp();
    sleptMs += pollMs;
    pollMs = Math.min(pollMs * 2, LAST_POLL_MS);
  }
  throwIfGivenUp();
  ended('lost');
  return askAndStore();
}

// The client of a look-up, and the signal that ends its wait.

/** For a directory that reads `waiters`, and for one that reads only `signal`. */
export function askedFor(
  waiters: Waiters,
  options: ResolveOptions & DescribeOptions = {},
): ResolveOptions & DescribeOptions {
  return new AskedForWaiters(waiters, options);
}

/** A class, since an object literal with a getter takes a microsecond to make. */
class AskedForWaiters implements ResolveOptions, DescribeOptions {
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

/**
 * Ends the wait of a client that is gone, at any stage of its look-up. A look-up without another waiter is then aborted.
 */
export function unlessGone<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal ? abortable(answer, signal) : answer;
}

export type Caller = Pick<LookUpOptions, 'signal' | 'requester'>;

export interface SharedFlight<T> {
  /** settles when the work ends, with or without waiters */
  readonly landed: Promise<T>;
  readonly isGivenUp: boolean;
  /**
   * Waits for the work. The first caller starts it. Rejects with the reason of the signal if the signal is aborted.
   * Without a signal it waits until the work has ended. Do not join a flight that was given up.
   */
  join(caller?: Caller): Promise<T>;
}

/**
 * @param firstAsker the request that joins first
 * @param work aborted when no client waits, unless a watcher says that it goes on
 * @param onGiveUp called before the work is aborted: from now on no caller may find the flight
 */
export function startFlight<T>(
  firstAsker: Requester,
  work: (waiters: Waiters) => Promise<T>,
  onGiveUp: () => void,
): SharedFlight<T> {
  return new Flight(firstAsker, work, onGiveUp);
}

/** A class, since each look-up makes one. */
class Flight<T> implements SharedFlight<T> {
  readonly landed: Promise<T>;
  readonly #waiters: OpenWaiters;
  #begin: (() => void) | undefined;
  #isOver = false;

  constructor(firstAsker: Requester, work: (waiters: Waiters) => Promise<T>, onGiveUp: () => void) {
    const waiters = createWaiters(firstAsker, () => {
      if (!this.#isOver) onGiveUp();
      return !this.#isOver;
    });
    this.#waiters = waiters;
    const ended = (): void => {
      this.#isOver = true;
    };
    this.landed = new Promise<T>((resolve) => {
      this.#begin = () => {
        const answer = work(waiters);
        answer.then(ended, ended);
        resolve(answer);
      };
    });
  }

  get isGivenUp(): boolean {
    return this.#waiters.isAborted;
  }

  async join({ signal, requester = OWN_WORK }: Caller = {}): Promise<T> {
    const { key } = requester.client;
    const begin = this.#begin;
    this.#begin = undefined;
    this.#waiters.enter(key);
    begin?.();
    try {
      return await (signal ? abortable(this.landed, signal) : this.landed);
    } finally {
      this.#waiters.leave(key);
    }
  }
}

// The budget that a client spends on an answer from the directory.

/** Called before a client waits for an answer, even if others already wait for it. Rejects with RATE_LIMITED. */
export type Pay = () => Promise<void>;

/** A look-up of one record. Undefined where there is no budget: then there is nothing to wait for. */
export function payForRecord(budget: ClientBudget | null | undefined): Pay | undefined {
  return budget ? () => budget.take(1) : undefined;
}

/**
 * For agencies: one request looks up many names. The first name of each request pays. If the budget is spent, all
 * names of the request fail. Call the result with each name that memory cannot answer, in order.
 * @param beginsRequest left out: all names go in one request
 */
export function payForAgencies(
  budget: ClientBudget | null | undefined,
  beginsRequest: BeginsRequest = () => false,
): ((name: HandleName) => Pay) | undefined {
  if (!budget) return undefined;
  let request: Promise<void> | undefined;
  return (name) => () => {
    if (beginsRequest(name) || request === undefined) request = budget.take(1);
    return request;
  };
}

/** The same, but rejects with UPSTREAM_UNAVAILABLE if no request may be sent now. */
export function unlessBusy(mayRequest: (() => boolean) | undefined, pay: Pay | undefined): Pay | undefined {
  if (mayRequest === undefined) return pay;
  return async () => {
    if (!mayRequest()) throw new GatewayError('UPSTREAM_UNAVAILABLE');
    await pay?.();
  };
}

/** Pays, and returns false if the budget is spent, or if no request may be sent now. */
export async function couldPay(pay: Pay): Promise<boolean> {
  try {
    await pay();
    return true;
  } catch (error) {
    if (error instanceof GatewayError) return false;
    throw error;
  }
}
