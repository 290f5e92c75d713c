// Sends only one request for a name, even if many callers look the name up. All callers of a process share one look-up,
// the flight. All replicas share a lock.

import { abortable } from '../abortable.ts';
import type { DescribeOptions, LookUpOptions, ResolveOptions } from '../directory/directory.ts';
import { GATEWAY_ITSELF, type Requester } from '../directory/requester.ts';
import { Waiters } from '../directory/waiters.ts';
import type { Metrics } from '../metrics.ts';
import type { Clock } from '../time.ts';
import type { SharedTier } from './cached-entry.ts';

// Between replicas: the replica with the lock sends the request. The other replicas wait for the answer.

interface FetchOnceOptions<Answer> {
  readonly key: string;
  readonly shared: SharedTier;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly metrics: Pick<Metrics, 'lockWaits'>;
  /** Reads the shared tier. Returns an answer that makes the request unnecessary, NOT_CACHEABLE or undefined. */
  readonly read: () => Promise<Answer | typeof NOT_CACHEABLE | undefined>;
  /** requests the answer and stores it */
  readonly request: () => Promise<Answer>;
  readonly waiters: Pick<Waiters, 'throwIfAborted'>;
}

/** The shared tier has this text in place of an answer that must not be kept. Each replica then sends its own request. */
export const NOT_CACHEABLE = 'not kept';

/** After this time, the shared tier releases the lock of a name, because the replica that holds it could have died. */
const LOCK_MS = 5_000;
/** After this wait, a replica sends its own request. In this time, two other replicas can have held the lock in turn. */
const MAX_WAIT_MS = 2 * LOCK_MS;
const FIRST_POLL_MS = 20;
const LAST_POLL_MS = 320;

/** Rejects only if `request` rejects or all waiters have left. If the shared tier fails, each replica sends a request. */
export async function fetchOnce<Answer>(options: FetchOnceOptions<Answer>): Promise<Answer> {
  const { key, shared, clock, metrics, read, request, waiters } = options;
  const start = clock.now();
  let sleptMs = 0;
  let hasWaited = false;
  let pollMs = FIRST_POLL_MS;
  /** `lost`: the wait ended without an answer */
  const countWait = (ended: 'answered' | 'lost' | 'not kept'): void => {
    if (hasWaited) metrics.lockWaits.inc({ ended });
  };

  // `sleptMs` ends the wait even if the clock is set back.
  while (shared.state === 'up' && Math.max(sleptMs, clock.now() - start) < MAX_WAIT_MS) {
    const attempt = await shared.lock(key, LOCK_MS);
    if (attempt.got === 'unavailable') break;
    if (attempt.got === 'held by another') hasWaited = true;
    try {
      // Another replica could have stored the answer before this replica got the lock.
      const stored = await read();
      waiters.throwIfAborted();
      if (stored === NOT_CACHEABLE) {
        countWait('not kept');
        return await request();
      }
      if (stored) {
        countWait('answered');
        return stored;
      }
      if (attempt.got === 'lock') {
        countWait('lost');
        return await request();
      }
    } finally {
      if (attempt.got === 'lock') attempt.release();
    }
    await clock.sleep(pollMs);
    waiters.throwIfAborted();
    sleptMs += pollMs;
    pollMs = Math.min(pollMs * 2, LAST_POLL_MS);
  }
  waiters.throwIfAborted();
  countWait('lost');
  return request();
}

// Within a process: several callers wait for one flight.

/**
 * The options of a look-up. They have both `waiters` and `signal`, because some directories read only `signal`. A class,
 * because an object literal with a getter is slower to make.
 */
export class OptionsForWaiters implements ResolveOptions, DescribeOptions {
  readonly auth: boolean;
  readonly cert: boolean;
  readonly agency: DescribeOptions['agency'];
  readonly requester: Requester;
  readonly waiters: Waiters;

  constructor(
    waiters: Waiters,
    { auth = false, cert = false, agency }: ResolveOptions & DescribeOptions = {},
  ) {
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

/** Rejects when the signal is aborted. The look-up itself continues, because other callers can wait for it. */
export function untilAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal ? abortable(answer, signal) : answer;
}

export type Caller = Pick<LookUpOptions, 'signal' | 'requester'>;

/**
 * One look-up that several callers wait for. A class, because each look-up makes a flight and an object literal
 * with a getter is slower to make.
 */
export class Flight<T> {
  /** the result of the look-up, even if no caller waits any longer */
  readonly ended: Promise<T>;
  readonly #waiters: Waiters;
  #begin: (() => void) | undefined;
  #hasEnded = false;

  /**
   * @param firstRequester the requester of the first `join`
   * @param lookUp aborted when no caller waits, unless a watcher of the waiters lets the look-up continue
   * @param onAbort called before the look-up is aborted; it must remove the flight, so that no other caller joins
   */
  constructor(firstRequester: Requester, lookUp: (waiters: Waiters) => Promise<T>, onAbort: () => void) {
    const waiters = new Waiters(firstRequester, () => {
      if (!this.#hasEnded) onAbort();
      return !this.#hasEnded;
    });
    this.#waiters = waiters;
    const markEnded = (): void => {
      this.#hasEnded = true;
    };
    this.ended = new Promise<T>((resolve) => {
      this.#begin = () => {
        const answer = lookUp(waiters);
        answer.then(markEnded, markEnded);
        resolve(answer);
      };
    });
  }

  /** whether all callers left before the end of the look-up */
  get isAborted(): boolean {
    return this.#waiters.isAborted;
  }

  /**
   * Waits for the look-up. The first call starts the look-up. If the caller's signal is aborted, rejects with the signal's
   * reason. Callers must not join an aborted flight.
   */
  async join({ signal, requester = GATEWAY_ITSELF }: Caller = {}): Promise<T> {
    const { client } = requester;
    const begin = this.#begin;
    this.#begin = undefined;
    this.#waiters.enter(client);
    begin?.();
    try {
      return await untilAborted(this.ended, signal);
    } finally {
      this.#waiters.leave(client);
    }
  }
}
