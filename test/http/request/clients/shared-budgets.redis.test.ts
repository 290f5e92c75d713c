// Replicas share the budgets of their clients in a real Redis.

import { describe, expect, onTestFinished, test } from 'vitest';
import { createClientAccess } from '../../../../src/app/client-access.ts';
import { limitsOf } from '../../../../src/app/limits.ts';
import { connectRedis, redisPrefix } from '../../../../src/cache/redis-connection.ts';
import { parseConfig } from '../../../../src/config.ts';
import { redisUrl } from '../../../../src/config-variables/redis-url.ts';
import { policyOf } from '../../../../src/http/request/clients/budget-policy.ts';
import { createClientBudgets } from '../../../../src/http/request/clients/client-budgets.ts';
import { createLog } from '../../../../src/log.ts';
import { startRedisServer, until, withoutRedis } from '../../../support/redis-server.ts';

const POLICY = policyOf(1, 10);

async function replicaOn(url: string) {
  const client = connectRedis(redisUrl.parse(url));
  client.on('error', () => {});
  onTestFinished(() => client.disconnect());
  await until('the replica is connected', () => client.status === 'ready');
  // A machine that is busy may keep Redis from responding for longer than a client would wait.
  return { client, budgets: createClientBudgets({ redis: client, redisTimeoutMs: 10_000 }) };
}

async function replicas() {
  const redis = await startRedisServer();
  onTestFinished(() => redis.close());
  const made = await Promise.all([1, 2].map(() => replicaOn(redis.url)));
  const areReady = () =>
    until('both are connected', () => made.every(({ client }) => client.status === 'ready'));
  /** Takes look-ups from both replicas at once. Returns how many each replica allowed. */
  const take = async (key: string, each: number) => {
    const taken = made.map(({ budgets }) =>
      Promise.allSettled(Array.from({ length: each }, () => budgets.of(key, POLICY).take(1))),
    );
    const results = await Promise.all(taken);
    return results.map((ofReplica) => ofReplica.filter(({ status }) => status === 'fulfilled').length);
  };
  return { redis, take, made, areReady };
}

describe.skipIf(withoutRedis('shared budgets'))('replicas on one Redis', () => {
  test('allow a client together as many look-ups as a single replica allows', async () => {
    const { take, redis } = await replicas();
    const [a = 0, b = 0] = await take('192.0.2.1', 50);
    expect(a + b).toBe(10);
    expect(await take('192.0.2.1', 5)).toEqual([0, 0]);
    expect((await take('192.0.2.2', 5)).reduce((sum, one) => sum + one)).toBe(10);
    // Redis removes the counter.
    expect(await redis.client.ttl('lookups:10/10:192.0.2.1')).toBeGreaterThan(0);
  });

  test('begin a new window after the clock of Redis goes back by an hour', async () => {
    const { take, redis } = await replicas();
    await take('192.0.2.1', 10);
    // Redis has this state after its clock goes back by an hour.
    await redis.client.pexpire('lookups:10/10:192.0.2.1', 3_610_000);
    // The replicas know from their own clock that the window is full. A new replica reads it from Redis.
    const { budgets } = await replicaOn(redis.url);
    await budgets.of('192.0.2.1', POLICY).take(1);
    expect(await redis.client.pttl('lookups:10/10:192.0.2.1')).toBeLessThanOrEqual(10_000);
  });

  test('share a counter if they have the same directory', async () => {
    const redis = await startRedisServer();
    onTestFinished(() => redis.close());
    const urls = ['https://doi.org/', 'https://doi.org', 'https://staging.example'];
    for (const url of urls) {
      const config = parseConfig({
        REDIS_URL: redis.url,
        DOI_DIRECTORY_URL: url,
        CLIENT_LOOKUPS_PER_SECOND: '100',
      });
      const source = await createClientAccess(config, limitsOf(config), createLog('silent'), Date.now);
      onTestFinished(() => source.close());
      const { budget } = source.clients.identify({ address: '192.0.2.1', header: () => undefined });
      const calls = await redis.calls('incrby');
      await until('the replica counts in Redis', async () => {
        await budget?.take(1);
        return (await redis.calls('incrby')) > calls;
      });
    }
    const keys = urls.map((url) => `${redisPrefix([new URL(url)])}lookups:1000/10:192.0.2.1`);
    expect((await redis.client.keys('*')).sort()).toEqual([...new Set(keys)].sort());
  });

  test('count separately while Redis is down, and together afterwards', async () => {
    const { redis, take, areReady } = await replicas();
    await redis.kill();
    expect(await take('192.0.2.1', 20)).toEqual([10, 10]);
    await redis.restart();
    await areReady();
    await until('the replicas count together', async () => {
      const [a = 0, b = 0] = await take(`client ${performance.now()}`, 20);
      return a + b === 10;
    });
  });
});
