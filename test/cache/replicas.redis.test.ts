import { describe, expect, onTestFinished, test } from 'vitest';
import { createMetrics } from '../../src/metrics.ts';
import { wallClock } from '../../src/time.ts';
import { doiName } from '../support/doi-names.ts';
import { startRedisServer, until, withoutRedis } from '../support/redis-server.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { counted, createCacheUnderTest, livingFor } from './cache-under-test.ts';
import { createTierOn } from './tier-on-redis.ts';

describe.skipIf(withoutRedis('replicas on one Redis'))('ten replicas on one Redis', () => {
  test('that look up the same 200 new names at once send 200 requests in all', async () => {
    const server = await startRedisServer();
    onTestFinished(() => server.close());
    // Ten replicas in one process can be slow, so a short timeout would look like a frozen Redis.
    const options = { timeoutMs: 5_000 };
    const metrics = createMetrics();
    const clock = { ...createVirtualClock(), now: wallClock.now, sleep: wallClock.sleep };
    const replicas = Array.from({ length: 10 }, () => {
      const shared = createTierOn(server.url, options);
      const replica = createCacheUnderTest({ shared, metrics, clock });
      replica.says(livingFor(3_600));
      return { shared, ...replica };
    });
    onTestFinished(() =>
      Promise.all(replicas.map(({ directory }) => directory.close())).then(() => undefined),
    );
    await until('all tiers are up', () => replicas.every(({ shared }) => shared.state === 'up'));
    const names = Array.from({ length: 200 }, (_, i) => doiName(`10.1000/${i}`));
    const records = await Promise.all(
      replicas.flatMap(({ directory }) => names.map((name) => directory.resolve(name))),
    );
    expect(records.map(({ handle }) => handle)).toEqual(replicas.flatMap(() => names));
    const requested = replicas.flatMap(({ calls }) => calls.resolve.map(({ name }) => name));
    expect(requested).toHaveLength(200);
    expect(new Set(requested).size).toBe(200);
    expect(await counted(metrics.cacheLookups, { kind: 'record' })).toBe(2_000);
    expect(await counted(metrics.lockWaits, { ended: 'lost' })).toBe(0);
    expect(await counted(metrics.lockWaits, { ended: 'answered' })).toBeGreaterThan(0);
  });
});
