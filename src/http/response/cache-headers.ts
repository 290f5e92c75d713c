// Cache-Control and Expires: how long a cache can keep a response.

import type { AnswerExpiry } from '../../loaders/answer-expiry.ts';

/** For responses that caches must not keep, for example failures. */
export const NO_STORE = 'no-store';

/** Caches can keep a response until the first of its records expires. `no-store` if a record has already expired. */
export function cacheControl(expiry: AnswerExpiry, now: number): string {
  const seconds = expiry.secondsFrom(now);
  if (seconds <= 0) return NO_STORE;
  if (seconds !== latest.seconds) latest = { seconds, text: `public, max-age=${seconds}` };
  return latest.text;
}

/** The latest text is kept, because most responses of one second have the same max-age. */
let latest = { seconds: Number.NaN, text: '' };

export type KeepingHeaders = {
  readonly 'Cache-Control': string;
  readonly Expires: string;
};

/** Cache-Control and Expires. The DOI proxy sends only Expires, so its clients may depend on this header. */
export function keepingHeaders(expiry: AnswerExpiry, now: number): KeepingHeaders {
  const control = cacheControl(expiry, now);
  // Expires has whole seconds. The time begins at a whole second, so that rounding does not shorten the time.
  const second = now - (now % 1_000);
  const end = control === NO_STORE ? now : second + expiry.secondsFrom(second) * 1_000;
  return { 'Cache-Control': control, Expires: httpDate(end) };
}

/** Shared caches must not keep a response that differs between clients or between requests. */
export function notShared(headers: KeepingHeaders): KeepingHeaders {
  return headers['Cache-Control'] === NO_STORE ? headers : NOT_SHARED;
}

const NOT_SHARED: KeepingHeaders = { 'Cache-Control': 'private, no-cache', Expires: '0' };

/** By second. All responses with the same record have the same date, and formatting a date is slow. */
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
