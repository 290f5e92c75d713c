// Replicas that share a tier: a name that none of them knows costs the directory one call in all.

import { describe, expect, onTestFinished, test } from 'vitest';
import { NOT_CACHEABLE } from '../../src/cache/in-flight.ts';
import { createMetrics } from '../../src/metrics.ts';
import { wallClock } from '../../src/time.ts';
import { doiName } from '../support/doi-names.ts';
import { startRedisServer, until, withoutRedis } from '../support/redis-server.ts';
import { createVirtualClock, settled } from '../support/virtual-clock.ts';
import { counted, createCacheUnderTest, DOWN, HOUR, livingFor, MINUTE } from './cache-under-test.ts';
import { createFakeSharedTier } from './fake-shared-tier.ts';
import { createTierOn } from './tier-on-redis.ts';

const NAME = doiName('10.1000/a');
/** who waits looks at least that often */
const POLL_MS = 320;

function createFleet(size: number) {
  const clock = createVirtualClock();
  const shared = createFakeSharedTier(clock);
  const replicas = Array.from({ length: size }, () => createCacheUnderTest({ clock, shared }));
  for (const replica of replicas) replica.says(livingFor(3_600));
  const calls = () => replicas.reduce((sum, replica) => sum + replica.calls.resolve.length, 0);
  return { clock, shared, replicas, calls };
}

describe('a cold name', () => {
  test('that all replicas want at once costs one call; the others wait for its answer', async () => {
    const { clock, replicas, calls } = createFleet(5);
    const gates = replicas.map((replica) => replica.holdBack());
    const asked = Promise.all(replicas.map(({ directory }) => directory.resolve(NAME)));
    await clock.advance(1_000);
    expect(calls()).toBe(1);
    await Promise.all(gates.map(({ answer }) => answer()));
    await clock.advance(POLL_MS);
    expect(new Set((await asked).map(({ fetchedAt }) => fetchedAt)).size).toBe(1);
    expect(calls()).toBe(1);
    const waits = await Promise.all(
      replicas.map(({ metrics }) => counted(metrics.lockWaits, { ended: 'answered' })),
    );
    expect(waits.sort()).toEqual([0, 1, 1, 1, 1]);
  });

  test('whose holder dies is left to one other when its lock has run out', async () => {
    const { clock, shared, replicas, calls } = createFleet(3);
    await shared.lock(`record:${NAME}`, 5_000);
    const asked = Promise.all(replicas.map(({ directory }) => directory.resolve(NAME)));
    await clock.advance(4_980);
    expect(calls()).toBe(0);
    await clock.advance(20 + POLL_MS);
    expect(await asked).toMatchObject(Array(3).fill({ status: 'SUCCESS' }));
    expect(calls()).toBe(1);
    const lost = await Promise.all(
      replicas.map(({ metrics }) => counted(metrics.lockWaits, { ended: 'lost' })),
    );
    expect(lost.sort()).toEqual([0, 0, 1]);
  });

  test('whose holder takes too long is asked for by everyone after 10 seconds', async () => {
    const { clock, shared, replicas, calls } = createFleet(3);
    await shared.lock(`record:${NAME}`, HOUR);
    const gates = replicas.map((replica) => replica.holdBack());
    const asked = Promise.all(replicas.map(({ directory }) => directory.resolve(NAME)));
    await clock.advance(9_999);
    expect(calls()).toBe(0);
    await clock.advance(1 + POLL_MS);
    expect(calls()).toBe(3);
    await Promise.all(gates.map(({ answer }) => answer()));
    expect(await asked).toMatchObject(Array(3).fill({ status: 'SUCCESS' }));
  });

  test('whose holder fails is tried by the next one', async () => {
    const { clock, replicas } = createFleet(2);
    const [first, second] = replicas as [(typeof replicas)[0], (typeof replicas)[0]];
    first.says(DOWN);
    const asked = Promise.allSettled(replicas.map(({ directory }) => directory.resolve(NAME)));
    await clock.advance(60);
    expect(await asked).toMatchObject([
      { status: 'rejected', reason: DOWN },
      { status: 'fulfilled', value: { status: 'SUCCESS' } },
    ]);
    expect([first.calls.resolve.length, second.calls.resolve.length]).toEqual([1, 1]);
  });

  test('while the shared tier is down is asked for by everyone at once', async () => {
    const { shared, replicas, calls } = createFleet(3);
    shared.state = 'down';
    await Promise.all(replicas.map(({ directory }) => directory.resolve(NAME)));
    expect(calls()).toBe(3);
  });
});

