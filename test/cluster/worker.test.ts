// A worker whose primary process does not reply.

import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { joinCluster } from '../../src/cluster/worker.ts';

test('a request for metrics fails without a reply in time, and leaves no listener', async () => {
  const worker = Object.assign(new EventEmitter(), { send: () => true });
  const timeout = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
  const { readMetrics } = joinCluster(worker as unknown as Worker);
  const listeners = worker.listenerCount('message');
  const read = readMetrics();
  expect(worker.listenerCount('message')).toBe(listeners + 1);
  timeout.abort(new Error('too late'));
  await expect(read).rejects.toThrow('too late');
  expect(worker.listenerCount('message')).toBe(listeners);
});
