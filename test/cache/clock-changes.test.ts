// A clock that is set forward or back: nothing old is served as fresh, and nothing is believed for longer than it may.

import { describe, expect, test } from 'vitest';
import { createEmbeddedAnswers } from '../../src/directory/embedded-answers.ts';
import { doiName } from '../support/doi-names.ts';
import { settled } from '../support/virtual-clock.ts';
import {
  type CacheUnderTest,
  createCacheUnderTest,
  DAY,
  DOWN,
  HOUR,
  livingFor,
  MINUTE,
  SECOND,
} from './cache-under-test.ts';
import { createFakeSharedTier } from './fake-shared-tier.ts';

const [A, B] = [doiName('10.1000/a'), doiName('10.1000/b')];
const MONTH = 30 * DAY;
const FOUND = { status: 'FOUND', agency: 'Crossref' } as const;

/** A cache that holds a record of a day's life and an agency. */
async function holding(parts = {}): Promise<CacheUnderTest> {
  const cache = createCacheUnderTest({ agencies: { [A]: FOUND, [B]: FOUND }, ...parts });
  cache.says(livingFor(86_400));
  await cache.directory.resolve(A);
  await Promise.all(cache.directory.whichRa([A]));
  return cache;
}

describe.each([
  ['forward', MONTH],
  ['back', -MONTH],
])('a clock that is set a month %s', (_, ms) => {
  test('leaves nothing in memory that is served', async () => {
    const cache = await holding();
    const held = [cache.directory.memory?.record(A), cache.directory.memory?.agency(A)];
    expect(held.map((answer) => answer?.isCurrent())).toEqual([true, true]);
    cache.clock.shift(ms);
    expect(held.map((answer) => answer?.isCurrent())).toEqual([false, false]);
    expect(cache.directory.memory?.record(A)).toBeUndefined();
    expect(cache.directory.memory?.agency(A)).toBeUndefined();
    expect(await cache.directory.resolve(A)).toMatchObject({ fetchedAt: cache.clock.now(), stale: false });
    expect(cache.calls.resolve).toHaveLength(2);
    await Promise.all(cache.directory.whichRa([A]));
    expect(cache.calls.whichRa).toHaveLength(2);
  });

  test('leaves nothing in the shared tier that is served, and what is asked for anew is shared', async () => {
    const clock = (await holding()).clock;
    const shared = createFakeSharedTier(clock);
    await holding({ clock, shared });
    for (const kept of shared.texts.values()) Object.assign(kept, { until: Number.POSITIVE_INFINITY });
    clock.shift(ms);
    const other = createCacheUnderTest({ clock, shared, agencies: { [A]: FOUND } });
    other.says(livingFor(86_400));
    expect(await other.directory.resolve(A)).toMatchObject({ fetchedAt: clock.now() });
    await Promise.all(other.directory.whichRa([A]));
    expect([other.calls.resolve.length, other.calls.whichRa.length]).toEqual([1, 1]);
    const third = createCacheUnderTest({ clock, shared });
    expect(await third.directory.resolve(A)).toMatchObject({ fetchedAt: clock.now() });
    expect(third.calls.resolve).toHaveLength(0);
  });

  test('and then right again serves what it fetched in between no more', async () => {
    const cache = await holding();
    cache.clock.shift(ms);
    await cache.directory.resolve(A);
    cache.clock.shift(-ms);
    expect(await cache.directory.resolve(A)).toMatchObject({ fetchedAt: cache.clock.now(), stale: false });
    expect(cache.calls.resolve).toHaveLength(3);
  });

  test('takes no agency from its prefix', async () => {
    const cache = await holding();
    cache.clock.shift(ms);
    await cache.directory.resolve(B);
    await Promise.all(cache.directory.whichRa([B]));
    expect(cache.calls.whichRa).toEqual([[A], [B]]);
  });

  test('leaves no name alone for longer than 30 seconds after a failure', async () => {
    const cache = await holding();
    cache.says(DOWN);
    cache.clock.shift(ms);
    await expect(cache.directory.resolve(A)).rejects.toBe(DOWN);
    cache.says(livingFor(60));
    await cache.directory.resolve(A);
    expect(cache.calls.resolve).toHaveLength(3);
  });

  test('makes the answers of the embedded directory anew', () => {
    const { clock } = createCacheUnderTest();
    const answers = createEmbeddedAnswers({
      find: () => undefined,
      verdictOf: () => FOUND,
      absentMessage: 'It is not there.',
      clock: clock.now,
    });
    const [record, agency] = [answers.record(A), answers.agency(A)];
    clock.shift(ms);
    expect([record.isCurrent(), agency.isCurrent()]).toEqual([false, false]);
    expect(answers.record(A).answer.fetchedAt).toBe(clock.now());
  });
});

test('a failure before the clock was set back does not keep an old record from being refreshed', async () => {
  const cache = await holding();
  await cache.clock.advance(25 * HOUR);
  cache.says(DOWN);
  await cache.directory.resolve(A);
  await settled();
  cache.clock.shift(-30 * MINUTE);
  cache.says(livingFor(60));
  expect(await cache.directory.resolve(A)).toMatchObject({ stale: true });
  await settled();
  expect(cache.calls.resolve).toHaveLength(3);
});

test('replicas whose clocks differ by some seconds share what they fetch, and not by more', async () => {
  const one = createCacheUnderTest();
  const shared = createFakeSharedTier(one.clock);
  for (const [name, aheadMs, calls] of [
    [A, 10 * SECOND, 0],
    [B, 10 * SECOND + 1, 1],
  ] as const) {
    const { clock } = createCacheUnderTest();
    const ahead = createCacheUnderTest({ clock, shared });
    clock.shift(aheadMs);
    ahead.says(livingFor(60));
    await ahead.directory.resolve(name);
    const behind = createCacheUnderTest({ clock: one.clock, shared });
    behind.says(livingFor(60));
    await behind.directory.resolve(name);
    expect(behind.calls.resolve).toHaveLength(calls);
  }
});

test('to wait for another replica takes no longer for a clock that is set back', async () => {
  const { clock } = createCacheUnderTest();
  const shared = createFakeSharedTier(clock);
  await shared.lock(`record:${A}`, 3 * MONTH);
  const replica = createCacheUnderTest({ clock, shared });
  replica.says(livingFor(60));
  const asked = replica.directory.resolve(A);
  await settled();
  clock.shift(-MONTH);
  await clock.advance(10 * SECOND + 320);
  expect(replica.calls.resolve).toHaveLength(1);
  expect(await asked).toMatchObject({ status: 'SUCCESS' });
});
