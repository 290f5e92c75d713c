// Failures of requests to a proxy, with codes of the error table.

import { type ErrorCode, GatewayError, type GatewayErrorOptions } from '../errors.ts';

/**
 * NO_CONNECTION: there was no connection. UNREACHABLE and TIMEOUT: no complete response. STATUS and CONTENT: the status
 * or the body of a response is wrong. TOO_LARGE: the gateway closed the connection, because the response was too large.
 * HELD_BACK: the request was never sent. DEADLINE: the deadline passed, before or after sending.
 */
export type FailureKind =
  | 'NO_CONNECTION'
  | 'UNREACHABLE'
  | 'TIMEOUT'
  | 'STATUS'
  | 'CONTENT'
  | 'TOO_LARGE'
  | 'HELD_BACK'
  | 'DEADLINE';

export interface UpstreamFailureOptions extends Pick<GatewayErrorOptions, 'cause' | 'message'> {
  readonly status?: number;
  readonly retryAfterSeconds?: number | null;
  /** whether the circuit held the look-up back, so that a client that retries at once only waits again */
  readonly heldBack?: boolean;
}

export class UpstreamFailure extends GatewayError {
  readonly kind: FailureKind;
  /** The HTTP status. Null without a response. */
  readonly status: number | null;
  /** The directory's Retry-After. Null if there is none. */
  readonly retryAfterSeconds: number | null;

  constructor(code: ErrorCode, kind: FailureKind, options: UpstreamFailureOptions = {}) {
    const { status = null, retryAfterSeconds = null, heldBack = false } = options;
    const details = {
      ...(retryAfterSeconds !== null && { retryAfterSeconds }),
      ...(heldBack && { heldBack }),
    };
    super(code, { ...options, details });
    this.kind = kind;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Whether the deadline of a look-up passed, before or after sending. */
export function isPastDeadline(error: unknown): boolean {
  return error instanceof UpstreamFailure && error.kind === 'DEADLINE';
}

/** For a response that is not the requested JSON: only its status is used. */
export function failureOfStatus(status: number, retryAfter?: string): UpstreamFailure {
  const cause = new Error(`HTTP status ${status}`);
  const code = codeOfStatus(status);
  if (code === 'UPSTREAM_BAD_RESPONSE') return new UpstreamFailure(code, 'STATUS', { cause, status });
  return new UpstreamFailure(code, 'STATUS', { cause, status, retryAfterSeconds: secondsOf(retryAfter) });
}

/** Whether a status concerns the whole directory and not one name: the directory fails, or gets too many requests. */
export function isDirectoryStatus(status: number): boolean {
  return codeOfStatus(status) !== 'UPSTREAM_BAD_RESPONSE';
}

function codeOfStatus(status: number): ErrorCode {
  if (status === 429) return 'UPSTREAM_RATE_LIMITED';
  return status === 403 || status >= 500 ? 'UPSTREAM_UNAVAILABLE' : 'UPSTREAM_BAD_RESPONSE';
}

/** For a complete response that cannot be understood. */
export function badResponse(reason: unknown): UpstreamFailure {
  return new UpstreamFailure('UPSTREAM_BAD_RESPONSE', 'CONTENT', { cause: toCause(reason) });
}

/** For a response that is too large. There is no retry, because a retry would cost as much again. */
export function tooLarge(reason: string): UpstreamFailure {
  return new UpstreamFailure('UPSTREAM_BAD_RESPONSE', 'TOO_LARGE', { cause: new Error(reason) });
}

/** For a missing or incomplete response: the connection failed, or the attempt timed out. */
export function failureOfTransport(cause: unknown, timedOut: boolean): UpstreamFailure {
  if (timedOut) return new UpstreamFailure('UPSTREAM_TIMEOUT', 'TIMEOUT', { cause });
  const kind = isConnectError(cause) ? 'NO_CONNECTION' : 'UNREACHABLE';
  return new UpstreamFailure('UPSTREAM_UNAVAILABLE', kind, { cause });
}

/** Node tries all addresses of a host and collects their errors. */
function isConnectError(cause: unknown): boolean {
  if (cause instanceof AggregateError) return cause.errors.every(isConnectError);
  const { syscall } = (cause ?? {}) as NodeJS.ErrnoException;
  return syscall === 'connect' || syscall === 'getaddrinfo' || isCertificateRefused(cause);
}

/** Codes of OpenSSL's verification, as Node names them, and of Node's check of the host name. */
const CERTIFICATE_CODE =
  /(?:^|_)CERT(?:_|$)|^CRL_|^UNABLE_TO_|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$|^HOSTNAME_MISMATCH$/;

export function isCertificateRefused(cause: unknown): boolean {
  return CERTIFICATE_CODE.test(systemCode(cause) ?? '');
}

/**
 * Returns a code such as `ECONNREFUSED`. If there are several addresses, the code of the first. Null if the cause has
 * no code.
 */
export function systemCode(cause: unknown): string | null {
  const [first] = cause instanceof AggregateError ? cause.errors : [cause];
  const { code } = (first ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : null;
}

const NO_RESPONSE: ReadonlySet<FailureKind> = new Set([
  'NO_CONNECTION',
  'UNREACHABLE',
  'TIMEOUT',
  'HELD_BACK',
  'DEADLINE',
]);

/** Whether an HTTP response came, with any status. */
export function hasResponse({ kind }: UpstreamFailure): boolean {
  return !NO_RESPONSE.has(kind);
}

/** The deadline of a look-up passed. One deadline limits all attempts together. */
export function deadlineExceeded(deadlineMs: number): UpstreamFailure {
  const cause = new Error(`no response within ${deadlineMs} ms, all attempts together`);
  return new UpstreamFailure('UPSTREAM_TIMEOUT', 'DEADLINE', { cause });
}

/** The queue was full, or there was no slot before the deadline. This is no failure of the directory. */
export function noSlotInTime(retryAfterSeconds: number): UpstreamFailure {
  const cause = new Error('the request was not sent: the queue was full, or there was no slot in time');
  return new UpstreamFailure('GATEWAY_BUSY', 'DEADLINE', { cause, retryAfterSeconds });
}

export function heldBack(reason: unknown): UpstreamFailure {
  return new UpstreamFailure('UPSTREAM_UNAVAILABLE', 'HELD_BACK', { cause: toCause(reason) });
}

function toCause(reason: unknown): unknown {
  return typeof reason === 'string' ? new Error(reason) : reason;
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** `Retry-After` in whole seconds, from a number or an HTTP date. */
function secondsOf(retryAfter = ''): number | null {
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  if (!HTTP_DATE.test(retryAfter)) return null;
  return Math.max(0, Math.ceil((Date.parse(retryAfter) - Date.now()) / 1000));
}
