// Which failures are worth another attempt, and when.

import type { BaseFailure } from './failover.ts';
import type { UpstreamFailure } from './upstream-failure.ts';

const FIRST_BACK_OFF_MS = 200;
const LAST_BACK_OFF_MS = 2_000;
/** for a 429 that does not say how long */
const DEFAULT_RETRY_AFTER_SECONDS = 1;

/** Network errors, time-outs, 429 and 5xx. A GET without effect may be repeated whatever became of it. */
export function isWorthRetrying({ kind, status }: UpstreamFailure): boolean {
  if (kind === 'NO_CONNECTION' || kind === 'UNREACHABLE' || kind === 'TIMEOUT') return true;
  return kind === 'STATUS' && status !== null && (status === 429 || status >= 500);
}

/**
 * Milliseconds until the next attempt: what the base that is ready first asks for, and an exponential
 * back-off of which half is random, so that what failed together does not come again together.
 */
export function pauseMs(failures: readonly BaseFailure[], attempts: number, random: () => number): number {
  const backOffMs = Math.min(LAST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** attempts);
  const askedForMs = Math.min(...failures.map(({ failure }) => retryAfterSeconds(failure) * 1_000));
  return askedForMs + (backOffMs * (1 + random())) / 2;
}

function retryAfterSeconds({ code, retryAfterSeconds }: UpstreamFailure): number {
  return retryAfterSeconds ?? (code === 'UPSTREAM_RATE_LIMITED' ? DEFAULT_RETRY_AFTER_SECONDS : 0);
}
