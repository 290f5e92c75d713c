// Which failures are worth another attempt, as a table.

import { describe, expect, test } from 'vitest';
import { isWorthRetrying } from '../../../src/directory/proxy/retry.ts';
import { UpstreamFailure } from '../../../src/directory/proxy/upstream-failure.ts';

type Kind = UpstreamFailure['kind'];
type Code = UpstreamFailure['code'];

function failure(kind: Kind, code: Code = 'UPSTREAM_UNAVAILABLE', status?: number): UpstreamFailure {
  return new UpstreamFailure(code, kind, status === undefined ? {} : { status });
}

describe('a base that is held back', () => {
  test('by a 429 is worth another attempt for what was asked before, not for what is new', () => {
    const heldBack = failure('HELD_BACK', 'UPSTREAM_RATE_LIMITED');
    expect([0, 1, 2].map((attempts) => isWorthRetrying(heldBack, attempts))).toEqual([false, true, true]);
  });

  test('because it is out of reach is not worth another', () => {
    const heldBack = failure('HELD_BACK');
    expect([0, 1, 2].map((attempts) => isWorthRetrying(heldBack, attempts))).toEqual([false, false, false]);
  });
});

test.each<[boolean, string, UpstreamFailure]>([
  [true, 'no connection', failure('UNREACHABLE')],
  [true, 'a time-out', failure('TIMEOUT', 'UPSTREAM_TIMEOUT')],
  [true, 'HTTP status 429', failure('STATUS', 'UPSTREAM_RATE_LIMITED', 429)],
  [true, 'HTTP status 500', failure('STATUS', 'UPSTREAM_UNAVAILABLE', 500)],
  [true, 'HTTP status 503', failure('STATUS', 'UPSTREAM_UNAVAILABLE', 503)],
  [false, 'HTTP status 403', failure('STATUS', 'UPSTREAM_UNAVAILABLE', 403)],
  [false, 'HTTP status 404', failure('STATUS', 'UPSTREAM_UNAVAILABLE', 404)],
  [false, 'the deadline', failure('DEADLINE', 'UPSTREAM_TIMEOUT')],
])('it is %s that another attempt is made after %s', (isMade, _, failed) => {
  expect(isWorthRetrying(failed, 0)).toBe(isMade);
});
