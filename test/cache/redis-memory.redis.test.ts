// The problems that the memory watch reads from INFO: Redis is full, or evicts keys.

import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { connectRedis } from '../../src/cache/redis-connection.ts';
import { createRedisMemoryWatch, type RedisMemoryWatch } from '../../src/cache/redis-memory.ts';
import { redisUrl } from '../../src/config-variables/redis-url.ts';
import { createMetrics } from '../../src/metrics.ts';
import { keepLog } from '../support/log-lines.ts';
import {
  type RedisServer,
  startRedisCluster,
  startRedisServer,
  until,
  withoutRedis,
} from '../support/redis-server.ts';
import { createTierOn } from './tier-on-redis.ts';

/** A watch after its first check. */
async function watchOn(url: string, usedFor: 'jobs' | 'cache') {
  const kept = keepLog();
  const metrics = createMetrics();
  const redis = connectRedis(redisUrl.parse(url));
  redis.on('error', () => {});
  onTestFinished(() => redis.disconnect());
  const watch = createRedisMemoryWatch({ redis, usedFor, log: kept.log, metrics });
  await until('Redis responds', () => watch.check());
  const gauge = async () => {
    const { values } = await metrics.redisProblem.get();
    return Object.fromEntries(
      values.map(({ labels, value }) => [`${labels.redis} ${labels.problem}`, value]),
    );
  };
  return { watch, kept, gauge };
}

async function fill({ client }: RedisServer): Promise<void> {
  for (let at = 0; ; at += 1) {
    const error = await client.set(`filled:${at}`, 'x'.repeat(500)).then(
      () => null,
      (cause: Error) => cause,
    );
    if (error !== null) return expect(error.message).toMatch(/^OOM/);
  }
}

async function problemOf(watch: RedisMemoryWatch): Promise<string | null> {
  expect(await watch.check()).toBe(true);
  return watch.problem;
}

describe.skipIf(withoutRedis('the memory of Redis'))('a Redis', () => {
  let server: RedisServer;

  beforeEach(async () => {
    server = await startRedisServer('--maxmemory', '3mb');
    return () => server.close();
  });

  test('that refuses writes is full until it has memory again, and the log says so once', async () => {
    const { watch, kept, gauge } = await watchOn(server.url, 'cache');
    expect(watch.problem).toBeNull();
    expect(await gauge()).toEqual({ 'cache full': 0 });
    await fill(server);
    expect([await problemOf(watch), await problemOf(watch)]).toEqual(['full', 'full']);
    expect(await gauge()).toEqual({ 'cache full': 1 });
    await server.client.flushall();
    expect([await problemOf(watch), await problemOf(watch)]).toEqual([null, null]);
    expect(kept.lines.map(({ level, msg }) => [level, msg])).toEqual([
      [40, 'The Redis of the cache is full and refuses writes. Give it more memory (maxmemory).'],
      [30, 'The Redis of the cache is no longer full.'],
    ]);
  });

  test('that evicts keys is a problem for jobs, but not for a cache', async () => {
    const [jobs, cache] = [await watchOn(server.url, 'jobs'), await watchOn(server.url, 'cache')];
    await server.client.config('SET', 'maxmemory-policy', 'volatile-ttl');
    expect([await problemOf(jobs.watch), await problemOf(cache.watch)]).toEqual(['evicting', null]);
    expect(await jobs.gauge()).toEqual({ 'jobs full': 0, 'jobs evicting': 1 });
    expect([jobs.kept.lines.length, cache.kept.lines.length]).toEqual([1, 0]);
    expect(jobs.kept.lines[0]).toMatchObject({ policy: 'volatile-ttl' });
  });

  test('that is down keeps its last problem', async () => {
    const { watch } = await watchOn(server.url, 'jobs');
    await server.client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    expect(await problemOf(watch)).toBe('evicting');
    await server.kill();
    await until('Redis is down', async () => !(await watch.check()));
    expect(watch.problem).toBe('evicting');
    await server.restart();
    await until('Redis is up', () => watch.check());
    expect(watch.problem).toBeNull();
  });

  test('of the cache is checked repeatedly, and still read while it is full', async () => {
    const tier = createTierOn(server.url, { memoryEveryMs: 5 });
    onTestFinished(() => tier.close());
    await until('it is up', () => tier.state === 'up');
    await fill(server);
    await until('it is full', () => tier.isFull);
    expect(tier.state).toBe('up');
    await server.client.flushall();
    await until('it is not full', () => !tier.isFull);
  });
});

describe.skipIf(withoutRedis('the memory of a cluster'))('a cluster', () => {
  test('has the problem of any of its nodes', async () => {
    const cluster = await startRedisCluster();
    onTestFinished(() => cluster.close());
    const { watch } = await watchOn(cluster.url, 'jobs');
    expect(watch.problem).toBeNull();
    await cluster.nodes[2]?.client.config('SET', 'maxmemory', '1mb');
    expect(await problemOf(watch)).toBe('full');
    await cluster.nodes[1]?.client.config('SET', 'maxmemory-policy', 'allkeys-lfu');
    expect(await problemOf(watch)).toBe('full');
    await cluster.nodes[2]?.client.config('SET', 'maxmemory', '0');
    expect(await problemOf(watch)).toBe('evicting');
  });
});
