// The headers of a failure: Retry-After, WWW-Authenticate, and that no cache keeps it.

import { NOT_KEPT } from './cache-headers.ts';

const RETRY_AFTER_SECONDS = 2;

/** Statuses of failures that may pass. */
const PASSING: ReadonlySet<number> = new Set([429, 503, 504]);

/** Of a refusal or a failure: no cache keeps it; it says when to come again, or with what. */
export function failureHeaders(
  status: number,
  details: FailureDetails = {},
  isRetryable = PASSING.has(status),
): Readonly<Record<string, string>> {
  if (status === 401) return UNAUTHENTICATED;
  if (!isRetryable) return PERMANENT;
  const { retryAfterSeconds: asked } = details;
  const seconds = typeof asked === 'number' && asked > 0 ? Math.ceil(asked) : RETRY_AFTER_SECONDS;
  return { 'Cache-Control': NOT_KEPT, 'Retry-After': String(seconds) };
}

const PERMANENT = { 'Cache-Control': NOT_KEPT };

const UNAUTHENTICATED = { ...PERMANENT, 'WWW-Authenticate': 'Bearer realm="DOI gateway"' };

/** A GatewayError's: of the directory's own words only how long to stay away. */
export interface FailureDetails {
  readonly retryAfterSeconds?: unknown;
}
