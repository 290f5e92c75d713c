// The headers of a failure: Retry-After, WWW-Authenticate and Cache-Control. Also the response with status 405.

import type { HttpResponse } from '../request/exchange.ts';
import { NO_STORE } from './cache-headers.ts';

const RETRY_AFTER_SECONDS = 2;

/** A retry can help after a failure with one of these statuses. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 503, 504]);

/** The part of a GatewayError's details that becomes a header. */
export interface FailureDetails {
  readonly retryAfterSeconds?: unknown;
}

/** @param details may contain the seconds for Retry-After */
export function failureHeaders(
  status: number,
  details: FailureDetails = {},
  isRetryable = RETRYABLE.has(status),
): Readonly<Record<string, string>> {
  if (status === 401) return UNAUTHENTICATED;
  if (!isRetryable) return PERMANENT;
  const { retryAfterSeconds: given } = details;
  const seconds = typeof given === 'number' && given > 0 ? Math.ceil(given) : RETRY_AFTER_SECONDS;
  return { 'Cache-Control': NO_STORE, 'Retry-After': String(seconds) };
}

const PERMANENT = { 'Cache-Control': NO_STORE };

const UNAUTHENTICATED = { ...PERMANENT, 'WWW-Authenticate': 'Bearer realm="DOI gateway"' };

/** @param more additional headers */
export function methodNotAllowed(allow = 'GET, HEAD', more: HttpResponse['headers'] = {}): HttpResponse {
  const text = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status: 405, headers: { ...text, ...more, Allow: allow }, body: 'Send GET or HEAD.\n' };
}
