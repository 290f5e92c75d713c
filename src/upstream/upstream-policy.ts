// Sends a request to the directory through the queue. Tries the base URLs in order, and retries until the deadline if a
// retry can help.

import type { LookUpOptions } from '../directory/directory.ts';
import type { Requester } from '../directory/requester.ts';
import { firstClientOrAbort } from '../directory/waiters.ts';
import { createDeadlines, type PendingRequest, type Time } from './deadlines.ts';
import { createHeldLookUps, type HeldLookUps, heldBackFailure, whenSendable } from './held-look-ups.ts';
import {
  createProxyBase,
  type ProxyBase,
  type ProxyBaseOptions,
  type UpstreamRequest,
} from './proxy-base.ts';
import { createRequestQueue, type RequestQueue, type RequestQueueOptions } from './request-queue.ts';
import { failureToReport, isRateLimit, retryAfterMs, UpstreamFailure } from './upstream-failure.ts';

export interface UpstreamPolicyOptions {
  /** in the order in which they are tried */
  readonly bases: readonly ProxyBase[];
  readonly queue: RequestQueue;
  /** look-ups that wait while the circuits of all bases are open */
  readonly heldLookUps: HeldLookUps;
  /** maximum number of attempts after the first; each attempt tries all bases */
  readonly retries: number;
  /** maximum time of one look-up, including the time in the queue and all attempts */
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

export interface UpstreamOptions
  extends Omit<ProxyBaseOptions, 'baseUrl' | 'onCircuit' | 'onGiveUp'>,
    Omit<UpstreamPolicyOptions, 'bases' | 'queue' | 'heldLookUps'>,
    Pick<RequestQueueOptions, 'rate' | 'counts'> {
  /** in the order in which they are tried */
  readonly baseUrls: readonly URL[];
  /** Maximum number of look-ups in the queue, and also of look-ups that wait until a circuit closes. */
  readonly maxWaiting: number;
}

export type Upstream = ReturnType<typeof createUpstream>;

/** Base URLs that can replace each other, with one queue. */
export function createUpstream(options: UpstreamOptions) {
  const heldLookUps = createHeldLookUps(options.maxWaiting);
  const bases = options.baseUrls.map((baseUrl) =>
    createProxyBase({
      ...options,
      baseUrl,
      onCircuit: heldLookUps.wake,
      onGiveUp: () => policy.giveUp(),
    }),
  );
  const queue = createRequestQueue({ ...options, slots: options.maxConnections });
  const policy = createUpstreamPolicy({ ...options, bases, queue, heldLookUps });
  return {
    bases,
    request: policy.request,
    /** whether at least one base has answered since the start */
    get hasAnswered() {
      return bases.some(({ circuit }) => circuit.hasAnswered);
    },
    /** whether the circuits of all bases are open */
    get isHeldBack() {
      return bases.every(({ circuit }) => circuit.isOpen());
    },
    /** Ends all look-ups, then all connections. */
    async close(): Promise<void> {
      policy.close();
      await Promise.all(bases.map((base) => base.close()));
    },
  };
}

export function createUpstreamPolicy(options: UpstreamPolicyOptions) {
  const { queue, heldLookUps, retries, time, random, report } = options;
  const deadlines = createDeadlines(options.deadlineMs, time);

  async function requestWithRetries<T>(
    request: UpstreamRequest<T>,
    requester: Requester,
    pending: PendingRequest,
    reported: { answer: T | null },
  ): Promise<T> {
    const { deadline, waiters } = pending;
    let { bases } = options;

    /**
     * Makes one attempt at each base, until a base answers. Returns the answer, or the failures in the order of the bases.
     * Rejects if the other bases cannot help: the response is invalid, the deadline has passed, or the caller has aborted.
     */
    async function tryInOrder(): Promise<{ readonly answer: T } | BaseFailure[]> {
      const failures: BaseFailure[] = [];
      let failedAnswer: T | null = null;
      for (const base of bases) {
        try {
          // Each attempt waits in the queue again, because a look-up has no slot between its attempts.
          const attempt = await queue.run(pending, base.circuit.throwIfOpen, (abort) =>
            base.attempt(request, abort, requester),
          );
          if (attempt.failure === null) return attempt;
          failedAnswer ??= attempt.answer;
          failures.push({ base, failure: attempt.failure });
        } catch (error) {
          if (!(error instanceof UpstreamFailure) || error.kind === 'DEADLINE') throw error;
          if (error.kind !== 'HELD_BACK') report(error, request.path, base.base, requester);
          if (deadline.isAborted || !error.retryable) throw error;
          failures.push({ base, failure: error });
        }
      }
      if (failedAnswer !== null) reported.answer = failedAnswer;
      return failures;
    }

    let attempts = 0;
    for (let isNew = true; ; isNew = false) {
      const client = firstClientOrAbort(waiters);
      if (client === undefined) throw deadline.reason;
      await whenSendable(bases, heldLookUps, { client, isNew, deadline });
      const result = await tryInOrder();
      if ('answer' in result) return result.answer;
      // All circuits opened while the look-up was in the queue. Wait until a circuit closes.
      if (result.length > 0 && result.every(isHeldBack)) continue;
      const worthRetrying = result.filter(({ failure }) => isWorthRetrying(failure));
      const waitMs = retryDelayMs(worthRetrying, attempts, random);
      // Attempts during an outage are not counted, because the name is not the reason of their failures.
      const isOutage = bases.every(hasOutage);
      if ((attempts >= retries && !isOutage) || waitMs >= deadline.leftMs()) {
        throw failureToReport(result.map(({ failure }) => failure));
      }
      if (!isOutage) attempts += 1;
      bases = result
        .filter((failed) => isHeldBack(failed) || worthRetrying.includes(failed))
        .map(({ base }) => base);
      await time.sleep(waitMs, deadline.signal);
    }
  }

  return {
    /** Rejects with an UpstreamFailure, or with the abort reason of the signal or of all waiting callers. */
    request: <Answered>(request: UpstreamRequest<Answered>, lookUp: LookUpOptions = {}): Promise<Answered> =>
      deadlines.run(lookUp, async (pending, requester) => {
        /** the last answer that reported a failure of the directory */
        const reported: { answer: Answered | null } = { answer: null };
        try {
          return await requestWithRetries(request, requester, pending, reported);
        } catch (error) {
          if (!(error instanceof UpstreamFailure)) throw error;
          if (error.kind === 'DEADLINE') report(error, request.path, null, requester);
          // For the client, the failure that the directory reported is a better message than a later timeout.
          if (reported.answer && error.retryable) return reported.answer;
          throw error;
        }
      }),

    /** Ends the look-ups that every circuit has given up, also look-ups that were sent before the outage. */
    giveUp(): void {
      const begunBy = Math.min(
        ...options.bases.map(({ circuit }) => circuit.holding()?.givenUpAt ?? Number.NEGATIVE_INFINITY),
      );
      if (begunBy > Number.NEGATIVE_INFINITY) deadlines.endBegunBy(begunBy, heldBackFailure(options.bases));
    },

    /** Ends all look-ups. Later look-ups fail. */
    close: () => deadlines.close('the directory was closed'),
  };
}

function isHeldBack({ failure }: BaseFailure): boolean {
  return failure.kind === 'HELD_BACK';
}

function hasOutage({ circuit }: ProxyBase): boolean {
  const holding = circuit.holding();
  return holding !== null && !isRateLimit(holding.failure);
}

const FIRST_BACK_OFF_MS = 200;
const LAST_BACK_OFF_MS = 2_000;

/** True for network errors, timeouts, 429 and 5xx. Every request is a GET, so a retry is safe. */
export function isWorthRetrying({ kind, status }: UpstreamFailure): boolean {
  if (kind === 'NO_CONNECTION' || kind === 'UNREACHABLE' || kind === 'TIMEOUT') return true;
  return kind === 'STATUS' && status !== null && (status === 429 || status >= 500);
}

/** The shortest Retry-After, plus a back-off. Half of the back-off is random, so that look-ups do not retry together. */
function retryDelayMs(failures: readonly BaseFailure[], attempts: number, random: () => number): number {
  const backOffMs = Math.min(LAST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** attempts);
  const waitMs = Math.min(...failures.map(({ failure }) => retryAfterMs(failure)));
  return waitMs + (backOffMs * (1 + random())) / 2;
}

interface BaseFailure {
  readonly base: ProxyBase;
  readonly failure: UpstreamFailure;
}
