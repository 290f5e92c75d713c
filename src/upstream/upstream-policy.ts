// Sends a request to the directory through the queue, and again if a retry may help, until its deadline.

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
  /** attempts after the first; each tries all bases */
  readonly retries: number;
  /** for one look-up, including the time in the queue and all attempts */
  readonly deadlineMs: number;
  readonly time: Time;
  readonly random: () => number;
  /** gets every failed request that was sent, and every look-up that the gateway ended (base null), for the log */
  readonly report: (
    failure: UpstreamFailure,
    path: string,
    base: string | null,
    requester: Requester,
  ) => void;
}

export interface UpstreamPolicy {
  /** Rejects with an UpstreamFailure, with the reason of the signal, or with the reason of waiters who have left. */
  request<T>(request: UpstreamRequest<T>, lookUp?: LookUpOptions): Promise<T>;
  /** Ends the look-ups that every base has given up: look-ups that wait, and those sent before the outage. */
  giveUp(): void;
  /** Ends all look-ups. No look-up may follow. */
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
    found: Reported<T>,
  ): Promise<T> {
    const { deadline, waiters } = pending;
    const reportSent = ({ failure, base }: BaseFailure) =>
      report(failure, request.path, base.base, requester);
    /** Each attempt waits in the queue: a look-up has no slot between its attempts. */
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
      found.failed = round.failedAnswer ?? found.failed;
      // A circuit that opened while this look-up was in the queue: wait for it.
      if (round.failures.length > 0 && round.failures.every(isHeldBack)) continue;
      const again = round.failures.filter(({ failure }) => isWorthRetrying(failure));
      const waitMs = retryDelayMs(again, attempts, random);
      // An attempt during an outage says nothing about the name, and does not count.
      const isOutage = bases.every(hasOutage);
      if ((attempts >= retries && !isOutage) || waitMs >= deadline.leftMs()) {
        throw failureToReport(round.failures) ?? heldBack('there is no base URL to ask');
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
      // Waiters report themselves that they have left.
      const signal = lookUp.waiters ? undefined : lookUp.signal;
      signal?.throwIfAborted();
      lookUp.waiters?.throwIfAborted();
      if (closed) throw heldBack('the directory was closed');
      const deadline = deadlines.start(signal, requester.batch);
      const unwatch = waiters.watch({ aborted: (reason) => deadline.abort(reason) });
      const found: Reported<Answered> = { failed: null };
      try {
        return await requestWithRetries(request, requester, { deadline, waiters }, found);
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof UpstreamFailure)) throw error;
        if (error.kind === 'DEADLINE') report(error, request.path, null, requester);
        // The directory's own report of a failure says more than a later timeout.
        if (found.failed && error.retryable) return found.failed.answer;
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
  failed: { readonly answer: T } | null;
}

function isHeldBack({ failure }: BaseFailure): boolean {
  return failure.kind === 'HELD_BACK';
}

function hasOutage({ circuit }: ProxyBase): boolean {
  const holding = circuit.holding();
  return holding !== null && !isRateLimit(holding.failure);
}
