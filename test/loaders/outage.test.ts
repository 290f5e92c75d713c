import { expect, onTestFinished, test } from 'vitest';
import { createCachedDirectory } from '../../src/cache/cached-directory.ts';
import { NO_SHARED_TIER } from '../../src/cache/cached-entry.ts';
import { createMemoryTier } from '../../src/cache/memory-tier.ts';
import type { Directory } from '../../src/directory/directory.ts';
import { GatewayError } from '../../src/errors.ts';
import { TrackingLoaders } from '../../src/loaders/loaders.ts';
import { createMetrics } from '../../src/metrics.ts';
import { type Behaviour, requestedNames, sendJson } from '../support/directory-server.ts';
import { createFakeDirectory, urlValue } from '../support/fake-directory.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { createManualTime } from '../upstream/manual-time.ts';
import { handleName, startProxy } from '../upstream/proxy-under-test.ts';

const HOUR_MS = 3_600_000;
const NAMES = 1_000;
const HELD_BACK = new GatewayError('UPSTREAM_UNAVAILABLE', { details: { heldBack: true } });

const down: Behaviour = (_, response) => sendJson(response, 503, {});
const found: Behaviour = (request, response) => {
  const [handle = ''] = requestedNames(request).names;
  sendJson(response, 200, { responseCode: 1, handle, values: [urlValue('https://example.org/')] });
};

function cached(directory: Directory, clock = createVirtualClock()): Directory {
  return createCachedDirectory({
    directory,
    memory: createMemoryTier(10_000_000),
    shared: NO_SHARED_TIER,
    maxFailureBytes: 1_000_000,
    maxPrefixBytes: 1_000_000,
    random: () => 0,
    clock,
    metrics: createMetrics(),
  });
}

function requestOf(directory: Directory): TrackingLoaders {
  return new TrackingLoaders({ directory, signal: () => new AbortController().signal, maxLookups: NAMES });
}

/** The number of names for each outcome: the status of a record, or the code of a failure. */
async function outcomesOf(directory: Directory, from: number, count = NAMES) {
  const request = requestOf(directory);
  const outcomes: Record<string, number> = {};
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const outcome = await Promise.resolve(request.record(handleName(`10.5555/${from + index}`))).then(
        ({ status }) => status,
        ({ code, details }) => `${code} ${details.heldBack === true}`,
      );
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }),
  );
  return outcomes;
}

test('a thousand uncached names fail within three seconds during a known outage, and succeed after the outage', async () => {
  const time = createManualTime();
  const { directory: proxy, server } = await startProxy(down, { time, random: () => 1, deadlineMs: 20_000 });
  const directory = cached(proxy);
  onTestFinished(() => directory.close());
  server.behaveAlways(down);
  await outcomesOf(directory, 0, 5);
  await expect.poll(() => directory.status().available).toBe(false);

  const sent = server.targets.length;
  const beganAt = time.now();
  let outcomes: Record<string, number> | undefined;
  void outcomesOf(directory, 1_000).then((all) => {
    outcomes = all;
  });
  // The first look-ups wait five seconds, because the outage has only begun.
  const allFail = async (withinMs: number) => {
    while (outcomes === undefined && time.now() - beganAt < withinMs) {
      const probes = server.probes.length;
      time.advance(250);
      await new Promise((resolve) => setTimeout(resolve, server.probes.length > probes ? 5 : 1));
    }
    await expect.poll(() => outcomes).toEqual({ 'UPSTREAM_UNAVAILABLE true': NAMES });
  };
  await allFail(8_000);

  outcomes = undefined;
  const laterAt = time.now();
  void outcomesOf(directory, 2_000).then((all) => {
    outcomes = all;
  });
  await allFail(laterAt - beganAt + 3_000);
  expect(server.targets.length).toBe(sent);

  server.behaveAlways(found);
  time.advance(2_000);
  await expect.poll(() => directory.status().available).toBe(true);
  expect(await outcomesOf(directory, 3_000)).toEqual({ SUCCESS: NAMES });
});

test('in an outage, the cache answers look-ups that have not begun', async () => {
  const clock = createVirtualClock();
  const fake = createFakeDirectory({
    records: { '10.5555/known': [urlValue('https://example.org/')] },
    now: clock.now,
  });
  let isDown = false;
  const directory = cached(
    {
      ...fake,
      maxRequests: 1,
      status: () => ({ available: !isDown, reached: true }),
      resolve: (name, options) => (isDown ? Promise.reject(HELD_BACK) : fake.resolve(name, options)),
    },
    clock,
  );
  const known = handleName('10.5555/known');
  await directory.resolve(known);
  // The record is so stale that the cache refreshes it first.
  await clock.advance(30 * HOUR_MS);
  isDown = true;
  const request = requestOf(directory);
  const uncached = Array.from({ length: 200 }, (_, index) => request.record(handleName(`10.5555/${index}`)));
  const record = request.record(known);
  expect(new Set((await Promise.allSettled(uncached)).map(({ status }) => status))).toEqual(
    new Set(['rejected']),
  );
  expect(await record).toMatchObject({ status: 'SUCCESS', stale: true });
});

test('an outage of one agency does not fail the names of other agencies', async () => {
  const metadata = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [`10.5555/${index}`, index < 10 ? HELD_BACK : { title: 'T' }]),
  );
  const directory: Directory = { ...createFakeDirectory({ metadata }), maxRequests: 1 };
  const request = requestOf(directory);
  const outcomes = await Promise.allSettled(
    Object.keys(metadata).map(async (name) => request.metadata(handleName(name), { kind: 'csl' })),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(190);
});
