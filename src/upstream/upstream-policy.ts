// Sends a request to the directory through the queue. Retries until the deadline if a retry can help.

import type { LookUpOptions } from '../directory/directory.ts';
import { OWN_WORK, type Requester } from '../directory/requester.ts';
import { firstClientOrAbort, oneWaiter } from '../directory/waiters.ts';
import { createDeadlines, type Time } from './deadlines.ts';
import {
  type BaseFailure,
  failureToReport,
  heldBackFailure,
  isWorthRetrying,
  retryDelayMs,
  tryInOrder,
  whenSendable,
} from './failover.ts';
import { type HeldLookUps, isRateLimit } from './holding.ts';
import type { AttemptResult, ProxyBase, UpstreamRequest } from './proxy-base.ts';
import type { PendingRequest } from './queued-request.ts';
import type { RequestQueue } from './request-queue.ts';
import { heldBack, UpstreamFailure } from './upstream-failure.ts';

export interface UpstreamPolicyOptions {
  /** in the order in which they are tried */
  readonly bases: readonly ProxyBase[];
  readonly queue: RequestQueue;
  /** look-ups that wait while no base takes requests */
  readonly heldLookUps: HeldLookUps;
  /** attempts after the first; each attempt tries all bases */
  readonly retries: number;
  /** the longest time of one look-up, including the time in the queue and all attempts */
  readonly deadlineMs: number;
  readonly time: Time;
  readonly random: () => number;
  /** Logs each request that was sent and failed, and each look-up that reached its deadline (base null). */
  readonly report: (
    failure: UpstreamFailure,
    path: string,
    base: string | null,
    requester: Requester,
  ) => void;
}

export interface UpstreamPolicy {
  /** Rejects with an UpstreamFailure, or with the reason of the signal or of the waiters. */
  request<T>(request: UpstreamRequest<T>, lookUp?: LookUpOptions): Promise<T>;
  /** Ends the look-ups that every circuit has given up, also look-ups that were sent before the outage. */
  giveUp(): void;
  /** Ends all look-ups. Later look-ups fail. */
  close(): void;
}

export function createUpstreamPolicy(options: UpstreamPolicyOptions): UpstreamPolicy {
  const { queue, heldLookUps, retries, time, random, report } = options;
  const deadlines = createDeadlines(options.deadlineMs, time);
  let closed = false;

  async function requestWithRetries<T>(
    request: UpstreamRequest<T>,
    requester: Requester,
    pending: PendingRequest,
    reported: Reported<T>,
  ): Promise<T> {
    const { deadline, waiters } = pending;
    const reportSent = ({ failure, base }: BaseFailure) =>
      report(failure, request.path, base.base, requester);
    // Each attempt waits in the queue again: between its attempts, a look-up has no slot.
    const attemptAt = (base: ProxyBase): Promise<AttemptResult<T>> =>
      queue.run(pending, base.circuit.throwIfOpen, (attempt) => base.attempt(request, attempt, requester));
    let { bases } = options;
    let attempts = 0;
    for (let isNew = true; ; isNew = false) {
      const client = firstClientOrAbort(waiters);
      if (client === undefined) throw deadline.reason;
      await whenSendable(bases, heldLookUps, { client, isNew, deadline });
      const round = await tryInOrder(bases, attemptAt, deadline, reportSent);
      if (round.kind === 'ANSWERED') return round.answer;
      reported.answer = round.failedAnswer?.answer ?? reported.answer;
      // All circuits opened while the look-up was in the queue: wait until one of them closes.
      if (round.failures.length > 0 && round.failures.every(isHeldBack)) continue;
      const worthRetrying = round.failures.filter(({ failure }) => isWorthRetrying(failure));
      const waitMs = retryDelayMs(worthRetrying, attempts, random);
      // Attempts during an outage are not counted, because the name is not the reason of their failures.
      const isOutage = bases.every(hasOutage);
      if ((attempts >= retries && !isOutage) || waitMs >= deadline.leftMs()) {
        throw failureToReport(round.failures) ?? heldBack('no base URL is left');
      }
      if (!isOutage) attempts += 1;
      bases = round.failures
        .filter((failed) => isHeldBack(failed) || worthRetrying.some(({ base }) => base === failed.base))
        .map(({ base }) => base);
      await time.sleep(waitMs, deadline.signal);
    }
  }

  return {
    async request<Answered>(request: UpstreamRequest<Answered>, lookUp: LookUpOptions = {}) {
      const { requester = OWN_WORK, waiters = oneWaiter(requester) } = lookUp;
      // A look-up with waiters ends when all waiters have left. The caller's own signal then has no effect.
      const signal = lookUp.waiters ? undefined : lookUp.signal;
      signal?.throwIfAborted();
      lookUp.waiters?.throwIfAborted();
      if (closed) throw heldBack('the directory was closed');
      const deadline = deadlines.start(signal, requester.batch);
      const unwatch = waiters.watch({ aborted: (reason) => deadline.abort(reason) });
      const reported: Reported<Answered> = { answer: null };
      try {
        return await requestWithRetries(request, requester, { deadline, waiters }, reported);
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof UpstreamFailure)) throw error;
        if (error.kind === 'DEADLINE') report(error, request.path, null, requester);
        // For the client, the failure that the directory reported is a better message than a later timeout.
        if (reported.answer && error.retryable) return reported.answer;
        throw error;
      } finally {
        unwatch();
        deadline.end();
      }
    },

    giveUp() {
      const begunBy = Math.min(
        ...options.bases.map(({ circuit }) => circuit.holding()?.givenUpAt ?? Number.NEGATIVE_INFINITY),
      );
      if (begunBy > Number.NEGATIVE_INFINITY) deadlines.endBegunBy(begunBy, heldBackFailure(options.bases));
    },

    close() {
      closed = true;
      deadlines.abortAll(heldBack('the directory was closed'));
    },
  };
}

interface Reported<T> {
  /** the last answer that reported a failure of the directory; null if there was none */
  answer: T | null;
}

function isHeldBack({ failure }: BaseFailure): boolean {
  return failure.kind === 'HELD_BACK';
}

function hasOutage({ circuit }: ProxyBase): boolean {
  const holding = circuit.holding();
  return holding !== null && !isRateLimit(holding.failure);
}
