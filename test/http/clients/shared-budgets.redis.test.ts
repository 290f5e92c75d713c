// Budgets that replicas share, on a real Redis.

import { describe, expect, onTestFinished, test } from 'vitest';
import { connectRedis } from '../../../src/cache/redis-connection.ts';
import { parseRedisUrl } from '../../../src/config-variables/redis-url.ts';
import { policyOf } from '../../../src/http/clients/budget-policy.ts';
import { createClientBudgets } from '../../../src/http/clients/client-budgets.ts';
import { startRedisServer, until, withoutRedis } from '../../support/redis-server.ts';

const POLICY = policyOf(1, 10);

async function replicas() {
  const redis = await startRedisServer();
  onTestFinished(() => redis.close());
  const made = [1, 2].map(() => {
    const client = connectRedis(parseRedisUrl(redis.url));
    client.on('error', () => {});
    onTestFinished(() => client.disconnect());
    return { client, budgets: createClientBudgets({ redis: client }) };
  });
  const areReady = () =>
    until('both are connected', () => made.every(({ client }) => client.status === 'ready'));
  await areReady();
  /** How many of so many look-ups each replica lets through, asked of both at once. */
  const take = async (key: string, each: number) => {
    const asked = made.map(({ budgets }) =>
      Promise.allSettled(Array.from({ length: each }, () => budgets.of(key, POLICY).take(1))),
    );
    const settled = await Promise.all(asked);
    return settled.map((results) => results.filter(({ status }) => status === 'fulfilled').length);
  };
  return { redis, take, made, areReady };
}

describe.skipIf(withoutRedis('shared budgets'))('replicas on one Redis', () => {
  test('give a client no more together than one of them would alone', async () => {
    const { take, redis } = await replicas();
    const [a = 0, b = 0] = await take('192.0.2.1', 50);
    expect(a + b).toBe(10);
    expect(await take('192.0.2.1', 5)).toEqual([0, 0]);
    expect((await take('192.0.2.2', 5)).reduce((sum, one) => sum + one)).toBe(10);
    // What is counted goes by itself.
    expect(await redis.client.ttl('doi-gateway:lookups:10/10:192.0.2.1')).toBeGreaterThan(0);
  });

  test('count each for itself while Redis is gone, and together again when it is back', async () => {
    const { redis, take, areReady } = await replicas();
    await redis.kill();
    expect(await take('192.0.2.1', 20)).toEqual([10, 10]);
    await redis.restart();
    await areReady();
    await until('they count together', async () => {
      const [a = 0, b = 0] = await take(`client ${performance.now()}`, 20);
      return a + b === 10;
    });
  });
});
