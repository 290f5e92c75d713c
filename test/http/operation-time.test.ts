import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { OperationTime } from '../../src/http/graphql/operation-time.ts';
import { Abandoned } from '../../src/loaders/look-up-starter.ts';
import { createHttpRequest } from '../support/http-request.ts';

test('an operation past its deadline is aborted at once, and sets no negative timeout', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const time = new OperationTime(createHttpRequest('/graphql'), -5);
  time.start();
  // From version 24, Node prints a warning for a negative timeout.
  expect(timers.mock.calls.map(([, ms]) => ms)).toEqual([0]);
  await once(time.signal, 'abort');
  expect(time.signal.reason).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
  expect(() => time.throwIfEnded()).toThrow(time.signal.reason);
});

test.each(['before', 'after'])(
  'if a client aborts %s the start, the signal has an AbortError instead of the reason of the client',
  (when) => {
    const client = new AbortController();
    const time = new OperationTime({ signal: client.signal }, 1_000);
    if (when === 'after') time.start();
    client.abort(new Error("the client's reason"));
    time.start();
    // The gateway logs every other error as a fault.
    expect(time.signal.reason).toMatchObject({ name: 'AbortError' });
  },
);

test.each<[string, (time: OperationTime, client: AbortController) => void]>([
  ['ends', (time) => time.end()],
  ['is abandoned', (time) => time.abandon()],
  ['is aborted by its client', (_time, client) => client.abort()],
])('an operation that %s has no timer left', (_, endBy) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const client = new AbortController();
  const time = new OperationTime({ signal: client.signal }, 1_000);
  time.start();
  expect(vi.getTimerCount()).toBe(1);
  endBy(time, client);
  expect(vi.getTimerCount()).toBe(0);
});

test('an abandoned operation aborts its look-ups', () => {
  const time = new OperationTime(createHttpRequest('/graphql'), 1_000);
  const { signal } = time;
  time.abandon();
  expect(signal.reason).toBeInstanceOf(Abandoned);
});
