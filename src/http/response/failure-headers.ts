// The headers of a failure: Retry-After, WWW-Authenticate and Cache-Control.

import { NOT_KEPT } from './cache-headers.ts';

const RETRY_AFTER_SECONDS = 2;

/** A retry can help after a failure with one of these statuses. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 503, 504]);

/** Caches must not keep a failure. */
export function failureHeaders(
  status: number,
  details: FailureDetails = {},
  isRetryable = RETRYABLE.has(status),
): Readonly<Record<string, string>> {
  if (status === 401) return UNAUTHENTICATED;
  if (!isRetryable) return PERMANENT;
  const { retryAfterSeconds: given } = details;
  const seconds = typeof given === 'number' && given > 0 ? Math.ceil(given) : RETRY_AFTER_SECONDS;
  return { 'Cache-Control': NOT_KEPT, 'Retry-After': String(seconds) };
}

const PERMANENT = { 'Cache-Control': NOT_KEPT };

const UNAUTHENTICATED = { ...PERMANENT, 'WWW-Authenticate': 'Bearer realm="DOI gateway"' };

/** The part of a GatewayError's details that becomes a header. */
export interface FailureDetails {
  readonly retryAfterSeconds?: unknown;
}
