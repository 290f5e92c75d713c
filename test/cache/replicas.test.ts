// Replicas with one shared tier: a name costs the directory one request in all.

import { describe, expect, test } from 'vitest';
import { NOT_CACHEABLE } from '../../src/cache/in-flight.ts';
import { doiName } from '../support/doi-names.ts';
import { createVirtualClock, settled } from '../support/virtual-clock.ts';
import { counted, createCacheUnderTest, DOWN, HOUR, livingFor, MINUTE } from './cache-under-test.ts';
import { createFakeSharedTier } from './fake-shared-tier.ts';

const NAME = doiName('10.1000/a');
/** A waiting replica checks the shared tier at least this often. */
const POLL_MS = 320;

function startReplicas(size: number) {
  const clock = createVirtualClock();
  const shared = createFakeSharedTier(clock);
  const replicas = Array.from({ length: size }, () => createCacheUnderTest({ clock, shared }));
  for (const replica of replicas) replica.says(livingFor(3_600));
  return {
    clock,
    shared,
    replicas,
    calls: () => replicas.reduce((sum, replica) => sum + replica.calls.resolve.length, 0),
    waits: async (ended: string) => {
      const counts = await Promise.all(replicas.map(({ metrics }) => counted(metrics.lockWaits, { ended })));
      return counts.sort((a, b) => a - b);
    },
    lookUpAll: () => Promise.all(replicas.map(({ directory }) => directory.resolve(NAME))),
  };
}

describe('a name that no replica knows', () => {
  test('costs one request, and the other replicas wait for its answer', async () => {
    const { clock, replicas, calls, waits, lookUpAll } = startReplicas(5);
    const gates = replicas.map((replica) => replica.holdBack());
    const records = lookUpAll();
    await clock.advance(1_000);
    expect(calls()).toBe(1);
    await Promise.all(gates.map(({ answer }) => answer()));
    await clock.advance(POLL_MS);
    expect(new Set((await records).map(({ fetchedAt }) => fetchedAt)).size).toBe(1);
    expect(calls()).toBe(1);
    expect(await waits('answered')).toEqual([0, 1, 1, 1, 1]);
  });

  test('is looked up by one other replica when the lock expires', async () => {
    const { clock, shared, calls, waits, lookUpAll } = startReplicas(3);
    await shared.lock(`record:${NAME}`, 5_000);
    const records = lookUpAll();
    await clock.advance(4_980);
    expect(calls()).toBe(0);
    await clock.advance(20 + POLL_MS);
    expect(await records).toMatchObject(Array(3).fill({ status: 'SUCCESS' }));
    expect(calls()).toBe(1);
    expect(await waits('lost')).toEqual([0, 0, 1]);
  });

  test('is looked up by all replicas if the lock is held for more than 10 seconds', async () => {
    const { clock, shared, replicas, calls, lookUpAll } = startReplicas(3);
    await shared.lock(`record:${NAME}`, HOUR);
    const gates = replicas.map((replica) => replica.holdBack());
    const records = lookUpAll();
    await clock.advance(9_999);
    expect(calls()).toBe(0);
    await clock.advance(1 + POLL_MS);
    expect(calls()).toBe(3);
    await Promise.all(gates.map(({ answer }) => answer()));
    expect(await records).toMatchObject(Array(3).fill({ status: 'SUCCESS' }));
  });

  test('is looked up by the next replica if the first look-up fails', async () => {
    const { clock, replicas } = startReplicas(2);
    replicas[0]?.says(DOWN);
    const records = Promise.allSettled(replicas.map(({ directory }) => directory.resolve(NAME)));
    await clock.advance(60);
    expect(await records).toMatchObject([
      { status: 'rejected', reason: DOWN },
      { status: 'fulfilled', value: { status: 'SUCCESS' } },
    ]);
    expect(replicas.map(({ calls }) => calls.resolve.length)).toEqual([1, 1]);
  });

  test('is looked up by all replicas at once while the shared tier is down', async () => {
    const { shared, calls, lookUpAll } = startReplicas(3);
    shared.state = 'down';
    await lookUpAll();
    expect(calls()).toBe(3);
  });
});

describe('a name that another replica knows', () => {
  test('is read from the shared tier once, and then known in memory', async () => {
    const { shared, replicas, calls } = startReplicas(2);
    for (const { directory } of replicas) await directory.resolve(NAME);
    shared.state = 'down';
    for (const { directory } of replicas) await directory.resolve(NAME);
    expect(calls()).toBe(1);
  });

  test('is refreshed once for all replicas', async () => {
    const { clock, replicas, calls, lookUpAll } = startReplicas(2);
    for (const { directory } of replicas) await directory.resolve(NAME);
    await clock.advance(55 * MINUTE);
    for (const { directory } of replicas) {
      await directory.resolve(NAME);
      await settled();
    }
    expect(calls()).toBe(2);
    expect((await lookUpAll()).map(({ fetchedAt }) => fetchedAt)).toEqual(Array(2).fill(clock.now()));
  });

  test('is dropped for all replicas when its answer can no longer be stored', async () => {
    const { shared, replicas } = startReplicas(2);
    await replicas[0]?.directory.resolve(NAME);
    expect(shared.texts.size).toBe(1);
    replicas[1]?.says(livingFor(0));
    await replicas[1]?.directory.resolve(NAME, { auth: true });
    expect([...shared.texts.values()]).toEqual([{ text: NOT_CACHEABLE, until: expect.any(Number) }]);
  });
});
