// Tries the base URLs in order, and retries until the deadline if a retry can help.

import type { Requester } from '../directory/requester.ts';
import { firstClientOrAbort } from '../directory/waiters.ts';
import type { Clock } from '../time.ts';
import type { PendingLookUp } from './deadlines.ts';
import type { AttemptResult, Dispatch, UpstreamRequest } from './dispatch.ts';
import { type HeldLookUps, whenSendable } from './held-look-ups.ts';
import type { ProxyBase } from './proxy-base.ts';
import { failureToReport, isRateLimit, retryAfterMs, UpstreamFailure } from './upstream-failure.ts';

/** A base URL whose requests wait in a queue. */
export interface QueuedBase extends Pick<ProxyBase, 'base' | 'circuit'> {
  readonly dispatch: Dispatch<PendingLookUp>;
}

export interface RetriesOptions {
  /** in the order in which they are tried */
  readonly bases: readonly QueuedBase[];
  /** look-ups that wait while the circuits of all bases are open */
  readonly heldLookUps: HeldLookUps;
  /** maximum number of attempts after the first; each attempt tries all bases */
  readonly retries: number;
  readonly time: Clock;
  readonly random: () => number;
  /** Logs each request that was sent and failed, and each look-up that reached its deadline (base null). */
  readonly report: (
    failure: UpstreamFailure,
    path: string,
    base: string | null,
    requester: Requester,
  ) => void;
}

export function withRetries(options: RetriesOptions): Dispatch<PendingLookUp> {
  const { heldLookUps, retries, time, random, report } = options;

  return async <T>(request: UpstreamRequest<T>, lookUp: PendingLookUp): Promise<AttemptResult<T>> => {
    const { deadline, waiters, requester } = lookUp;
    let { bases } = options;
    /** the last result that reported a failure of the directory */
    let reported: AttemptResult<T> | null = null;

    /**
     * Makes one attempt at each base, until a base answers. Returns the answer, or the failures in the order of the bases.
     * Rejects if the other bases cannot help: the response is invalid, the deadline has passed, or the caller has aborted.
     */
    async function tryInOrder(): Promise<AttemptResult<T> | BaseFailure[]> {
      const failures: BaseFailure[] = [];
      let first: AttemptResult<T> | null = null;
      for (const base of bases) {
        try {
          // Each attempt waits in the queue again, because a look-up has no slot between its attempts.
          const result = await base.dispatch(request, lookUp);
          if (result.failure === null) return result;
          first ??= result;
          failures.push({ base, failure: result.failure });
        } catch (error) {
          if (!(error instanceof UpstreamFailure) || error.kind === 'DEADLINE') throw error;
          if (error.kind !== 'HELD_BACK') report(error, request.path, base.base, requester);
          if (deadline.isAborted || !error.retryable) throw error;
          failures.push({ base, failure: error });
        }
      }
      reported = first ?? reported;
      return failures;
    }

    let attempts = 0;
    try {
      for (let isNew = true; ; isNew = false) {
        const client = firstClientOrAbort(waiters);
        if (client === undefined) throw deadline.reason;
        await whenSendable(bases, heldLookUps, { client: client.key, isNew, deadline });
        const result = await tryInOrder();
        if ('answer' in result) return result;
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
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      if (error.kind === 'DEADLINE') report(error, request.path, null, requester);
      // For the client, the failure that the directory reported is a better message than a later timeout.
      if (reported !== null && error.retryable) return reported;
      throw error;
    }
  };
}

function isHeldBack({ failure }: BaseFailure): boolean {
  return failure.kind === 'HELD_BACK';
}

function hasOutage({ circuit }: QueuedBase): boolean {
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
  readonly base: QueuedBase;
  readonly failure: UpstreamFailure;
}
