// The headers that say how long a cache may keep a response.

import type { AnswerExpiry } from '../../loaders/answer-expiry.ts';

/** For responses that no cache may keep, for example failures. */
export const NOT_KEPT = 'no-store';

/** Lets caches keep a response until the first of its answers expires. `no-store` if one has already expired. */
export function cacheControl(expiry: AnswerExpiry, now: number): string {
  const seconds = expiry.secondsFrom(now);
  if (seconds <= 0) return NOT_KEPT;
  if (seconds !== lastControl.seconds) lastControl = { seconds, text: `public, max-age=${seconds}` };
  return lastControl.text;
}

/** Remembers the last text, because most responses of the same second have the same max-age. */
let lastControl = { seconds: Number.NaN, text: '' };

export type KeepingHeaders = {
  readonly 'Cache-Control': string;
  readonly Expires: string;
};

/** Like `cacheControl`, with `Expires` for clients of the REST face: the DOI proxy sends only `Expires`. */
export function keepingHeaders(expiry: AnswerExpiry, now: number): KeepingHeaders {
  const control = cacheControl(expiry, now);
  // The header has whole seconds. If the count begins at a whole second, rounding does not shorten the time.
  const second = now - (now % 1_000);
  const end = control === NOT_KEPT ? now : second + expiry.secondsFrom(second) * 1_000;
  return { 'Cache-Control': control, Expires: httpDate(end) };
}

/** For a response that differs between clients or between requests: no shared cache may keep it. */
export function notShared(headers: KeepingHeaders): KeepingHeaders {
  return headers['Cache-Control'] === NOT_KEPT ? headers : NOT_SHARED;
}

const NOT_SHARED: KeepingHeaders = { 'Cache-Control': 'private, no-cache', Expires: '0' };

/** Remembers texts of dates. All responses for a record have the same date, and to format a date takes 2 µs. */
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
