// Only look-ups that wait for the directory use the budget of the client.

import { describe, expect, test } from 'vitest';
import type { Requester } from '../../src/directory/requester.ts';
import { GatewayError } from '../../src/errors.ts';
import { doiName } from '../support/doi-names.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { createCacheOfLookUps } from './cache-of-look-ups.ts';
import { createCacheUnderTest, DOWN, HOUR, livingFor, MINUTE } from './cache-under-test.ts';
import { createFakeSharedTier } from './fake-shared-tier.ts';

const NAME = doiName('10.1000/a');

/** A client with a budget of `max` look-ups. `taken`: what it has used. */
function client(max: number) {
  const taken: number[] = [];
  const requester: Requester = {
    requestId: 'test',
    client: {
      key: 'test',
      budget: {
        async take(lookUps) {
          if (taken.length >= max) throw new GatewayError('RATE_LIMITED');
          taken.push(lookUps);
        },
      },
    },
  };
  return { requester, taken };
}

const REFUSED = { code: 'RATE_LIMITED' };

describe('a look-up of a record', () => {
  test('in memory or the shared tier uses no budget', async () => {
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

  test('in the directory uses one look-up of the budget, and fails if the budget is spent', async () => {
    const { requester, taken } = client(1);
    const cache = createCacheUnderTest();
    await cache.directory.resolve(NAME, { requester });
    await expect(cache.directory.resolve(doiName('10.1000/b'), { requester })).rejects.toMatchObject(REFUSED);
    expect(taken).toEqual([1]);
    expect(cache.calls.resolve).toHaveLength(1);
  });

  test('that several clients share uses each budget, and fails only for clients with a spent budget', async () => {
    const [first, spent] = [client(1), client(0)];
    const cache = createCacheOfLookUps();
    const firstRecord = cache.directory.resolve(NAME, { requester: first.requester });
    await expect(cache.directory.resolve(NAME, { requester: spent.requester })).rejects.toMatchObject(
      REFUSED,
    );
    const second = client(1);
    const secondRecord = cache.directory.resolve(NAME, { requester: second.requester });
    await cache.lookUps[0]?.answer(3_600);
    await Promise.all([firstRecord, secondRecord]);
    expect([first.taken, second.taken, cache.lookUps.length]).toEqual([[1], [1], 1]);
  });

  test('in the background uses no budget', async () => {
    const { requester, taken } = client(0);
    const cache = createCacheUnderTest();
    cache.says(livingFor(3_600));
    await cache.directory.resolve(NAME);
    await cache.clock.advance(HOUR + MINUTE);
    await expect(cache.directory.resolve(NAME, { requester })).resolves.toMatchObject({ stale: true });
    expect(taken).toEqual([]);
    expect(cache.calls.resolve).toHaveLength(2);
  });

  test('returns a very stale record if the budget is spent', async () => {
    const { requester } = client(0);
    const cache = createCacheUnderTest();
    cache.says(livingFor(3_600));
    await cache.directory.resolve(NAME);
    await cache.clock.advance(4 * HOUR);
    cache.says(DOWN);
    await expect(cache.directory.resolve(NAME, { requester })).resolves.toMatchObject({ stale: true });
    expect(cache.calls.resolve).toHaveLength(1);
  });

  test('with auth or cert uses one look-up of the budget', async () => {
    const { requester, taken } = client(1);
    const cache = createCacheUnderTest();
    await cache.directory.resolve(NAME, { requester, auth: true });
    await expect(cache.directory.resolve(NAME, { requester, cert: true })).rejects.toMatchObject(REFUSED);
    expect([taken, cache.calls.resolve.length]).toEqual([[1], 1]);
  });
});

test('an unexpected error of the budget is thrown, even if there is a stale record', async () => {
  const cache = createCacheUnderTest();
  cache.says(livingFor(3_600));
  await cache.directory.resolve(NAME);
  await cache.clock.advance(4 * HOUR);
  const broken = new TypeError('broken');
  const budget = { take: () => Promise.reject(broken) };
  const requester: Requester = { requestId: 'test', client: { key: 'test', budget } };
  await expect(cache.directory.resolve(NAME, { requester })).rejects.toBe(broken);
});
