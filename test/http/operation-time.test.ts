// When an operation ends.

import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { OperationTime } from '../../src/http/operation-time.ts';
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
