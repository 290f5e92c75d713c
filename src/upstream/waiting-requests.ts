// The requests in the queues, their number, and the error of a request that finds no place.

import type { ClientQueues } from './client-queues.ts';
import type { Queueable } from './queued-request.ts';
import type { RequestRate, SlotTimes } from './running-requests.ts';
import { noSlotInTime, type UpstreamFailure } from './upstream-failure.ts';

export interface WaitingRequests<Request extends Queueable<Request>> {
  /** Adds a request to the queues of all its clients. Refuses it if no queue takes it. */
  enter(request: Request): void;
  /** Adds it to the queue of one client, if that takes it. */
  joinQueue(request: Request, client: string): void;
  /** Removes it from the queue of one client. */
  leaveQueue(request: Request, client: string): void;
  leave(request: Request): void;
  /** Ends it with GATEWAY_BUSY. */
  refuse(request: Request): void;
  end(request: Request, reason: unknown): void;
  /** False if it was ended here, because it is too late or held back. */
  isWorthSending(request: Request): boolean;
}

export interface WaitingRequestsOptions<Request extends Queueable<Request>> {
  readonly queues: ClientQueues<Request>;
  readonly maxWaiting: number;
  readonly slots: number;
  readonly rate: Pick<RequestRate, 'perSecond' | 'canSendInTime'> | null;
  readonly times: Pick<SlotTimes, 'typicalMs'>;
  readonly counts: { refused: number };
  /** before its deadline: a request that would be sent later is refused */
  readonly minLeftMs?: () => number;
}

const MAX_RETRY_AFTER_SECONDS = 60;
/** No response of a directory comes in less time. */
const MIN_LEFT_MS = 10;

export function createWaitingRequests<Request extends Queueable<Request>>(
  options: WaitingRequestsOptions<Request>,
): WaitingRequests<Request> {
  const { queues, maxWaiting, slots, rate, times, counts, minLeftMs = () => MIN_LEFT_MS } = options;
  const errors = new Map<number, UpstreamFailure>();

  /** How long the longest queue of its clients takes at the current pace. */
  function secondsUntilSlot({ waiters }: Request): number {
    const perSecond = Math.min(
      rate?.perSecond ?? Number.POSITIVE_INFINITY,
      (slots * 1_000) / Math.max(1, times.typicalMs),
    );
    const ahead = Math.max(0, ...Array.from(waiters.clients(), queues.waitingOf));
    const seconds = Math.ceil(((ahead + 1) * Math.max(1, queues.busy)) / perSecond);
    return Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, seconds));
  }

  /** Even with the whole rate for this client, the request would be sent too late. */
  function comesTooLate(client: string, leftMs: number): boolean {
    if (rate === null) return false;
    const ahead = queues.waitingOf(client);
    return rate.canSendInTime
      ? !rate.canSendInTime(ahead, leftMs)
      : ahead >= rate.perSecond * (leftMs / 1_000 + 1);
  }

  /** Whether there is a place. If all are taken, the longest queue drops its newest request. */
  function makeSpace(client: string): boolean {
    if (queues.waiting < maxWaiting) return true;
    const longest = queues.longest();
    const newest = longest?.last;
    if (!longest || !newest || queues.waitingOf(client) + 1 >= longest.waiting) return false;
    leaveQueue(newest.item, longest.client);
    if (newest.item.entries.length === 0) refuse(newest.item);
    return true;
  }

  function joinQueue(request: Request, client: string): void {
    if (comesTooLate(client, request.deadline.leftMs()) || !makeSpace(client)) return;
    request.entries.push(queues.join(client, request));
  }

  function leaveQueue({ entries }: Request, client: string): void {
    const at = entries.findIndex(({ queue }) => queue.client === client);
    if (at >= 0) for (const entry of entries.splice(at, 1)) queues.leave(entry);
  }

  function leave({ entries }: Request): void {
    for (const entry of entries.splice(0)) queues.leave(entry);
  }

  /** Thousands of requests may share one error, so each is made once. */
  function busy(retryAfterSeconds: number): UpstreamFailure {
    const known = errors.get(retryAfterSeconds);
    if (known) return known;
    const error = noSlotInTime(retryAfterSeconds);
    errors.set(retryAfterSeconds, error);
    return error;
  }

  function end(request: Request, reason: unknown): void {
    leave(request);
    request.end();
    request.reject(reason);
  }

  function refuse(request: Request): void {
    counts.refused += 1;
    end(request, busy(secondsUntilSlot(request)));
  }

  return {
    enter(request) {
      for (const client of request.waiters.clients()) joinQueue(request, client);
      if (request.entries.length === 0) refuse(request);
    },
    joinQueue,
    leaveQueue,
    leave,
    refuse,
    end,
    isWorthSending(request) {
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
