// A cluster of Redis that loses one of its nodes: names are answered all the same.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SharedTier } from '../../src/cache/cached-entry.ts';
import { createMetrics } from '../../src/metrics.ts';
import { doiName } from '../support/doi-names.ts';
import { type RedisCluster, startRedisCluster, until, withoutRedis } from '../support/redis-server.ts';
import { createCacheUnderTest, livingFor } from './cache-under-test.ts';
import { createTierOn } from './tier-on-redis.ts';

describe.skipIf(withoutRedis('faults of a cluster of Redis'))('a cluster of Redis with a node', () => {
  let cluster: RedisCluster;
  let tier: SharedTier;
  let serial = 0;
  const metrics = createMetrics();
  /** how often the tier was asked in vain */
  const failures = async (): Promise<number> =>
    (await metrics.sharedCacheErrors.get()).values.reduce((sum, { value }) => sum + value, 0);
  beforeAll(async () => {
    cluster = await startRedisCluster();
    tier = createTierOn(cluster.url, { metrics });
    await until('the tier is up', () => tier.state === 'up');
  }, 60_000);
  afterAll(async () => {
    await tier.close();
    await cluster.close();
  });

  /** Asks for many new names of all nodes at once; the milliseconds that took. */
  async function askForMany(): Promise<number> {
    const cache = createCacheUnderTest({ shared: tier });
    cache.says(livingFor(3_600));
    const names = Array.from({ length: 60 }, () => doiName(`10.1000/${++serial}`));
    const start = performance.now();
    const records = await Promise.all(names.map((name) => cache.directory.resolve(name)));
    const took = performance.now() - start;
    expect(records.map(({ handle, status }) => [handle, status])).toEqual(
      names.map((name) => [name, 'SUCCESS']),
    );
    return took;
  }

  test('frozen costs 100 ms, then the tier is bypassed; thawed, it is used again', async () => {
    const [node] = cluster.nodes;
    node?.freeze();
    await askForMany();
    expect(tier.state).toBe('down');
    const failed = await failures();
    await askForMany();
    expect(await failures()).toBe(failed);
    node?.thaw();
    await until('the tier is up', () => tier.state === 'up');
  });

  test('gone is answered around, also when the others refuse to answer without it', async () => {
    const [gone, other] = cluster.nodes;
    const took: number[] = [];
    await gone?.kill();
    for (let round = 0; round < 10; round += 1) took.push(await askForMany());
    const info = async () => String(await other?.client.cluster('INFO'));
    await until('the others have noticed', async () => (await info()).includes('cluster_state:fail'));
    for (let round = 0; round < 10; round += 1) took.push(await askForMany());
    expect(tier.state).toBe('down');
    // A command that nobody answers is given up after a second.
    expect(Math.max(...took)).toBeLessThan(900);
    await gone?.restart();
    await until('the tier is up', () => tier.state === 'up');
    await until('all is asked and answered', async () => {
      const failed = await failures();
      await askForMany();
      return tier.state === 'up' && (await failures()) === failed;
    });
  });
});
