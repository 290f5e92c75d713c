// Cache-Control, Expires and Retry-After.

import { expect, test } from 'vitest';
import { cacheControl, keepingHeaders, notShared } from '../../src/http/response/cache-headers.ts';
import { failureHeaders } from '../../src/http/response/failure-headers.ts';
import { AnswerExpiry } from '../../src/loaders/answer-expiry.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

function expiryAt(freshUntil: number, stale = false) {
  const expiry = new AnswerExpiry();
  expiry.include({ freshUntil, stale });
  return expiry;
}

test.each([
  [600_000, 0, 'public, max-age=600', 'Fri, 20 Nov 2026 12:10:00 GMT'],
  [600_000, 500, 'public, max-age=599', 'Fri, 20 Nov 2026 12:10:00 GMT'],
  [600_900, 950, 'public, max-age=599', 'Fri, 20 Nov 2026 12:10:00 GMT'],
  [86_400_000_000, 0, 'public, max-age=86400', 'Sat, 21 Nov 2026 12:00:00 GMT'],
  [999, 0, 'no-store', 'Fri, 20 Nov 2026 12:00:00 GMT'],
  [0, 0, 'no-store', 'Fri, 20 Nov 2026 12:00:00 GMT'],
  [-1, 3_000, 'no-store', 'Fri, 20 Nov 2026 12:00:03 GMT'],
])('a response that is fresh for %i ms says %i ms later: %s', (freshMs, laterMs, control, expires) => {
  const expiry = expiryAt(NOW + freshMs);
  expect(cacheControl(expiry, NOW + laterMs)).toBe(control);
  expect(keepingHeaders(expiry, NOW + laterMs)).toEqual({ 'Cache-Control': control, Expires: expires });
});

test('a response that is stale or must not be cached has Cache-Control: no-store', () => {
  const forbidden = expiryAt(NOW + 600_000);
  forbidden.mustNotBeCached();
  for (const expiry of [expiryAt(NOW + 600_000, true), forbidden]) {
    expect(cacheControl(expiry, NOW)).toBe('no-store');
    expect(notShared(keepingHeaders(expiry, NOW))['Cache-Control']).toBe('no-store');
  }
});

test('no shared cache keeps a response that differs between requests', () => {
  expect(notShared(keepingHeaders(expiryAt(NOW + 600_000), NOW))).toEqual({
    'Cache-Control': 'private, no-cache',
    Expires: '0',
  });
});

test.each<[number, object, string | undefined]>([
  [503, {}, '2'],
  [429, {}, '2'],
  [503, { retryAfterSeconds: 30 }, '30'],
  [503, { retryAfterSeconds: 0.5 }, '1'],
  [503, { retryAfterSeconds: -1 }, '2'],
  [503, { retryAfterSeconds: 'soon' }, '2'],
  [500, { retryAfterSeconds: 30 }, undefined],
  [504, {}, '2'],
  [504, { retryAfterSeconds: 9 }, '9'],
  [404, {}, undefined],
])(
  'a failure with status %i and details %j is not stored, and has Retry-After: %s',
  (status, details, seconds) => {
    const { 'Cache-Control': control, 'Retry-After': retryAfter } = failureHeaders(status, details);
    expect([control, retryAfter]).toEqual(['no-store', seconds]);
  },
);
