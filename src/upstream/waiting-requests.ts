// Puts requests into the queues of their clients, and refuses requests that would wait too long.

import type { Client } from '../directory/requester.ts';
import type { ClientQueues, QueueEntry } from './client-queues.ts';
import type { PendingLookUp } from './deadlines.ts';
import type { RequestRate } from './request-rate.ts';
import { isPastDeadline, noSlotInTime, type UpstreamFailure } from './upstream-failure.ts';

/**
 * A look-up that can wait in queues. `Self` is the class that extends this class. A class, because each look-up makes an
 * instance, and an object with closures is slower to make and larger.
 */
export class WaitingLookUp<Self, Result> {
  readonly requester: PendingLookUp['requester'];
  readonly deadline: PendingLookUp['deadline'];
  readonly waiters: PendingLookUp['waiters'];
  /** its entries in the queues of its clients; empty while the look-up does not wait */
  readonly entries: QueueEntry<Self>[] = [];
  readonly result: Promise<Result>;
  isEnded = false;
  /** stops listening to the waiters */
  unwatch: (() => void) | undefined;
  #resolve!: (result: Result) => void;
  #reject!: (reason: unknown) => void;

  constructor({ requester, deadline, waiters }: PendingLookUp) {
    this.requester = requester;
    this.deadline = deadline;
    this.waiters = waiters;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Throws if the request must not be sent now. The look-up then fails with the thrown error. */
  throwIfHeldBack(): void {}

  resolve(result: Result): void {
    this.#end();
    this.#resolve(result);
  }

  reject(reason: unknown): void {
    this.#end();
    this.#reject(reason);
  }

  #end(): void {
    this.isEnded = true;
    this.deadline.onAbort(null);
    this.unwatch?.();
  }
}

/** A look-up with any result. */
type Queueable<Self> = Pick<
  WaitingLookUp<Self, unknown>,
  'deadline' | 'waiters' | 'entries' | 'throwIfHeldBack' | 'reject'
>;

export interface WaitingRequestsOptions<Request extends Queueable<Request>> {
  readonly queues: ClientQueues<Request>;
  readonly maxWaiting: number;
  readonly slots: number;
  readonly rate: Pick<RequestRate, 'perSecond' | 'canSendInTime'> | null;
  readonly times: { readonly typicalMs: number };
  readonly counts: { refused: number };
  /** The minimum time before a request's deadline. With less time, the request is refused. Default: MIN_LEFT_MS. */
  readonly minLeftMs?: () => number;
}

const MAX_RETRY_AFTER_SECONDS = 60;
/** With less time before its deadline, a request would get no response in time. */
const MIN_LEFT_MS = 10;

export function createWaitingRequests<Request extends Queueable<Request>>(
  options: WaitingRequestsOptions<Request>,
) {
  const { queues, maxWaiting, slots, rate, times, counts, minLeftMs = () => MIN_LEFT_MS } = options;
  const errors = new Map<number, UpstreamFailure>();

  /** Estimates the time until the request gets a slot, from the longest queue of its clients. */
  function secondsUntilSlot({ waiters }: Request): number {
    const perSecond = Math.min(
      rate?.perSecond ?? Number.POSITIVE_INFINITY,
      (slots * 1_000) / Math.max(1, times.typicalMs),
    );
    const ahead = Math.max(0, ...Array.from(waiters.clients(), queues.waitingOf));
    const seconds = Math.ceil(((ahead + 1) * Math.max(1, queues.busy)) / perSecond);
    return Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, seconds));
  }

  /** Whether the request would be sent too late even if this client could use the whole rate. */
  function comesTooLate(client: Client, leftMs: number): boolean {
    return rate !== null && !rate.canSendInTime(queues.waitingOf(client), leftMs);
  }

  /** Returns whether one more request can wait. If the queues are full, removes the newest request of a longer queue. */
  function makeSpace(client: Client): boolean {
    if (queues.waiting < maxWaiting) return true;
    const longest = queues.longest();
    const newest = longest?.last;
    if (!longest || !newest || queues.waitingOf(client) + 1 >= longest.waiting) return false;
    leaveQueue(newest.item, longest.client);
    if (newest.item.entries.length === 0) refuse(newest.item);
    return true;
  }

  /** Adds a request to the queue of one client, if the queue accepts it. */
  function joinQueue(request: Request, client: Client): void {
    if (comesTooLate(client, request.deadline.leftMs()) || !makeSpace(client)) return;
    request.entries.push(queues.join(client, request));
  }

  function leaveQueue({ entries }: Request, client: Client): void {
    const at = entries.findIndex(({ queue }) => queue.client.key === client.key);
    if (at >= 0) for (const entry of entries.splice(at, 1)) queues.leave(entry);
  }

  function leave({ entries }: Request): void {
    for (const entry of entries.splice(0)) queues.leave(entry);
  }

  /** Each error is made only once, because thousands of requests can fail with it. */
  function busyFailure(retryAfterSeconds: number): UpstreamFailure {
    const known = errors.get(retryAfterSeconds);
    if (known) return known;
    const error = noSlotInTime(retryAfterSeconds);
    errors.set(retryAfterSeconds, error);
    return error;
  }

  function end(request: Request, reason: unknown): void {
    leave(request);
    request.reject(reason);
  }

  /** Ends a request with GATEWAY_BUSY. */
  function refuse(request: Request): void {
    counts.refused += 1;
    end(request, busyFailure(secondsUntilSlot(request)));
  }

  return {
    /** Ends a request whose deadline is aborted. If it waited until its deadline passed, it fails with GATEWAY_BUSY. */
    abort(request: Request): void {
      const { reason } = request.deadline;
      if (isPastDeadline(reason) && request.entries.length > 0) refuse(request);
      else end(request, reason);
    },
    /** Adds a request to the queues of all its clients. Refuses the request if no queue accepts it. */
    enter(request: Request): void {
      for (const client of request.waiters.clients()) joinQueue(request, client);
      if (request.entries.length === 0) refuse(request);
    },
    joinQueue,
    leaveQueue,
    leave,
    /** Returns whether the request can be sent. If the request is too late or held back, ends it. */
    canSendOrEnd(request: Request): boolean {
      if (request.deadline.leftMs() < minLeftMs()) {
        refuse(request);
        return false;
      }
      try {
        request.throwIfHeldBack();
        return true;
      } catch (error) {
        end(request, error);
        return false;
      }
    },
  };
}
