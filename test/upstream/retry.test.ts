// Which failures are worth another attempt, as a table.

import { expect, test } from 'vitest';
import { isWorthRetrying } from '../../src/upstream/retries.ts';
import { UpstreamFailure } from '../../src/upstream/upstream-failure.ts';

type Kind = UpstreamFailure['kind'];
type Code = UpstreamFailure['code'];

function failure(kind: Kind, code: Code = 'UPSTREAM_UNAVAILABLE', status?: number): UpstreamFailure {
  return new UpstreamFailure(code, kind, status === undefined ? {} : { status });
}

test.each<[boolean, string, UpstreamFailure]>([
  [true, 'no connection', failure('NO_CONNECTION')],
  [true, 'a connection that breaks', failure('UNREACHABLE')],
  [true, 'a time-out', failure('TIMEOUT', 'UPSTREAM_TIMEOUT')],
  [true, 'HTTP status 429', failure('STATUS', 'UPSTREAM_RATE_LIMITED', 429)],
  [true, 'HTTP status 500', failure('STATUS', 'UPSTREAM_UNAVAILABLE', 500)],
  [true, 'HTTP status 503', failure('STATUS', 'UPSTREAM_UNAVAILABLE', 503)],
  [false, 'HTTP status 403', failure('STATUS', 'UPSTREAM_UNAVAILABLE', 403)],
  [false, 'HTTP status 404', failure('STATUS', 'UPSTREAM_UNAVAILABLE', 404)],
  [false, 'a circuit that holds it back', failure('HELD_BACK')],
  [false, 'the deadline', failure('DEADLINE', 'UPSTREAM_TIMEOUT')],
])('it is %s that another attempt is made after %s', (isMade, _, failed) => {
  expect(isWorthRetrying(failed)).toBe(isMade);
});
