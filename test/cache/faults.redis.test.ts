// During a fault of Redis, look-ups are answered, all rejections are handled, and state and metrics show the fault.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SharedTier } from '../../src/cache/cached-entry.ts';
import { createMetrics, type Metrics } from '../../src/metrics.ts';
import { wallClock } from '../../src/time.ts';
import { doiName } from '../support/doi-names.ts';
import { type RedisServer, startRedisServer, until, withoutRedis } from '../support/redis-server.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { type CacheUnderTest, counted, createCacheUnderTest, livingFor } from './cache-under-test.ts';
import { createTierOn, PREFIX } from './tier-on-redis.ts';

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

describe.skipIf(withoutRedis('faults of the shared cache'))('if Redis', () => {
  let server: RedisServer;
  let tier: SharedTier;
  let metrics: Metrics;
  let serial = 0;

  beforeAll(async () => {
    process.on('unhandledRejection', note);
    server = await startRedisServer();
  });
  beforeEach(async () => {
    metrics = createMetrics();
    tier = createTierOn(server.url, { metrics });
    await isUp();
  });
  afterEach(async () => {
    await tier.close();
    await server.client.flushall();
    expect(unhandled).toEqual([]);
  });
  afterAll(async () => {
    await server.close();
    process.off('unhandledRejection', note);
  });

  const isUp = () => until('the tier is up', () => tier.state === 'up');
  const isDown = () => until('the tier is down', () => tier.state === 'down');
  const gauge = async () => (await metrics.sharedCacheUp.get()).values[0]?.value;
  const freshName = () => doiName(`10.1000/${++serial}`);

  /** A replica with its own memory. */
  function replica(): CacheUnderTest {
    const clock = { ...createVirtualClock(), now: wallClock.now, sleep: wallClock.sleep };
    const cache = createCacheUnderTest({ shared: tier, metrics, clock });
    cache.says(livingFor(3_600));
    return cache;
  }

  async function expectAnswer(cache: CacheUnderTest, name = freshName()): Promise<void> {
    expect(await cache.directory.resolve(name)).toMatchObject({
      handle: name,
      status: 'SUCCESS',
      stale: false,
    });
  }

  /** Whether a replica reads an answer that another replica stored. */
  async function isShared(): Promise<boolean> {
    const [one, other] = [replica(), replica()];
    const name = freshName();
    await expectAnswer(one, name);
    const key = `record:${name}`;
    await until(
      'it is written',
      async () => tier.state === 'down' || (await tier.getMany([key]))[0] !== null,
    );
    await expectAnswer(other, name);
    return other.calls.resolve.length === 0;
  }

  test('is up, a replica reads the answers of other replicas', async () => {
    expect(await isShared()).toBe(true);
    expect(await gauge()).toBe(1);
    expect(await counted(metrics.cacheLookups, { answeredBy: 'shared' })).toBe(1);
  });

  test('is killed, the gateway bypasses it, and uses it again after a restart', async () => {
    await server.kill();
    await isDown();
    expect(await gauge()).toBe(0);
    const cache = replica();
    await Promise.all(Array.from({ length: 50 }, () => expectAnswer(cache)));
    expect(cache.calls.resolve).toHaveLength(50);
    await server.restart();
    await isUp();
    // On a busy machine, the tier can be down for a moment.
    await until('it is used again', isShared);
    expect(await gauge()).toBe(1);
  });

  test('is killed during look-ups, the directory answers them', async () => {
    const cache = replica();
    const answers = Promise.all(Array.from({ length: 200 }, () => expectAnswer(cache)));
    await server.kill();
    await answers;
    await isDown();
    await server.restart();
    await isUp();
  });

  test('is frozen, the gateway bypasses it after the first timeouts, and uses it again later', async () => {
    const cache = replica();
    const failures = () => counted(metrics.sharedCacheErrors, {});
    const before = await failures();
    server.freeze();
    await Promise.all(Array.from({ length: 50 }, () => expectAnswer(cache)));
    expect(tier.state).toBe('down');
    expect(await gauge()).toBe(0);
    const failed = await failures();
    expect(failed).toBeGreaterThan(before);
    await Promise.all(Array.from({ length: 50 }, () => expectAnswer(cache)));
    expect(await failures()).toBe(failed);
    server.thaw();
    await isUp();
    expect(await isShared()).toBe(true);
  });

  test('is up but this process was busy, the gateway does not bypass it', async () => {
    const texts = tier.getMany(['record:10.1000/busy']);
    await new Promise<void>((resolve) => setImmediate(resolve));
    const end = performance.now() + 150;
    while (performance.now() < end);
    expect(await texts).toEqual([null]);
    expect(tier.state).toBe('up');
  });

  test('is full, the gateway still reads it, and looks up names without locks', async () => {
    const known = freshName();
    await expectAnswer(replica(), known);
    await until('it is written', async () => (await tier.getMany([`record:${known}`]))[0] !== null);
    await server.client.config('SET', 'maxmemory-policy', 'noeviction');
    await server.client.config('SET', 'maxmemory', '1mb');
    const cache = replica();
    for (let i = 0; i < 20; i += 1) await expectAnswer(cache);
    expect(tier.state).toBe('up');
    expect(cache.calls.resolve).toHaveLength(20);
    await expectAnswer(cache, known);
    expect(cache.calls.resolve).toHaveLength(20);
    expect(await counted(metrics.sharedCacheErrors, { operation: 'lock' })).toBe(20);
    expect(await counted(metrics.sharedCacheErrors, { operation: 'write' })).toBeGreaterThanOrEqual(19);
    await server.client.config('SET', 'maxmemory', '0');
    expect(await isShared()).toBe(true);
  });

  describe('has a value', () => {
    const keyOf = (name: string) => `${PREFIX}{record:${name}}`;

    test('that cannot be decoded, the gateway looks up the name and replaces the value', async () => {
      const [one, other] = [replica(), replica()];
      const name = freshName();
      const garbage = '{"handle":"10.1000/1"}';
      await server.client.set(keyOf(name), garbage);
      await expectAnswer(one, name);
      expect(one.calls.resolve).toHaveLength(1);
      expect(await counted(metrics.sharedCacheErrors, { operation: 'decode' })).toBeGreaterThanOrEqual(1);
      await until('it is replaced', async () => (await server.client.get(keyOf(name))) !== garbage);
      await expectAnswer(other, name);
      expect(tier.state).toBe('up');
    });

    test('of another type, the gateway looks up the name and replaces the value', async () => {
      const name = freshName();
      await server.client.hset(keyOf(name), 'a', '1');
      const cache = replica();
      await expectAnswer(cache, name);
      await until('it is replaced', async () => (await server.client.type(keyOf(name))) === 'string');
      expect(cache.calls.resolve).toHaveLength(1);
    });
  });

  test('is down at the start, look-ups are answered, and Redis is used later', async () => {
    await server.kill();
    const late = createTierOn(server.url);
    const cache = createCacheUnderTest({ shared: late });
    cache.says(livingFor(3_600));
    await expectAnswer(cache);
    expect(late.state).toBe('down');
    await server.restart();
    await until('the tier is up', () => late.state === 'up');
    await late.close();
    await isUp();
  });

  test('is up and the tier closes during look-ups, the look-ups are still answered', async () => {
    const cache = replica();
    const answers = Promise.all(Array.from({ length: 20 }, () => expectAnswer(cache)));
    await cache.directory.close();
    await answers;
  });
});
