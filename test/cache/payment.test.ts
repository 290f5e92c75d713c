// Who pays for an answer: whoever would have to wait for the directory, and nobody else.

import { describe, expect, test } from 'vitest';
import type { Requester } from '../../src/directory/requester.ts';
import { GatewayError } from '../../src/errors.ts';
import { doiName } from '../support/doi-names.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { createCacheOfLookUps } from './cache-of-look-ups.ts';
import { createCacheUnderTest, DOWN, HOUR, livingFor, MINUTE } from './cache-under-test.ts';
import { createFakeSharedTier } from './fake-shared-tier.ts';

const NAME = doiName('10.1000/a');

/** A client that may make so many look-ups, and what it has taken. */
function client(most: number) {
  const taken: number[] = [];
  const requester: Requester = {
    requestId: 'test',
    client: {
      key: 'test',
      budget: {
        async take(lookUps) {
          if (taken.length >= most) throw new GatewayError('RATE_LIMITED');
          taken.push(lookUps);
        },
      },
    },
  };
  return { requester, taken };
}

const REFUSED = { code: 'RATE_LIMITED' };

describe('a record', () => {
  test('that memory or the shared cache has costs nothing', async () => {
    const { requester, taken } = client(0);
    const clock = createVirtualClock();
    const shared = createFakeSharedTier(clock);
    const cache = createCacheUnderTest({ shared, clock });
    cache.says(livingFor(3_600));
    await cache.directory.resolve(NAME);
    await expect(cache.directory.resolve(NAME, { requester })).resolves.toMatchObject({ status: 'SUCCESS' });
    const other = createCacheUnderTest({ shared, clock });
    await expect(other.directory.resolve(NAME, { requester })).resolves.toMatchObject({ status: 'SUCCESS' });
    expect([taken, other.calls.resolve]).toEqual([[], []]);
  });

  test('that has to be asked for costs one, and is not asked for by who cannot pay', async () => {
    const { requester, taken } = client(1);
    const cache = createCacheUnderTest();
    await cache.directory.resolve(NAME, { requester });
    await expect(cache.directory.resolve(doiName('10.1000/b'), { requester })).rejects.toMatchObject(REFUSED);
    expect(taken).toEqual([1]);
    expect(cache.calls.resolve).toHaveLength(1);
  });

  test('that another client waits for is paid by each, and fails for none but who cannot pay', async () => {
    const [rich, poor] = [client(1), client(0)];
    const cache = createCacheOfLookUps();
    const first = cache.directory.resolve(NAME, { requester: rich.requester });
    await expect(cache.directory.resolve(NAME, { requester: poor.requester })).rejects.toMatchObject(REFUSED);
    const another = client(1);
    const second = cache.directory.resolve(NAME, { requester: another.requester });
    await cache.lookUps[0]?.answer(3_600);
    await Promise.all([first, second]);
    expect([rich.taken, another.taken, cache.lookUps.length]).toEqual([[1], [1], 1]);
  });

  test('that is looked up anew behind an answer costs nothing', async () => {
    const { requester, taken } = client(0);
    const cache = createCacheUnderTest();
    cache.says(livingFor(3_600));
    await cache.directory.resolve(NAME);
    await cache.clock.advance(HOUR + MINUTE);
    await expect(cache.directory.resolve(NAME, { requester })).resolves.toMatchObject({ stale: true });
    expect(taken).toEqual([]);
    expect(cache.calls.resolve).toHaveLength(2);
  });

  test('that is old is given as it is to who cannot pay for a new one', async () => {
    const { requester } = client(0);
    const cache = createCacheUnderTest();
    cache.says(livingFor(3_600));
    await cache.directory.resolve(NAME);
    await cache.clock.advance(4 * HOUR);
    cache.says(DOWN);
    await expect(cache.directory.resolve(NAME, { requester })).resolves.toMatchObject({ stale: true });
    expect(cache.calls.resolve).toHaveLength(1);
  });

  test('that is asked for past the cache costs one', async () => {
    const { requester, taken } = client(1);
    const cache = createCacheUnderTest();
    await cache.directory.resolve(NAME, { requester, auth: true });
    await expect(cache.directory.resolve(NAME, { requester, cert: true })).rejects.toMatchObject(REFUSED);
    expect([taken, cache.calls.resolve.length]).toEqual([[1], 1]);
  });
});

test('a budget that cannot be asked is no refusal', async () => {
  const cache = createCacheUnderTest();
  cache.says(livingFor(3_600));
  await cache.directory.resolve(NAME);
  await cache.clock.advance(4 * HOUR);
  const broken = new TypeError('broken');
  const budget = { take: () => Promise.reject(broken) };
  const requester: Requester = { requestId: 'test', client: { key: 'test', budget } };
  await expect(cache.directory.resolve(NAME, { requester })).rejects.toBe(broken);
});
