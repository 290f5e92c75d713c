// How much of one request stands before the directory: what has a connection, and as much again.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createLoaders } from '../../src/loaders/loaders.ts';
import { createMetrics } from '../../src/metrics.ts';
import { createCacheUnderTest } from '../cache/cache-under-test.ts';
import { askerAt } from '../directory/proxy/askers.ts';
import { createProxyAt } from '../directory/proxy/proxy-under-test.ts';
import { startDirectoryServer } from '../support/directory-server.ts';
import { doiName } from '../support/doi-names.ts';

test('of 200 names 80 stand before a directory that takes 40 requests at a time', async () => {
  const server = await startDirectoryServer(() => {});
  const metrics = createMetrics();
  const { directory: proxy } = createProxyAt(server.url, { metrics, maxConnections: 40 });
  const { directory } = createCacheUnderTest({ directory: proxy });
  const controller = new AbortController();
  onTestFinished(async () => {
    await directory.close();
    await server.close();
  });
  const loaders = createLoaders({
    directory,
    asker: askerAt('127.0.0.1'),
    signal: () => controller.signal,
    maxLookups: 2_000,
    nextTurn: () => Promise.resolve(),
  });
  const outcomes = Promise.allSettled(
    Array.from({ length: 200 }, (_, number) => loaders.record(doiName(`10.5555/${number}`))),
  );
  const { directoryQueue } = metrics;
  while (directoryQueue.running + directoryQueue.waiting < 80) await nextTurn();
  for (let turns = 0; turns < 5; turns += 1) await nextTurn();
  expect(directoryQueue).toMatchObject({ running: 40, waiting: 40 });
  controller.abort(new Error('gone'));
  expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(['rejected']));
});
