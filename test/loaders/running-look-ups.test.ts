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

const NAMES = Array.from({ length: 200 }, (_, number) => doiName(`10.5555/${number}`));
const MAX_REQUESTS = 40;

// Metadata has twice as many running look-ups, because its second request goes to an agency with its own connections.
test.each([
  ['records', 2 * MAX_REQUESTS, (loaders: TrackingLoaders) => NAMES.map((name) => loaders.record(name))],
  [
    'metadata',
    4 * MAX_REQUESTS,
    (loaders: TrackingLoaders) => NAMES.map((name) => loaders.metadata(name, CSL)),
  ],
])('a request for %s of 200 names has %i running look-ups', async (_, count, lookUpAll) => {
  const server = await startDirectoryServer(() => {});
  const metrics = createMetrics();
  const { directory: proxy } = createProxyAt(server.url, {
    metrics,
    maxConnections: MAX_REQUESTS,
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

  const answers = lookUpAll(loaders);
  while (directoryQueue.running + directoryQueue.waiting < count) await nextTurn();
  for (let turns = 0; turns < 5; turns += 1) await nextTurn();
  expect(directoryQueue).toMatchObject({ running: MAX_REQUESTS, waiting: count - MAX_REQUESTS });

  controller.abort(new Error('gone'));
  const outcomes = await Promise.allSettled(answers);
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']));
});
