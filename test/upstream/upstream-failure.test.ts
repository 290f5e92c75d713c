import { expect, test } from 'vitest';
import {
  failureOfHolding,
  failureOfStatus,
  failureOfTransport,
} from '../../src/upstream/upstream-failure.ts';

const withCode = (code: string) => Object.assign(new Error(code), { code });
const inSyscall = (syscall: string) => Object.assign(new Error(syscall), { syscall });

test.each<[what: string, cause: unknown, kind: string]>([
  ['an unknown host', inSyscall('getaddrinfo'), 'NO_CONNECTION'],
  ['a refused connection', inSyscall('connect'), 'NO_CONNECTION'],
  [
    'a connection that all addresses refuse',
    new AggregateError([inSyscall('connect'), inSyscall('connect')]),
    'NO_CONNECTION',
  ],
  [
    'another failure at one of the addresses',
    new AggregateError([inSyscall('connect'), inSyscall('read')]),
    'UNREACHABLE',
  ],
  ['an expired certificate', withCode('CERT_HAS_EXPIRED'), 'NO_CONNECTION'],
  ['a self-signed certificate', withCode('DEPTH_ZERO_SELF_SIGNED_CERT'), 'NO_CONNECTION'],
  ['a certificate of another host', withCode('ERR_TLS_CERT_ALTNAME_INVALID'), 'NO_CONNECTION'],
  ['a reset connection', inSyscall('read'), 'UNREACHABLE'],
  ['a reset within the handshake', withCode('ECONNRESET'), 'UNREACHABLE'],
  ['a missing cause', undefined, 'UNREACHABLE'],
])('the cause of a failure decides its kind: %s', (_, cause, kind) => {
  expect(failureOfTransport(cause, false)).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', kind });
});

test('the kind of a timeout is always TIMEOUT', () => {
  expect(failureOfTransport(inSyscall('connect'), true)).toMatchObject({
    code: 'UPSTREAM_TIMEOUT',
    kind: 'TIMEOUT',
  });
});

test.each([
  [withCode('ECONNREFUSED'), 'ECONNREFUSED'],
  [new AggregateError([withCode('EHOSTUNREACH'), withCode('ECONNREFUSED')]), 'EHOSTUNREACH'],
  [withCode('not a code: <b>'), 'UPSTREAM_UNAVAILABLE'],
  [new AggregateError([]), 'UPSTREAM_TIMEOUT'],
  [undefined, 'UPSTREAM_UNAVAILABLE'],
])('without any connection, the message for %j has the code %s', (cause, code) => {
  const failure = failureOfTransport(cause, code === 'UPSTREAM_TIMEOUT');
  const holding = { failure, nextProbeInMs: 0, failedUntil: 0, hasConnected: false };
  expect(failureOfHolding(holding).message).toBe(`No connection to the directory was ever made (${code}).`);
});

test.each([
  ['120', 120],
  [new Date(0).toUTCString(), 0],
  ['soon', null],
  ['-5', null],
  ['', null],
  [undefined, null],
])('the Retry-After %j is read as %j seconds', (retryAfter, retryAfterSeconds) => {
  expect(failureOfStatus(429, retryAfter)).toMatchObject({ retryAfterSeconds });
});

test('a Retry-After with a date is read as the seconds from now', () => {
  const { retryAfterSeconds } = failureOfStatus(429, new Date(Date.now() + 120_000).toUTCString());
  expect(retryAfterSeconds).toBeGreaterThan(90);
  expect(retryAfterSeconds).toBeLessThanOrEqual(120);
});
