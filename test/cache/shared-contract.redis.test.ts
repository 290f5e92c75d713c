// The contract of a shared tier. It is tested on Redis, on a Redis cluster, and on the fake that other tests use.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type LockAttempt, MAX_TEXT_BYTES, type SharedTier } from '../../src/cache/cached-entry.ts';
import {
  type RedisCluster,
  type RedisServer,
  startRedisCluster,
  startRedisServer,
  until,
  withoutRedis,
} from '../support/redis-server.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { createFakeSharedTier } from './fake-shared-tier.ts';
import { createTierOn, PREFIX } from './tier-on-redis.ts';

interface Setting {
  /** the tiers of two replicas on one store */
  readonly tiers: readonly [SharedTier, SharedTier];
  passTime(ms: number): Promise<void>;
}

const NAMES = [
  '10.1000/a',
  '10.1000/A',
  '10.1000/{b}',
  '10.1000/}b{',
  '10.1000/%7D',
  '10.1000/}',
  '10.1000/é ж 𝒳\u0301',
  `10.1000/${'long'.repeat(5_000)}`,
];

function testContract(setting: () => Setting): void {
  const tiers = (): Setting['tiers'] => setting().tiers;
  let serial = 0;
  const freshKey = (): string => `record:10.1000/${++serial}`;

  test('a batch returns texts in order, and null for missing keys', async () => {
    const [one, other] = tiers();
    const [a, b, c] = [freshKey(), freshKey(), freshKey()];
    one.set(a, 'text of a', 60_000);
    one.set(c, 'text of c', 60_000);
    await until('both are there', async () => !(await other.getMany([a, c])).includes(null));
    expect(await other.getMany([c, b, a, c])).toEqual(['text of c', null, 'text of a', 'text of c']);
    expect(await other.getMany([])).toEqual([]);
  });

  test('keys can have braces, percent signs and any other characters', async () => {
    const [one, other] = tiers();
    for (const name of NAMES) one.set(`record:${name}`, `[${name}]`, 60_000);
    const keys = NAMES.map((name) => `record:${name}`);
    await until('all are there', async () => !(await other.getMany(keys)).includes(null));
    expect(await other.getMany(keys)).toEqual(NAMES.map((name) => `[${name}]`));
  });

  test('a text can be replaced and deleted, and expires', async () => {
    const [one, other] = tiers();
    const key = freshKey();
    const holds = (text: string | null) =>
      until(`it holds ${text}`, async () => (await other.getMany([key]))[0] === text);
    one.set(key, 'first', 60_000);
    other.set(key, 'second', 60_000);
    await holds('second');
    one.delete(key);
    await holds(null);
    one.set(key, 'third', 100);
    await holds('third');
    await setting().passTime(110);
    await holds(null);
  });

  test('a too long text is not stored, and the older text of its key is deleted', async () => {
    const [one, other] = tiers();
    const [kept, tooLong] = [freshKey(), freshKey()];
    one.set(kept, 'é'.repeat(MAX_TEXT_BYTES / 2), 60_000);
    one.set(tooLong, 'short', 60_000);
    await until('both are there', async () => !(await other.getMany([kept, tooLong])).includes(null));
    one.set(tooLong, `${'é'.repeat(MAX_TEXT_BYTES / 2)}x`, 60_000);
    await until('one is gone', async () => (await other.getMany([tooLong]))[0] === null);
    expect((await other.getMany([kept]))[0]?.length).toBe(MAX_TEXT_BYTES / 2);
  });

  test('one caller gets a lock, and its release frees the lock', async () => {
    const [one, other] = tiers();
    const key = freshKey();
    const attempts = await Promise.all([one, other, one, other].map((tier) => tier.lock(key, 60_000)));
    expect(attempts.filter(({ got }) => got === 'lock')).toHaveLength(1);
    expect(attempts.filter(({ got }) => got === 'held by another')).toHaveLength(3);
    for (const attempt of attempts) release(attempt);
    await until('it is free', async () => (await other.lock(key, 60_000)).got === 'lock');
  });

  test('an expired lock goes to another caller, and the first owner cannot release it', async () => {
    const [one, other] = tiers();
    const key = freshKey();
    const first = await one.lock(key, 60);
    expect((await other.lock(key, 60_000)).got).toBe('held by another');
    await setting().passTime(70);
    expect((await other.lock(key, 60_000)).got).toBe('lock');
    release(first);
    await one.getMany([key]);
    expect((await one.lock(key, 60_000)).got).toBe('held by another');
  });

  test('locks of different keys are independent, and a lock stores no text under its key', async () => {
    const [one, other] = tiers();
    const [a, b] = [freshKey(), freshKey()];
    expect((await one.lock(a, 60_000)).got).toBe('lock');
    expect((await other.lock(b, 60_000)).got).toBe('lock');
    expect(await other.getMany([a, b])).toEqual([null, null]);
  });
}

