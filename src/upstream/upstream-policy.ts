// Sends a request to the directory through the queue. Retries until the deadline, if a retry may help.

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
  /** for one look-up, including the time in the queue and all attempts */
  readonly deadlineMs: number;
  readonly time: Time;
  readonly random: () => number;
  /** Logs every request that was sent and failed, and every look-up that the gateway ended (base null). */
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
  /** Ends the look-ups that every base has given up, also look-ups that were sent before the outage. */
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
    // Each attempt waits in the queue. Between its attempts, a look-up has no slot.
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
      // All circuits opened while the look-up was in the queue. Wait until one closes.
      if (round.failures.length > 0 && round.failures.every(isHeldBack)) continue;
      const again = round.failures.filter(({ failure }) => isWorthRetrying(failure));
      const waitMs = retryDelayMs(again, attempts, random);
      // Attempts during an outage do not count as retries, because their failures do not come from the name.
      const isOutage = bases.every(hasOutage);
      if ((attempts >= retries && !isOutage) || waitMs >= deadline.leftMs()) {
        throw failureToReport(round.failures) ?? heldBack('no base URL is left');
      }
      if (!isOutage) attempts += 1;
      bases = round.failures
        .filter((failed) => isHeldBack(failed) || again.some(({ base }) => base === failed.base))
        .map(({ base }) => base);
      await time.sleep(waitMs, deadline.signal);
    }
  }

  return {
    async request<Answered>(request: UpstreamRequest<Answered>, lookUp: LookUpOptions = {}) {
      const { requester = OWN_WORK, waiters = oneWaiter(requester) } = lookUp;
      // If there are waiters, the look-up ends when all have left. Then the caller's signal has no effect.
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
        // The failure that the directory reported says more than a later timeout.
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

/** The first answer of the last round that reported a failure of the directory; null if there was none. */
interface Reported<T> {
  answer: T | null;
}

function isHeldBack({ failure }: BaseFailure): boolean {
  return failure.kind === 'HELD_BACK';
}

function hasOutage({ circuit }: ProxyBase): boolean {
  const holding = circuit.holding();
  return holding !== null && !isRateLimit(holding.failure);
}
