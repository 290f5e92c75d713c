// How far a request came, by what it failed with.

import { expect, test } from 'vitest';
import { failureOfHolding, failureOfTransport } from '../../src/upstream/upstream-failure.ts';

const withCode = (code: string) => Object.assign(new Error(code), { code });
const of = (syscall: string) => Object.assign(new Error(syscall), { syscall });

test.each<[what: string, cause: unknown, kind: string]>([
  ['a host that is not known', of('getaddrinfo'), 'NO_CONNECTION'],
  ['a connection that is refused', of('connect'), 'NO_CONNECTION'],
  [
    'one that is refused at all addresses',
    new AggregateError([of('connect'), of('connect')]),
    'NO_CONNECTION',
  ],
  ['one that fails otherwise at one of them', new AggregateError([of('connect'), of('read')]), 'UNREACHABLE'],
  ['a certificate that is over', withCode('CERT_HAS_EXPIRED'), 'NO_CONNECTION'],
  ['a certificate that signs itself', withCode('DEPTH_ZERO_SELF_SIGNED_CERT'), 'NO_CONNECTION'],
  ['a certificate of another host', withCode('ERR_TLS_CERT_ALTNAME_INVALID'), 'NO_CONNECTION'],
  ['one that is reset', of('read'), 'UNREACHABLE'],
  ['one that is reset within the handshake', withCode('ECONNRESET'), 'UNREACHABLE'],
  ['a cause that says nothing', undefined, 'UNREACHABLE'],
])('%s', (_, cause, kind) => {
  expect(failureOfTransport(cause, false)).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', kind });
});

test('a time-out, whatever it interrupts', () => {
  expect(failureOfTransport(of('connect'), true)).toMatchObject({
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
  const holding = { failure, nextProbeInMs: 0, givenUpAt: 0, hasConnected: false };
  expect(failureOfHolding(holding).message).toBe(`No connection to the directory was ever made (${code}).`);
});
