// Failures of requests to a proxy, with codes of the error table.

import type { DirectoryProblem } from '../directory/directory.ts';
import { type ErrorCode, GatewayError, type GatewayErrorOptions } from '../errors.ts';

/**
 * NO_CONNECTION: the connection failed. UNREACHABLE and TIMEOUT: no complete response. STATUS and CONTENT: the status or
 * the body of a response is wrong. TOO_LARGE: the gateway closed the connection, because the response was too large.
 * HELD_BACK: the circuit was open, and the request was not sent. DEADLINE: the deadline of the look-up passed, or the
 * queue refused the request (`noSlotInTime`).
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
  /** Whether the circuit was open, for another reason than a 429. A retry that comes too early is held back too. */
  readonly heldBack?: boolean;
}

export class UpstreamFailure extends GatewayError {
  readonly kind: FailureKind;
  /** The HTTP status. Null without a response. */
  readonly status: number | null;
  /** The directory's Retry-After. Null without this header. */
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

export function isRateLimit({ code }: UpstreamFailure): boolean {
  return code === 'UPSTREAM_RATE_LIMITED';
}

/** The wait after a 429 without Retry-After. */
const DEFAULT_RETRY_AFTER_SECONDS = 1;

/** How long the gateway must send no request to the directory after this failure. */
export function retryAfterMs(failure: UpstreamFailure): number {
  const seconds = failure.retryAfterSeconds ?? (isRateLimit(failure) ? DEFAULT_RETRY_AFTER_SECONDS : 0);
  return seconds * 1_000;
}

/** Whether an error has the kind DEADLINE. The request may have been sent before its deadline passed. */
export function isPastDeadline(error: unknown): boolean {
  return error instanceof UpstreamFailure && error.kind === 'DEADLINE';
}

/** The failure of a response without usable JSON. Only the status determines the code. */
export function failureOfStatus(status: number, retryAfter?: string): UpstreamFailure {
  const cause = new Error(`HTTP status ${status}`);
  const retryAfterSeconds = isDirectoryFailure(status) ? secondsOf(retryAfter) : null;
  return new UpstreamFailure(codeOfStatus(status), 'STATUS', { cause, status, retryAfterSeconds });
}

/** Whether a status is a failure of the whole directory and not of one name: 403, 429, or 500 and above. */
export function isDirectoryFailure(status: number): boolean {
  return codeOfStatus(status) !== 'UPSTREAM_BAD_RESPONSE';
}

function codeOfStatus(status: number): ErrorCode {
  if (status === 429) return 'UPSTREAM_RATE_LIMITED';
  return status === 403 || status >= 500 ? 'UPSTREAM_UNAVAILABLE' : 'UPSTREAM_BAD_RESPONSE';
}

/** The failure of a complete response that the gateway cannot understand. */
export function badResponse(reason: unknown): UpstreamFailure {
  return new UpstreamFailure('UPSTREAM_BAD_RESPONSE', 'CONTENT', { cause: toCause(reason) });
}

/** The failure of a response that is too large. The gateway does not retry, because a retry would cost as much again. */
export function tooLarge(reason: string): UpstreamFailure {
  return new UpstreamFailure('UPSTREAM_BAD_RESPONSE', 'TOO_LARGE', { cause: new Error(reason) });
}

/** The failure of a missing or incomplete response: the connection failed, or the attempt timed out. */
export function failureOfTransport(cause: unknown, timedOut: boolean): UpstreamFailure {
  if (timedOut) return new UpstreamFailure('UPSTREAM_TIMEOUT', 'TIMEOUT', { cause });
  const kind = isConnectError(cause) ? 'NO_CONNECTION' : 'UNREACHABLE';
  return new UpstreamFailure('UPSTREAM_UNAVAILABLE', kind, { cause });
}

/** Node tries all addresses of a host and collects the errors in an AggregateError. */
function isConnectError(cause: unknown): boolean {
  if (cause instanceof AggregateError) return cause.errors.every(isConnectError);
  const { syscall } = (cause ?? {}) as NodeJS.ErrnoException;
  return syscall === 'connect' || syscall === 'getaddrinfo' || isCertificateRefused(cause);
}

/** Node's names of OpenSSL's verification errors, and of a wrong host name. */
const CERTIFICATE_CODE =
  /(?:^|_)CERT(?:_|$)|^CRL_|^UNABLE_TO_|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$|^HOSTNAME_MISMATCH$/;

function isCertificateRefused(cause: unknown): boolean {
  return CERTIFICATE_CODE.test(systemCode(cause) ?? '');
}

/** A code such as `ECONNREFUSED`. For several addresses, the code of the first address. Null if the cause has no code. */
function systemCode(cause: unknown): string | null {
  const [first] = cause instanceof AggregateError ? cause.errors : [cause];
  const { code } = (first ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : null;
}

/** Whether an HTTP response arrived, whatever its status. */
export function hasResponse({ kind }: UpstreamFailure): boolean {
  return kind === 'STATUS' || kind === 'CONTENT' || kind === 'TOO_LARGE';
}

/** The failure of a look-up whose deadline passed. One deadline limits all attempts together. */
export function deadlineExceeded(deadlineMs: number): UpstreamFailure {
  const cause = new Error(`no response within ${deadlineMs} ms, all attempts together`);
  return new UpstreamFailure('UPSTREAM_TIMEOUT', 'DEADLINE', { cause });
}

/** The failure of a request that the queue refuses: the queue is full, or the request gets no slot in time. */
export function noSlotInTime(retryAfterSeconds: number): UpstreamFailure {
  const cause = new Error('the request was not sent: the queue was full, or there was no slot in time');
  return new UpstreamFailure('GATEWAY_BUSY', 'DEADLINE', { cause, retryAfterSeconds });
}

export function heldBack(reason: unknown): UpstreamFailure {
  return new UpstreamFailure('UPSTREAM_UNAVAILABLE', 'HELD_BACK', { cause: toCause(reason) });
}

/** The state of an open circuit. */
export interface Holding {
  /** why the circuit is open */
  readonly failure: UpstreamFailure;
  /** 0 while the circuit waits for the response of a probe */
  readonly nextProbeInMs: number;
  /** Look-ups that began at this time or earlier have failed and no longer wait. -Infinity: all look-ups wait. */
  readonly failedUntil: number;
  /** whether the gateway has made a connection to the base since the start */
  readonly hasConnected: boolean;
}

export function failureOfHolding({ failure, nextProbeInMs, hasConnected }: Holding): UpstreamFailure {
  const cause = new Error('the circuit is open', { cause: failure });
  const retryAfterSeconds = Math.max(1, Math.ceil(nextProbeInMs / 1_000));
  if (isRateLimit(failure)) {
    return new UpstreamFailure('UPSTREAM_RATE_LIMITED', 'HELD_BACK', { cause, retryAfterSeconds });
  }
  return new UpstreamFailure('UPSTREAM_UNAVAILABLE', 'HELD_BACK', {
    cause,
    retryAfterSeconds,
    heldBack: true,
    // The message does not say "Try again": if the client retries at once, the gateway holds the new look-up back too.
    message: hasConnected ? 'The directory is down.' : neverConnected(failure),
  });
}

/** The message contains the code of the system's error, such as ENOTFOUND, but no text from the directory. */
function neverConnected(failure: UpstreamFailure): string {
  const code = systemCode(failure.cause) ?? failure.code;
  return `No connection to the directory was ever made (${code}).`;
}

/** The failure of the last request that was sent. If no request was sent, the failure with the shortest wait. */
export function failureToReport(failures: readonly UpstreamFailure[]): UpstreamFailure {
  const sent = failures.findLast(({ kind }) => kind !== 'HELD_BACK');
  const seconds = ({ retryAfterSeconds }: UpstreamFailure) => retryAfterSeconds ?? Number.POSITIVE_INFINITY;
  const [soonest] = failures.toSorted((one, other) => seconds(one) - seconds(other));
  return sent ?? soonest ?? heldBack('no base URL is left');
}

function toCause(reason: unknown): unknown {
  return typeof reason === 'string' ? new Error(reason) : reason;
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Reads `Retry-After`, a number or an HTTP date, as whole seconds. */
function secondsOf(retryAfter = ''): number | null {
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  if (!HTTP_DATE.test(retryAfter)) return null;
  return Math.max(0, Math.ceil((Date.parse(retryAfter) - Date.now()) / 1000));
}

/** The problem that a failed probe shows. An OUTAGE can end alone. The operator must fix every other problem. */
function problemOf(failure: UpstreamFailure): DirectoryProblem {
  const { status, cause } = failure;
  if (status === 429 || (status ?? 0) >= 500) return 'OUTAGE';
  if (hasResponse(failure)) return 'NO_HANDLE_API';
  if (isCertificateRefused(cause)) return 'CERTIFICATE_REFUSED';
  const code = systemCode(cause) ?? '';
  if (HOST_NOT_FOUND.has(code)) return 'HOST_NOT_FOUND';
  return NO_TLS.test(code) || isNoHttp(cause) ? 'NO_HANDLE_API' : 'OUTAGE';
}

const HOST_NOT_FOUND: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA']);

/** Errors of OpenSSL if the server does not speak TLS. */
const NO_TLS = /^(?:EPROTO$|ERR_SSL_)/;

function isNoHttp(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'HTTPParserError';
}

/**
 * The most important problem of the base URLs: a problem that the operator must fix comes before an outage. Undefined if
 * at least one base URL has no failure, and no failure of another base URL needs the operator.
 * @param failures the failure of the last probe of each base URL; null if the probe did not fail
 */
export function worstProblem(failures: readonly (UpstreamFailure | null)[]): DirectoryProblem | undefined {
  const problems = failures.map((failure) => failure && problemOf(failure));
  const wrong = problems.find((problem) => problem !== null && problem !== 'OUTAGE');
  return wrong ?? (problems.includes(null) ? undefined : 'OUTAGE');
}
