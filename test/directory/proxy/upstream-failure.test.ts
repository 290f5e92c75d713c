// How far a request came, by what it failed with.

import { expect, test } from 'vitest';
import { failureOfTransport } from '../../../src/directory/proxy/upstream-failure.ts';

const of = (syscall: string) => Object.assign(new Error(syscall), { syscall });

test.each([
  ['a host that is not known', of('getaddrinfo'), 'NO_CONNECTION'],
  ['a connection that is refused', of('connect'), 'NO_CONNECTION'],
  [
    'one that is refused at all addresses',
    new AggregateError([of('connect'), of('connect')]),
    'NO_CONNECTION',
  ],
  ['one that fails otherwise at one of them', new AggregateError([of('connect'), of('read')]), 'UNREACHABLE'],
  ['one that is reset', of('read'), 'UNREACHABLE'],
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
