// Redis in all kinds of trouble: answers stay right, nothing rejects, and state and metrics say what is going on.

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

describe.skipIf(withoutRedis('faults of the shared cache'))('while Redis', () => {
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

  /** A replica of its own memory on the one Redis. */
  function replica(): CacheUnderTest {
    const clock = { ...createVirtualClock(), now: wallClock.now, sleep: wallClock.sleep };
    const cache = createCacheUnderTest({ shared: tier, metrics, clock });
    cache.says(livingFor(3_600));
    return cache;
  }

  async function answersRight(cache: CacheUnderTest, name = freshName()): Promise<void> {
    expect(await cache.directory.resolve(name)).toMatchObject({
      handle: name,
      status: 'SUCCESS',
      stale: false,
    });
  }

  /** Whether what one replica fetched is there for another. */
  async function isShared(): Promise<boolean> {
    const [one, other] = [replica(), replica()];
    const name = freshName();
    await answersRight(one, name);
    const key = `record:${name}`;
    await until(
      'it is written',
      async () => tier.state === 'down' || (await tier.getMany([key]))[0] !== null,
    );
    await answersRight(other, name);
    return other.calls.resolve.length === 0;
  }

  test('is well, what one replica fetched another one reads', async () => {
    expect(await isShared()).toBe(true);
    expect(await gauge()).toBe(1);
    expect(await counted(metrics.cacheLookups, { answeredBy: 'shared' })).toBe(1);
  });

  test('is killed, it is bypassed; restarted empty, it is used again', async () => {
    await server.kill();
    await isDown();
    expect(await gauge()).toBe(0);
    const cache = replica();
    await Promise.all(Array.from({ length: 50 }, () => answersRight(cache)));
    expect(cache.calls.resolve).toHaveLength(50);
    await server.restart();
    await isUp();
    // On a busy machine, the tier can be down once more.
    await until('it is used again', isShared);
    expect(await gauge()).toBe(1);
  });

  test('is killed in the middle of look-ups, they are answered by the directory', async () => {
    const cache = replica();
    const asked = Promise.all(Array.from({ length: 200 }, () => answersRight(cache)));
    await server.kill();
    await asked;
    await isDown();
    await server.restart();
    await isUp();
  });

  test('is frozen, it is waited for once; thawed, it is used again', async () => {
    const cache = replica();
    const failures = () => counted(metrics.sharedCacheErrors, {});
    const before = await failures();
    server.freeze();
    await Promise.all(Array.from({ length: 50 }, () => answersRight(cache)));
    expect(tier.state).toBe('down');
    expect(await gauge()).toBe(0);
    const failed = await failures();
    expect(failed).toBeGreaterThan(before);
    await Promise.all(Array.from({ length: 50 }, () => answersRight(cache)));
    expect(await failures()).toBe(failed);
    server.thaw();
    await isUp();
    expect(await isShared()).toBe(true);
  });

  test('is well and this process was busy, it is not taken for frozen', async () => {
    const asked = tier.getMany(['record:10.1000/busy']);
    await new Promise<void>((resolve) => setImmediate(resolve));
    const end = performance.now() + 150;
    while (performance.now() < end);
    expect(await asked).toEqual([null]);
    expect(tier.state).toBe('up');
  });

  test('is full, reads go on and names are fetched without locks', async () => {
    const known = freshName();
    await answersRight(replica(), known);
    await until('it is written', async () => (await tier.getMany([`record:${known}`]))[0] !== null);
    await server.client.config('SET', 'maxmemory-policy', 'noeviction');
    await server.client.config('SET', 'maxmemory', '1mb');
    const cache = replica();
    for (let i = 0; i < 20; i += 1) await answersRight(cache);
    expect(tier.state).toBe('up');
    expect(cache.calls.resolve).toHaveLength(20);
    await answersRight(cache, known);
    expect(cache.calls.resolve).toHaveLength(20);
    expect(await counted(metrics.sharedCacheErrors, { operation: 'lock' })).toBe(20);
    expect(await counted(metrics.sharedCacheErrors, { operation: 'write' })).toBeGreaterThanOrEqual(19);
    await server.client.config('SET', 'maxmemory', '0');
    expect(await isShared()).toBe(true);
  });

  test('is flushed, names are fetched again', async () => {
    const name = freshName();
    await answersRight(replica(), name);
    await until('it is written', async () => (await tier.getMany([`record:${name}`]))[0] !== null);
    await server.client.flushall();
    const cache = replica();
    await answersRight(cache, name);
    expect(cache.calls.resolve).toHaveLength(1);
    expect(tier.state).toBe('up');
  });

  describe('holds garbage under our keys', () => {
    const keyOf = (name: string) => `${PREFIX}{record:${name}}`;

    test.each([
      ['no JSON', '\u0000\u0001\u0002'],
      ['other JSON', '{"handle":"10.1000/1"}'],
      ['half an entry', '[1795176000000,1,[[1,"URL"'],
      ['an entry of another version', '[1795176000000,1795179600000,1,[]]'],
      ['an agency', '[1795176000000,1795179600000,"FOUND","Crossref"]'],
    ])('%s: it is fetched anew, and written over', async (_, garbage) => {
      const [one, other] = [replica(), replica()];
      const name = freshName();
      await server.client.set(keyOf(name), garbage);
      await answersRight(one, name);
      expect(one.calls.resolve).toHaveLength(1);
      expect(await counted(metrics.sharedCacheErrors, { operation: 'decode' })).toBeGreaterThanOrEqual(1);
      await until(
        'it is mended',
        async () => (await server.client.get(keyOf(name)))?.length !== garbage.length,
      );
      await answersRight(other, name);
      expect(tier.state).toBe('up');
    });

    test('a value of another type: it is fetched anew, and written over', async () => {
      const name = freshName();
      await server.client.hset(keyOf(name), 'a', '1');
      const cache = replica();
      await answersRight(cache, name);
      await until('it is mended', async () => (await server.client.type(keyOf(name))) === 'string');
      expect(cache.calls.resolve).toHaveLength(1);
    });

    test('a lock of another type that nobody ever releases: it is waited for 10 seconds, not for ever', async () => {
      const name = freshName();
      await server.client.hset(`${PREFIX}lock:{record:${name}}`, 'a', '1');
      const clock = createVirtualClock();
      const cache = createCacheUnderTest({ shared: tier, metrics, clock });
      cache.says(livingFor(3_600));
      let isAnswered = false;
      const asked = cache.directory.resolve(name).finally(() => {
        isAnswered = true;
      });
      const start = clock.now();
      await until('it is answered', async () => {
        if (clock.sleepers > 0) await clock.advance(500);
        return isAnswered;
      });
      expect(await asked).toMatchObject({ status: 'SUCCESS' });
      expect(clock.now() - start).toBeGreaterThanOrEqual(10_000);
      expect(clock.now() - start).toBeLessThan(12_000);
      expect(await counted(metrics.lockWaits, { ended: 'lost' })).toBe(1);
    });
  });

  test('cannot be reached from the start, everything is answered; it is used when it comes', async () => {
    await server.kill();
    const late = createTierOn(server.url);
    const cache = createCacheUnderTest({ shared: late });
    cache.says(livingFor(3_600));
    await answersRight(cache);
    expect(late.state).toBe('down');
    await server.restart();
    await until('the tier is up', () => late.state === 'up');
    await late.close();
    await isUp();
  });

  test('is asked as the tier closes, nothing rejects and nothing goes on', async () => {
    const cache = replica();
    const asked = Promise.all(Array.from({ length: 20 }, () => answersRight(cache)));
    await cache.directory.close();
    await asked;
  });
});
