// A Redis cluster that loses a node: look-ups are still answered.

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
  /** number of failed commands */
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

  /** Looks up many new names of all nodes at once. Returns the milliseconds that this took. */
  async function lookUpMany(): Promise<number> {
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

  test('that is frozen is bypassed, and is used again after the node responds', async () => {
    const [node] = cluster.nodes;
    node?.freeze();
    await lookUpMany();
    expect(tier.state).toBe('down');
    const failed = await failures();
    await lookUpMany();
    expect(await failures()).toBe(failed);
    node?.thaw();
    await until('the tier is up', () => tier.state === 'up');
  });

  test('that is killed delays no look-up, even while the other nodes refuse commands', async () => {
    const [gone, other] = cluster.nodes;
    const took: number[] = [];
    await gone?.kill();
    for (let round = 0; round < 10; round += 1) took.push(await lookUpMany());
    const info = async () => String(await other?.client.cluster('INFO'));
    await until('the others have noticed', async () => (await info()).includes('cluster_state:fail'));
    for (let round = 0; round < 10; round += 1) took.push(await lookUpMany());
    expect(tier.state).toBe('down');
    // A command without response times out after a second.
    expect(Math.max(...took)).toBeLessThan(900);
    await gone?.restart();
    await until('the tier is up', () => tier.state === 'up');
    await until('no command fails', async () => {
      const failed = await failures();
      await lookUpMany();
      return tier.state === 'up' && (await failures()) === failed;
    });
  });
});
