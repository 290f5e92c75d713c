// When an operation ends.

import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { OperationTime } from '../../src/http/graphql/operation-time.ts';
import { Abandoned } from '../../src/loaders/look-up-starter.ts';
import { createHttpRequest } from '../support/http-request.ts';

test('one whose time ran out before it was watched ends at once, and no timer is set into the past', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const time = new OperationTime(createHttpRequest('/graphql'), -5);
  time.start();
  // Node warns of others on stderr, from 24 on.
  expect(timers.mock.calls.map(([, ms]) => ms)).toEqual([0]);
  await once(time.signal, 'abort');
  expect(time.signal.reason).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
  expect(() => time.throwIfEnded()).toThrow(time.signal.reason);
});

test.each(['before', 'after'])(
  'whoever is gone %s it began ends it with an abort, whatever their reason',
  (when) => {
    const gone = new AbortController();
    const request = { ...createHttpRequest('/graphql'), signal: gone.signal };
    const time = new OperationTime(request, 1_000);
    if (when === 'after') time.start();
    gone.abort(new Error('a reason of their own'));
    time.start();
    // What else is thrown is logged as an error of the gateway, once for each name.
    expect(time.signal.reason).toMatchObject({ name: 'AbortError' });
  },
);

test.each<[string, (time: OperationTime, leave: () => void) => void]>([
  ['is over', (time) => time.end()],
  ['is abandoned', (time) => time.abandon()],
  ['has lost its client', (_time, leave) => leave()],
])('an operation that %s has no timer left', (_, endBy) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const gone = new AbortController();
  const time = new OperationTime({ signal: gone.signal }, 1_000);
  time.start();
  expect(vi.getTimerCount()).toBe(1);
  endBy(time, () => gone.abort());
  expect(vi.getTimerCount()).toBe(0);
});

test('an abandoned operation ends its look-ups', () => {
  const time = new OperationTime(createHttpRequest('/graphql'), 1_000);
  const { signal } = time;
  time.abandon();
  expect(signal.reason).toBeInstanceOf(Abandoned);
});
