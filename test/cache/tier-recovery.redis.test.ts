// The tier after a Redis that was too slow: what it asked for in vain is put right, and it is used again.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SharedTier } from '../../src/cache/cached-entry.ts';
import { type RedisServer, startRedisServer, until, withoutRedis } from '../support/redis-server.ts';
import { createTierOn, PREFIX } from './tier-on-redis.ts';

const KEY = 'record:10.1000/a';

describe.skipIf(withoutRedis('recovery of the shared cache'))('a Redis that was frozen', () => {
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

  test('and gives a lock when nobody waits for it any more is given it back', async () => {
    server.freeze();
    expect(await tier.lock(KEY, 60_000)).toEqual({ got: 'unavailable' });
    server.thaw();
    await until('the lock was given', async () => (await server.calls('set')) === 1);
    await until('it is free', async () => (await server.client.exists(`${PREFIX}lock:{${KEY}}`)) === 0);
    // Well before the lock would have run out.
    expect(await server.calls('eval')).toBe(1);
  });

  test('is used again as soon as it answers, if only to say no', async () => {
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
