// Tries the base URLs of one directory in order. Decides when to retry, and when to wait for a circuit.

import type { Deadline } from './deadlines.ts';
import { failureOfHolding, type HeldLookUps, type Holding, isRateLimit } from './holding.ts';
import type { AttemptResult, ProxyBase } from './proxy-base.ts';
import { heldBack, isPastDeadline, UpstreamFailure } from './upstream-failure.ts';

const FIRST_BACK_OFF_MS = 200;
const LAST_BACK_OFF_MS = 2_000;
/** The wait after a 429 without Retry-After. */
const DEFAULT_RETRY_AFTER_SECONDS = 1;

/** True for network errors, timeouts, 429 and 5xx. Every request is a GET, so a retry is safe. */
export function isWorthRetrying({ kind, status }: UpstreamFailure): boolean {
  if (kind === 'NO_CONNECTION' || kind === 'UNREACHABLE' || kind === 'TIMEOUT') return true;
  return kind === 'STATUS' && status !== null && (status === 429 || status >= 500);
}

/**
 * Milliseconds until the next attempt: the shortest Retry-After of the bases, plus an exponential back-off. Half of the
 * back-off is random, so that look-ups that failed together are not retried together.
 */
export function retryDelayMs(
  failures: readonly BaseFailure[],
  attempts: number,
  random: () => number,
): number {
  const backOffMs = Math.min(LAST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** attempts);
  const retryAfterMs = Math.min(...failures.map(({ failure }) => retryAfterSeconds(failure) * 1_000));
  return retryAfterMs + (backOffMs * (1 + random())) / 2;
}

function retryAfterSeconds({ code, retryAfterSeconds }: UpstreamFailure): number {
  return retryAfterSeconds ?? (code === 'UPSTREAM_RATE_LIMITED' ? DEFAULT_RETRY_AFTER_SECONDS : 0);
}

export type Round<T> =
  | { readonly kind: 'ANSWERED'; readonly answer: T }
  | {
      readonly kind: 'FAILED';
      /** one failure for each base, in the order of the bases */
      readonly failures: readonly BaseFailure[];
      /** the first answer that reports a failure of the directory; null if there is none */
      readonly failedAnswer: { readonly answer: T } | null;
    };

export interface BaseFailure {
  readonly base: ProxyBase;
  readonly failure: UpstreamFailure;
}

/**
 * Makes one attempt at each base, until a base answers. Rejects if the other bases cannot help: the response is invalid,
 * the deadline has passed, or the caller has aborted.
 * @param report called for each request that was sent and failed
 */
export async function tryInOrder<T>(
  bases: readonly ProxyBase[],
  attempt: (base: ProxyBase) => Promise<AttemptResult<T>>,
  deadline: Pick<Deadline, 'isAborted'>,
  report: (failed: BaseFailure) => void,
): Promise<Round<T>> {
  const failures: BaseFailure[] = [];
  let failedAnswer: { readonly answer: T } | null = null;
  for (const base of bases) {
    try {
      const answered = await attempt(base);
      const { answer } = answered;
      if (answered.failure === null) return { kind: 'ANSWERED', answer };
      failedAnswer ??= { answer };
      failures.push({ base, failure: answered.failure });
    } catch (error) {
      if (!(error instanceof UpstreamFailure) || error.kind === 'DEADLINE') throw error;
      if (error.kind !== 'HELD_BACK') report({ base, failure: error });
      if (deadline.isAborted || !error.retryable) throw error;
      failures.push({ base, failure: error });
    }
  }
  return { kind: 'FAILED', failures, failedAnswer };
}

/** The failure of the last base that got a request. If no base got a request, the failure with the shortest wait. */
export function failureToReport(failures: readonly BaseFailure[]): UpstreamFailure | null {
  const tried = failures.findLast(({ failure }) => failure.kind !== 'HELD_BACK');
  if (tried) return tried.failure;
  const seconds = ({ failure }: BaseFailure) => failure.retryAfterSeconds ?? Number.POSITIVE_INFINITY;
  const [soonest] = failures.toSorted((a, b) => seconds(a) - seconds(b));
  return soonest?.failure ?? null;
}

interface HeldRequest {
  /** the client's key */
  readonly client: string;
  /** the look-up was not sent before and has not waited before */
  readonly isNew: boolean;
  readonly deadline: Pick<Deadline, 'signal' | 'leftMs'>;
}

/**
 * Resolves when the circuit of at least one base is closed. Rejects with an UpstreamFailure (HELD_BACK) at the deadline.
 * Rejects at once with the same failure if probably no base recovers before the deadline, or if too many look-ups wait.
 * If the signal is aborted for another reason, rejects with this reason.
 */
export async function whenSendable(
  bases: readonly ProxyBase[],
  heldLookUps: HeldLookUps,
  { client, isNew, deadline }: HeldRequest,
): Promise<void> {
  for (let hasWaited = !isNew; !isSendable(bases); hasWaited = true) {
    const waited = isWorthWaiting(bases, hasWaited, deadline.leftMs())
      ? heldLookUps.wait(client, deadline.signal)
      : null;
    if (waited === null) throw heldBackFailure(bases);
    await waited.catch((error: unknown) => {
      // For the client, "the directory is down" is a better message than "the deadline passed".
      throw isPastDeadline(error) ? heldBackFailure(bases) : error;
    });
  }
}

function isSendable(bases: readonly ProxyBase[]): boolean {
  return bases.some(({ circuit }) => !circuit.isOpen());
}

function isWorthWaiting(bases: readonly ProxyBase[], hasWaited: boolean, leftMs: number): boolean {
  return bases.some(({ circuit }) => {
    const holding = circuit.holding();
    return holding !== null && isWorthWaitingFor(holding, hasWaited, leftMs);
  });
}

/**
 * After a 429, a new look-up fails at once with the directory's Retry-After. If new look-ups waited, the gateway would
 * later send all of them at the same moment.
 */
function isWorthWaitingFor({ failure, nextProbeInMs }: Holding, hasWaited: boolean, leftMs: number): boolean {
  const isInTime = nextProbeInMs < leftMs;
  if (isRateLimit(failure)) return isInTime && (hasWaited || nextProbeInMs === 0);
  return isInTime || hasWaited;
}

/** The failure of a look-up if the circuits of all bases are open. */
export function heldBackFailure(bases: readonly ProxyBase[]): UpstreamFailure {
  const failures = bases.flatMap((base): BaseFailure[] => {
    const holding = base.circuit.holding();
    return holding ? [{ base, failure: failureOfHolding(holding) }] : [];
  });
  return failureToReport(failures) ?? heldBack('no base URL is left');
}
