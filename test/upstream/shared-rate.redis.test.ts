import { describe, expect, onTestFinished, test } from 'vitest';
import { connectRedis } from '../../src/cache/redis-connection.ts';
import { redisUrl } from '../../src/config-variables/redis-url.ts';
import { steadyClock } from '../../src/time.ts';
import { createRequestWindow, createSharedRate } from '../../src/upstream/request-rate.ts';
import { startRedisServer, withoutRedis } from '../support/redis-server.ts';

const PER_SECOND = 5;

describe.skipIf(withoutRedis('the shared request rate'))('replicas on one Redis', () => {
  test('share one request rate', async () => {
    const redis = await startRedisServer();
    onTestFinished(() => redis.close());
    const replicas = [1, 2].map(() => {
      const client = connectRedis(redisUrl.parse(redis.url));
      client.on('error', () => {});
      onTestFinished(() => client.disconnect());
      const shared = createSharedRate(client, 'directory', steadyClock);
      const limit = { requests: PER_SECOND, seconds: 1 };
      return { client, rate: createRequestWindow(limit, steadyClock, shared) };
    });
    await Promise.all(replicas.map(({ client }) => new Promise((resolve) => client.once('ready', resolve))));

    const started = performance.now();
    const seconds: number[] = [];
    const takers = replicas.flatMap(({ rate }) => Array.from({ length: PER_SECOND }, () => rate.take()));
    await Promise.all(
      takers.map((taker) => taker.then(() => seconds.push((performance.now() - started) / 1_000))),
    );

    // The second five requests are sent in the next window, or later on a busy machine.
    expect(seconds).toHaveLength(2 * PER_SECOND);
    expect(seconds.filter((second) => second < 0.9).length).toBeLessThanOrEqual(PER_SECOND);
  });
});
