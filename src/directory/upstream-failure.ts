// What went wrong between the gateway and a proxy, in the codes of the error table.

import { GatewayError } from '../errors.ts';

/** A response that is not the JSON that was asked for: its status is all that can be believed. */
export function failureOfStatus(status: number, retryAfter?: string): GatewayError {
  const cause = new Error(`HTTP status ${status}`);
  if (status === 429) {
    const seconds = retryAfterSeconds(retryAfter);
    const details = seconds === null ? {} : { retryAfterSeconds: seconds };
    return new GatewayError('UPSTREAM_RATE_LIMITED', { cause, details });
  }
  if (status === 403 || status >= 500) return new GatewayError('UPSTREAM_UNAVAILABLE', { cause });
  return new GatewayError('UPSTREAM_BAD_RESPONSE', { cause });
}

/** An answer that came whole but cannot be understood. */
export function badResponse(reason: unknown): GatewayError {
  const cause = typeof reason === 'string' ? new Error(reason) : reason;
  return new GatewayError('UPSTREAM_BAD_RESPONSE', { cause });
}

/** No answer, or only a part of one: the connection failed, or the time ran out. */
export function failureOfTransport(error: unknown, timedOut: boolean): GatewayError {
  return new GatewayError(timedOut ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_UNAVAILABLE', { cause: error });
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** `Retry-After` in whole seconds, whether it came as a number or as an HTTP date. */
function retryAfterSeconds(header = ''): number | null {
  if (/^\d{1,9}$/.test(header)) return Number(header);
  if (!HTTP_DATE.test(header)) return null;
  return Math.max(0, Math.ceil((Date.parse(header) - Date.now()) / 1000));
}
