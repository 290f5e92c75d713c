// Why requests to a base URL are held back, and the failure of a look-up that is held back.

import { systemCode, UpstreamFailure } from './upstream-failure.ts';

export interface Holding {
  readonly by: UpstreamFailure;
  /** 0 while a probe is under way that may still be answered in time */
  readonly nextProbeInMs: number;
  /** Look-ups that began then or earlier wait no longer; -Infinity: every look-up waits. */
  readonly givenUpAt: number;
  /** whether a connection was ever made since the start */
  readonly hasConnected: boolean;
}

export function isRateLimit({ code }: UpstreamFailure): boolean {
  return code === 'UPSTREAM_RATE_LIMITED';
}

export function failureOfHolding({ by, nextProbeInMs, hasConnected }: Holding): UpstreamFailure {
  const cause = new Error('the circuit is open', { cause: by });
  const retryAfterSeconds = Math.max(1, Math.ceil(nextProbeInMs / 1_000));
  if (isRateLimit(by)) {
    return new UpstreamFailure('UPSTREAM_RATE_LIMITED', 'HELD_BACK', { cause, retryAfterSeconds });
  }
  return new UpstreamFailure('UPSTREAM_UNAVAILABLE', 'HELD_BACK', {
    cause,
    retryAfterSeconds,
    heldBack: true,
    // Without "Try again": a client that retries at once only waits again.
    message: hasConnected ? 'The directory is down.' : neverConnected(by),
  });
}

/** Names the system's error, such as ENOTFOUND or ECONNREFUSED. It contains no text of the directory. */
function neverConnected(by: UpstreamFailure): string {
  const code = systemCode(by.cause) ?? by.code;
  return `No connection to the directory was ever made (${code}).`;
}
