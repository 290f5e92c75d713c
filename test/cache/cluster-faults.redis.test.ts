// A cluster of Redis that loses one of its nodes: names are answered all the same, and quickly.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SharedTier } from '../../src/cache/shared-tier.ts';
import { doiName } from '../support/doi-names.ts';
import { type RedisCluster, startRedisCluster, until, withoutRedis } from '../support/redis-server.ts';
import { createCacheUnderTest, livingFor } from './cache-under-test.ts';
import { createTierOn } from './tier-on-redis.ts';

describe.skipIf(withoutRedis('faults of a cluster of Redis'))('a cluster of Redis with a node', () => {
  let cluster: RedisCluster;
  let tier: SharedTier;
  let serial = 0;
  beforeAll(async () => {
    cluster = await startRedisCluster();
    tier = createTierOn(cluster.url);
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
    const first = await askForMany();
    expect(tier.state).toBe('down');
    const second = await askForMany();
    node?.thaw();
    await until('the tier is up', () => tier.state === 'up');
    expect(first).toBeLessThan(400);
    expect(second).toBeLessThan(90);
  });

  test('gone is answered around, also when the others refuse to answer without it', async () => {
    const [gone, other] = cluster.nodes;
    const took: number[] = [];
    await gone?.kill();
    for (let round = 0; round < 10; round += 1) took.push(await askForMany());
    const info = async () => String(await other?.client.cluster('INFO'));
    await until('the others have noticed', async () => (await info()).includes('cluster_state:fail'));
    for (let round = 0; round < 10; round += 1) took.push(await askForMany());
    if (process.env['SHOW']) console.info(took.map(Math.round).join(), tier.state);
    expect(tier.state).toBe('down');
    expect(Math.max(...took)).toBeLessThan(400);
    await gone?.restart();
    await until('the tier is up', () => tier.state === 'up');
    await until('all is asked and answered', async () => (await askForMany()) < 50);
  });
});
