// What went wrong between the gateway and a proxy, in the codes of the error table.

import { type ErrorCode, GatewayError, type GatewayErrorOptions } from '../errors.ts';

/**
 * How far a request came. NO_CONNECTION: there was none to send it on. UNREACHABLE and TIMEOUT: no whole answer.
 * STATUS and CONTENT: an HTTP answer, of which the status or the body is at fault. TOO_LARGE: the gateway closed the
 * connection, since more bytes came than a response may have. HELD_BACK: never sent.
 * DEADLINE: given up in the middle of it.
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
  /** the gateway's circuit held the look-up back: clients that retry at once only wait again */
  readonly heldBack?: boolean;
}

export class UpstreamFailure extends GatewayError {
  readonly kind: FailureKind;
  /** of HTTP, where there was an answer */
  readonly status: number | null;
  /** when the directory wants to be asked again; null where it does not say */
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

/** Whether it is the end of the time that a question had, wherever it was then. */
export function isDeadline(error: unknown): boolean {
  return error instanceof UpstreamFailure && error.kind === 'DEADLINE';
}

/** A response that is not the JSON that was asked for: its status is all that can be believed. */
export function failureOfStatus(status: number, retryAfter?: string): UpstreamFailure {
  const cause = new Error(`HTTP status ${status}`);
  const code = codeOfStatus(status);
  if (code === 'UPSTREAM_BAD_RESPONSE') return new UpstreamFailure(code, 'STATUS', { cause, status });
  return new UpstreamFailure(code, 'STATUS', { cause, status, retryAfterSeconds: secondsOf(retryAfter) });
}

/** Whether a status says something of the directory rather than of one name: it is ill, or asked too much. */
export function isOfDirectory(status: number): boolean {
  return codeOfStatus(status) !== 'UPSTREAM_BAD_RESPONSE';
}

function codeOfStatus(status: number): ErrorCode {
  if (status === 429) return 'UPSTREAM_RATE_LIMITED';
  return status === 403 || status >= 500 ? 'UPSTREAM_UNAVAILABLE' : 'UPSTREAM_BAD_RESPONSE';
}

/** An answer that came whole but cannot be understood. */
export function badResponse(reason: unknown): UpstreamFailure {
  return new UpstreamFailure('UPSTREAM_BAD_RESPONSE', 'CONTENT', { cause: toCause(reason) });
}

/** More bytes came than a response may have. A retry would cost as much again, so the gateway makes none. */
export function tooLarge(reason: string): UpstreamFailure {
  return new UpstreamFailure('UPSTREAM_BAD_RESPONSE', 'TOO_LARGE', { cause: new Error(reason) });
}

/** No answer, or only a part of one: the connection failed, or the time ran out. */
export function failureOfTransport(cause: unknown, timedOut: boolean): UpstreamFailure {
  if (timedOut) return new UpstreamFailure('UPSTREAM_TIMEOUT', 'TIMEOUT', { cause });
  const kind = isOfConnecting(cause) ? 'NO_CONNECTION' : 'UNREACHABLE';
  return new UpstreamFailure('UPSTREAM_UNAVAILABLE', kind, { cause });
}

/** Node tries all addresses of a host, and gathers what each of them came to. */
function isOfConnecting(cause: unknown): boolean {
  if (cause instanceof AggregateError) return cause.errors.every(isOfConnecting);
  const { syscall } = (cause ?? {}) as NodeJS.ErrnoException;
  return syscall === 'connect' || syscall === 'getaddrinfo' || isCertificateRefused(cause);
}

/** The codes of OpenSSL's verification, as Node names them, and of Node's own check of the host name. */
const CERTIFICATE_CODE =
  /(?:^|_)CERT(?:_|$)|^CRL_|^UNABLE_TO_|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$|^HOSTNAME_MISMATCH$/;

export function isCertificateRefused(cause: unknown): boolean {
  return CERTIFICATE_CODE.test(systemCode(cause) ?? '');
}

/** `ECONNREFUSED`, `ENOTFOUND`: of the first address where there are several; null where the cause has no code. */
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

/** Whether an HTTP response came, whatever it says. */
export function hasResponse({ kind }: UpstreamFailure): boolean {
  return !NO_RESPONSE.has(kind);
}

/** The time for all attempts together is over. */
export function deadlineExceeded(deadlineMs: number): UpstreamFailure {
  const cause = new Error(`no answer within ${deadlineMs} ms, all attempts together`);
  return new UpstreamFailure('UPSTREAM_TIMEOUT', 'DEADLINE', { cause });
}

/** There was no place, or no turn before the deadline: nothing is said of the directory. */
export function gatewayBusy(retryAfterSeconds: number): UpstreamFailure {
  const cause = new Error('the request was not sent: no place, or no turn in time');
  return new UpstreamFailure('GATEWAY_BUSY', 'DEADLINE', { cause, retryAfterSeconds });
}

/** The gateway does not send the request at all. */
export function heldBack(reason: unknown): UpstreamFailure {
  return new UpstreamFailure('UPSTREAM_UNAVAILABLE', 'HELD_BACK', { cause: toCause(reason) });
}

function toCause(reason: unknown): unknown {
  return typeof reason === 'string' ? new Error(reason) : reason;
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** `Retry-After` in whole seconds, whether it came as a number or as an HTTP date. */
function secondsOf(retryAfter = ''): number | null {
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  if (!HTTP_DATE.test(retryAfter)) return null;
  return Math.max(0, Math.ceil((Date.parse(retryAfter) - Date.now()) / 1000));
}