function release(attempt: LockAttempt): void {
  if (attempt.got === 'lock') attempt.release();
}

async function connect(url: string): Promise<SharedTier> {
  // Large texts take longer than the default timeout.
  const tier = createTierOn(url, { timeoutMs: 5_000 });
  await until('the tier is up', () => tier.state === 'up');
  return tier;
}

async function settingOn(url: string): Promise<Setting> {
  return {
    tiers: [await connect(url), await connect(url)],
    passTime: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
}

describe('a fake', () => {
  const clock = createVirtualClock();
  const tier = createFakeSharedTier(clock);
  testContract(() => ({ tiers: [tier, tier], passTime: (ms) => clock.advance(ms) }));
});

describe.skipIf(withoutRedis('the shared cache on Redis'))('Redis', () => {
  let server: RedisServer;
  let setting: Setting;
  beforeAll(async () => {
    server = await startRedisServer();
    setting = await settingOn(server.url);
  });
  afterEach(() => expect(setting.tiers.map(({ state }) => state)).toEqual(['up', 'up']));
  afterAll(async () => {
    await Promise.all(setting.tiers.map((tier) => tier.close()));
    await server.close();
  });

  testContract(() => setting);

  test('reads only the beginning of a text that is too long', async () => {
    await server.client.set(`${PREFIX}{record:10.1000/huge}`, 'x'.repeat(20_000_000));
    const [text] = await setting.tiers[0].getMany(['record:10.1000/huge']);
    expect(text?.length).toBe(MAX_TEXT_BYTES + 1);
  });

  test('reads a value of another type as null, and the other keys of the batch', async () => {
    await server.client.hset(`${PREFIX}{record:10.1000/hash}`, 'a', '1');
    await server.client.set(`${PREFIX}{record:10.1000/text}`, 'text');
    const keys = ['record:10.1000/hash', 'record:10.1000/text'];
    expect(await setting.tiers[0].getMany(keys)).toEqual([null, 'text']);
  });

  test('reads a batch with one command', async () => {
    await server.client.config('RESETSTAT');
    await setting.tiers[0].getMany(Array.from({ length: 500 }, (_, i) => `record:10.1000/batch.${i}`));
    expect([await server.calls('eval'), await server.calls('get')]).toEqual([1, 0]);
  });
});

describe.skipIf(withoutRedis('the shared cache on a cluster of Redis'))('a cluster of Redis', () => {
  let cluster: RedisCluster;
  let setting: Setting;
  beforeAll(async () => {
    cluster = await startRedisCluster();
    setting = await settingOn(cluster.url);
  }, 60_000);
  afterEach(() => expect(setting.tiers.map(({ state }) => state)).toEqual(['up', 'up']));
  afterAll(async () => {
    await Promise.all(setting.tiers.map((tier) => tier.close()));
    await cluster.close();
  });

  testContract(() => setting);

  test('reads a batch with one pipeline per node', async () => {
    const keys = Array.from({ length: 300 }, (_, i) => `record:10.1000/batch.${i}`);
    await setting.tiers[0].getMany(keys);
    const reads = async () => {
      const stats = await Promise.all(cluster.nodes.map(({ client }) => client.info('stats')));
      return stats.map((text) => Number(/total_reads_processed:(\d+)/.exec(text)?.[1]));
    };
    await Promise.all(cluster.nodes.map(({ client }) => client.config('RESETSTAT')));
    const before = await reads();
    await setting.tiers[0].getMany(keys);
    const after = await reads();
    const gets = await Promise.all(cluster.nodes.map((node) => node.calls('getrange')));
    expect(gets.reduce((sum, count) => sum + count)).toBe(keys.length);
    expect(Math.min(...gets)).toBeGreaterThan(50);
    // Only the pipeline, INFO and heartbeats cause reads.
    for (const [i, count] of after.entries()) expect(count - (before[i] ?? 0)).toBeLessThan(10);
  });

  test('stores a key and its lock on one node, so that their commands stay in order', async () => {
    const [one, other] = setting.tiers;
    for (let i = 0; i < 200; i += 1) {
      const key = `record:10.1000/order.${i}`;
      const held = await one.lock(key, 60_000);
      one.set(key, 'answer', 60_000);
      release(held);
      while ((await other.lock(key, 60_000)).got !== 'lock');
      expect(await other.getMany([key])).toEqual(['answer']);
    }
  });
});