describe('a name that another replica has', () => {
  test('is read once and then known in memory', async () => {
    const { shared, replicas, calls } = createFleet(2);
    for (const { directory } of replicas) await directory.resolve(NAME);
    shared.state = 'down';
    for (const { directory } of replicas) await directory.resolve(NAME);
    expect(calls()).toBe(1);
  });

  test('and has refreshed is not asked for again, but taken over', async () => {
    const { clock, replicas, calls } = createFleet(2);
    for (const { directory } of replicas) await directory.resolve(NAME);
    await clock.advance(55 * MINUTE);
    for (const { directory } of replicas) {
      await directory.resolve(NAME);
      await settled();
    }
    expect(calls()).toBe(2);
    const records = await Promise.all(replicas.map(({ directory }) => directory.resolve(NAME)));
    expect(records.map(({ fetchedAt }) => fetchedAt)).toEqual(Array(2).fill(clock.now()));
  });

  test('that turns out not to be kept is dropped for all', async () => {
    const { shared, replicas } = createFleet(2);
    await replicas[0]?.directory.resolve(NAME);
    expect(shared.texts.size).toBe(1);
    replicas[1]?.says(livingFor(0));
    await replicas[1]?.directory.resolve(NAME, { auth: true });
    expect([...shared.texts.values()]).toEqual([{ text: NOT_CACHEABLE, until: expect.any(Number) }]);
  });

  test.each([
    ['a record', livingFor(3_600), 7 * 24 * HOUR],
    ['a name that is not there', 100, HOUR],
    ['a name without values', 200, HOUR],
  ])(
    '%s is kept for as long as it may be served, and up to a tenth less by chance',
    async (_, said, servedMs) => {
      const clock = createVirtualClock();
      const shared = createFakeSharedTier(clock);
      for (const [random, share] of [
        [0, 1],
        [1, 0.9],
      ] as const) {
        const replica = createCacheUnderTest({ clock, shared, random: () => random });
        replica.says(said);
        const name = doiName(`10.1000/${random}`);
        const { freshUntil } = await replica.directory.resolve(name);
        expect(shared.texts.get(`record:${name}`)?.until).toBe(
          clock.now() + (freshUntil - clock.now() + servedMs) * share,
        );
      }
    },
  );
});

describe.skipIf(withoutRedis('replicas on one Redis'))('ten replicas on one Redis', () => {
  test('that want the same 200 cold names at once ask the directory 200 times in all', async () => {
    const server = await startRedisServer();
    onTestFinished(() => server.close());
    // Ten replicas in one process may take long at a time: none is to take Redis for frozen.
    const patient = { timeoutMs: 5_000 };
    const metrics = createMetrics();
    const clock = { ...createVirtualClock(), now: wallClock.now, sleep: wallClock.sleep };
    const replicas = Array.from({ length: 10 }, () => {
      const shared = createTierOn(server.url, patient);
      const replica = createCacheUnderTest({ shared, metrics, clock });
      replica.says(livingFor(3_600));
      return { shared, ...replica };
    });
    onTestFinished(() =>
      Promise.all(replicas.map(({ directory }) => directory.close())).then(() => undefined),
    );
    await until('all are up', () => replicas.every(({ shared }) => shared.state === 'up'));
    const names = Array.from({ length: 200 }, (_, i) => doiName(`10.1000/${i}`));
    const records = await Promise.all(
      replicas.flatMap(({ directory }) => names.map((name) => directory.resolve(name))),
    );
    expect(records.map(({ handle }) => handle)).toEqual(replicas.flatMap(() => names));
    const asked = replicas.flatMap(({ calls }) => calls.resolve.map(({ name }) => name));
    expect(asked).toHaveLength(200);
    expect(new Set(asked).size).toBe(200);
    expect(await counted(metrics.cacheLookups, { kind: 'record' })).toBe(2_000);
    expect(await counted(metrics.lockWaits, { ended: 'lost' })).toBe(0);
    expect(await counted(metrics.lockWaits, { ended: 'answered' })).toBeGreaterThan(0);
    if (process.env['SHOW']) console.info(await metrics.lockWaits.get(), await server.calls('eval'));
  });
});
