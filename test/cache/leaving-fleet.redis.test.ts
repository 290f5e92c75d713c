// Clients that hang up on one replica: the others do not wait for what it has given up.

import { describe, expect, onTestFinished, test } from 'vitest';
import { wallClock } from '../../src/time.ts';
import { startRedisServer, until, withoutRedis } from '../support/redis-server.ts';
import { createVirtualClock, settled } from '../support/virtual-clock.ts';
import { createCacheOfLookUps, expectNoUnhandledRejections, NAME } from './cache-of-look-ups.ts';
import { counted, HOUR } from './cache-under-test.ts';
import { createFakeSharedTier } from './fake-shared-tier.ts';
import { createTierOn } from './tier-on-redis.ts';

expectNoUnhandledRejections();

describe('replicas', () => {
  test('that wait for the lock of a look-up that is given up get it at once', async () => {
    const clock = createVirtualClock();
    const shared = createFakeSharedTier(clock);
    const [one, other] = [1, 2].map(() => createCacheOfLookUps({ clock, shared }));
    if (!one || !other) expect.unreachable();
    const leaving = one.ask();
    await settled();
    const staying = other.ask();
    await clock.advance(1_000);
    expect(other.lookUps).toEqual([]);
    leaving.leave();
    await clock.advance(320);
    await other.lookUps[0]?.answer(60);
    expect(await staying.answer).toMatchObject({ status: 'SUCCESS' });
    expect(one.lookUps).toHaveLength(1);
  });

  test('wait for the lock of another no longer than somebody waits for them', async () => {
    const clock = createVirtualClock();
    const shared = createFakeSharedTier(clock);
    await shared.lock(`record:${NAME}`, HOUR);
    const { ask, lookUps, metrics } = createCacheOfLookUps({ clock, shared });
    const { leave } = ask();
    await clock.advance(1_000);
    expect(clock.sleepers).toBe(1);
    leave();
    await clock.advance(320);
    expect(clock.sleepers).toBe(0);
    expect(lookUps).toEqual([]);
    expect(await counted(metrics.lockWaits, {})).toBe(0);
  });

  test('do not mistake the end of a look-up that was given up for that of the next one', async () => {
    const clock = createVirtualClock();
    const shared = createFakeSharedTier(clock);
    await shared.lock(`record:${NAME}`, HOUR);
    const { ask } = createCacheOfLookUps({ clock, shared });
    const first = ask();
    await settled();
    first.leave();
    await settled();
    ask();
    await clock.advance(20);
    expect(clock.sleepers).toBe(1);
    ask();
    await settled();
    expect(clock.sleepers).toBe(1);
  });
});

describe.skipIf(withoutRedis('leaving with a lock on Redis'))('on Redis', () => {
  test('the lock of a look-up that is given up goes to the replica that waits for it', async () => {
    const server = await startRedisServer();
    onTestFinished(() => server.close());
    const clock = { ...createVirtualClock(), now: wallClock.now, sleep: wallClock.sleep };
    const replicas = [1, 2].map(() => {
      const shared = createTierOn(server.url);
      return { shared, ...createCacheOfLookUps({ clock, shared }) };
    });
    onTestFinished(() =>
      Promise.all(replicas.map(({ directory }) => directory.close())).then(() => undefined),
    );
    const [one, other] = replicas;
    if (!one || !other) expect.unreachable();
    await until('both are up', () => replicas.every(({ shared }) => shared.state === 'up'));
    const leaving = one.ask();
    await until('one asks', () => one.lookUps.length === 1);
    const staying = other.ask();
    await until('the other waits', async () => (await server.calls('set')) >= 2);
    const released = await server.calls('del');
    leaving.leave();
    await until('the other asks', () => other.lookUps.length === 1);
    // It was given back: left behind it would have run out, after five seconds.
    expect(await server.calls('del')).toBeGreaterThan(released);
    await other.lookUps[0]?.answer(60);
    expect(await staying.answer).toMatchObject({ status: 'SUCCESS' });
  });
});
