// How long an answer may be kept, in headers: one rule for all faces.

import type { AnswerLife } from '../../loaders/answer-expiry.ts';

/** Of what is true of one moment alone: failures and refusals above all. */
const NOT_KEPT = 'no-store';

/** What is left of the life of everything that an answer rests on; `no-store` where there is nothing left. */
export function cacheControl(life: AnswerLife, now: number): string {
  const seconds = life.secondsFrom(now);
  if (seconds <= 0) return NOT_KEPT;
  if (seconds !== lastControl.seconds) lastControl = { seconds, text: `public, max-age=${seconds}` };
  return lastControl.text;
}

/** Most answers of one second may be kept equally long. */
let lastControl = { seconds: Number.NaN, text: '' };

export type KeepingHeaders = {
  readonly 'Cache-Control': string;
  readonly Expires: string;
};

/** The same for the REST face, whose clients may know the DOI proxy's Expires alone. */
export function keepingHeaders(life: AnswerLife, now: number): KeepingHeaders {
  const control = cacheControl(life, now);
  // Whole seconds are all that the header has: counted from a whole one, nothing of the life gets lost.
  const second = now - (now % 1_000);
  const end = control === NOT_KEPT ? now : second + life.secondsFrom(second) * 1_000;
  return { 'Cache-Control': control, Expires: httpDate(end) };
}

/** For an answer that is this reader's alone, or another one the next time: no cache may share it. */
export function notShared(headers: KeepingHeaders): KeepingHeaders {
  return headers['Cache-Control'] === NOT_KEPT ? headers : NOT_SHARED;
}

const NOT_SHARED: KeepingHeaders = { 'Cache-Control': 'private, no-cache', Expires: '0' };

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

/** A record's life ends at the same moment each time; to write that down takes 2 µs. */
const knownDates = new Map<number, string>();
const MAX_KNOWN_DATES = 1_000;

function httpDate(time: number): string {
  const seconds = Math.floor(time / 1_000);
  let text = knownDates.get(seconds);
  if (text === undefined) {
    if (knownDates.size === MAX_KNOWN_DATES) knownDates.clear();
    text = new Date(time).toUTCString();
    knownDates.set(seconds, text);
  }
  return text;
}
