// How long an answer may be kept, in headers: one rule for all faces.

import type { AnswerExpiry } from '../../loaders/answer-expiry.ts';

/** Of what is true of one moment alone: failures and refusals above all. */
export const NOT_KEPT = 'no-store';

/** What is left of the life of everything that an answer rests on; `no-store` where there is nothing left. */
export function cacheControl(expiry: AnswerExpiry, now: number): string {
  const seconds = expiry.secondsFrom(now);
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
export function keepingHeaders(expiry: AnswerExpiry, now: number): KeepingHeaders {
  const control = cacheControl(expiry, now);
  // Whole seconds are all that the header has: counted from a whole one, nothing of the life gets lost.
  const second = now - (now % 1_000);
  const end = control === NOT_KEPT ? now : second + expiry.secondsFrom(second) * 1_000;
  return { 'Cache-Control': control, Expires: httpDate(end) };
}

/** For an answer that is this reader's alone, or another one the next time: no cache may share it. */
export function notShared(headers: KeepingHeaders): KeepingHeaders {
  return headers['Cache-Control'] === NOT_KEPT ? headers : NOT_SHARED;
}

const NOT_SHARED: KeepingHeaders = { 'Cache-Control': 'private, no-cache', Expires: '0' };

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
