// The headers of a failure: Retry-After, WWW-Authenticate and Cache-Control.

import { NOT_KEPT } from './cache-headers.ts';

const RETRY_AFTER_SECONDS = 2;

/** Statuses of failures for which a retry may help. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 503, 504]);

/** No cache may keep a failure. The headers say when to retry, or how to authenticate. */
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

/** Details of a GatewayError. Only the Retry-After may come from the directory. */
export interface FailureDetails {
  readonly retryAfterSeconds?: unknown;
}
