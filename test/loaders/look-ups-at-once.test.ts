// One request has at most twice as many running look-ups as the directory has connections.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { TrackingLoaders } from '../../src/loaders/loaders.ts';
import { createMetrics } from '../../src/metrics.ts';
import { CSL } from '../../src/works/metadata-format.ts';
import { createCacheUnderTest } from '../cache/cache-under-test.ts';
import { startDirectoryServer } from '../support/directory-server.ts';
import { doiName } from '../support/doi-names.ts';
import { requesterAt } from '../upstream/clients.ts';
import { createProxyAt } from '../upstream/proxy-under-test.ts';

async function setUp() {
  const server = await startDirectoryServer(() => {});
  const metrics = createMetrics();
  const { directory: proxy } = createProxyAt(server.url, {
    metrics,
    maxConnections: 40,
    metadataHosts: new Set(['api.crossref.org']),
  });
  const { directory } = createCacheUnderTest({ directory: proxy });
  const controller = new AbortController();
  onTestFinished(async () => {
    await directory.close();
    await server.close();
  });
  const loaders = new TrackingLoaders({
    directory,
    requester: requesterAt('127.0.0.1'),
    signal: () => controller.signal,
    maxLookups: 2_000,
    nextTurn: () => Promise.resolve(),
  });
  const { directoryQueue } = metrics;
  return {
    loaders,
    directoryQueue,
    async reached(lookUps: number): Promise<void> {
      while (directoryQueue.running + directoryQueue.waiting < lookUps) await nextTurn();
      for (let turns = 0; turns < 5; turns += 1) await nextTurn();
    },
    async end(asked: readonly unknown[]): Promise<void> {
      controller.abort(new Error('gone'));
      const outcomes = await Promise.allSettled(asked);
      expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']));
    },
  };
}

const NAMES = Array.from({ length: 200 }, (_, number) => doiName(`10.5555/${number}`));

test('of 200 names 80 stand before a directory that takes 40 requests at a time', async () => {
  const { loaders, directoryQueue, reached, end } = await setUp();
  const asked = NAMES.map((name) => loaders.record(name));
  await reached(80);
  expect(directoryQueue).toMatchObject({ running: 40, waiting: 40 });
  await end(asked);
});

test('of metadata twice as many, since agencies have connections of their own', async () => {
  const { loaders, directoryQueue, reached, end } = await setUp();
  const asked = NAMES.map((name) => loaders.metadata(name, CSL));
  await reached(160);
  expect(directoryQueue).toMatchObject({ running: 40, waiting: 120 });
  await end(asked);
});
