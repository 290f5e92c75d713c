// The shared tier after Redis was too slow.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SharedTier } from '../../src/cache/cached-entry.ts';
import { type RedisServer, startRedisServer, until, withoutRedis } from '../support/redis-server.ts';
import { createTierOn, PREFIX } from './tier-on-redis.ts';

const KEY = 'record:10.1000/a';

describe.skipIf(withoutRedis('recovery of the shared cache'))('after Redis was frozen', () => {
  let server: RedisServer;
  let tier: SharedTier;
  beforeEach(async () => {
    server = await startRedisServer();
    tier = createTierOn(server.url);
    await until('the tier is up', () => tier.state === 'up');
  });
  afterEach(async () => {
    await tier.close();
    await server.close();
  });

  test('a lock that was granted too late is released', async () => {
    server.freeze();
    expect(await tier.lock(KEY, 60_000)).toEqual({ got: 'unavailable' });
    server.thaw();
    await until('the lock was granted', async () => (await server.calls('set')) === 1);
    await until('it is free', async () => (await server.client.exists(`${PREFIX}lock:{${KEY}}`)) === 0);
    // The lock did not expire: a script released it.
    expect(await server.calls('eval')).toBe(1);
  });

  test('the tier is used again as soon as Redis responds, even with an error', async () => {
    await server.client.acl('SETUSER', 'default', '-exists');
    server.freeze();
    expect(await tier.getMany([KEY])).toEqual([null]);
    expect(tier.state).toBe('down');
    server.thaw();
    await until('the tier is up', () => tier.state === 'up');
    tier.set(KEY, 'text', 60_000);
    await until('it is written', async () => (await tier.getMany([KEY]))[0] === 'text');
  });
});
