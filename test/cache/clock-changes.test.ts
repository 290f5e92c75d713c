// After the clock is set forward or back, the cache serves no expired answer as fresh.

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

/** A cache with a record that is fresh for a day, and an agency. */
async function startFilled(parts = {}): Promise<CacheUnderTest> {
  const cache = createCacheUnderTest({ agencies: { [A]: FOUND, [B]: FOUND }, ...parts });
  cache.says(livingFor(86_400));
  await cache.directory.resolve(A);
  await Promise.all(cache.directory.whichRa([A]));
  return cache;
}

describe.each([
  ['forward', MONTH],
  ['back', -MONTH],
])('after the clock is set a month %s', (_, ms) => {
  test('no answer in memory is served', async () => {
    const cache = await startFilled();
    const kept = [cache.directory.memory?.record(A), cache.directory.memory?.agency(A)];
    expect(kept.map((answer) => answer?.isCurrent())).toEqual([true, true]);
    cache.clock.shift(ms);
    expect(kept.map((answer) => answer?.isCurrent())).toEqual([false, false]);
    expect(cache.directory.memory?.record(A)).toBeUndefined();
    expect(cache.directory.memory?.agency(A)).toBeUndefined();
    expect(await cache.directory.resolve(A)).toMatchObject({ fetchedAt: cache.clock.now(), stale: false });
    expect(cache.calls.resolve).toHaveLength(2);
    await Promise.all(cache.directory.whichRa([A]));
    expect(cache.calls.whichRa).toHaveLength(2);
  });

  test('no answer in the shared tier is served, and new answers are shared', async () => {
    const clock = (await startFilled()).clock;
    const shared = createFakeSharedTier(clock);
    await startFilled({ clock, shared });
    for (const entry of shared.texts.values()) Object.assign(entry, { until: Number.POSITIVE_INFINITY });
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

  test('and then corrected, the cache serves no answer that it got between the two changes', async () => {
    const cache = await startFilled();
    cache.clock.shift(ms);
    await cache.directory.resolve(A);
    cache.clock.shift(-ms);
    expect(await cache.directory.resolve(A)).toMatchObject({ fetchedAt: cache.clock.now(), stale: false });
    expect(cache.calls.resolve).toHaveLength(3);
  });

  test('no agency is inferred from the prefix', async () => {
    const cache = await startFilled();
    cache.clock.shift(ms);
    await cache.directory.resolve(B);
    await Promise.all(cache.directory.whichRa([B]));
    expect(cache.calls.whichRa).toEqual([[A], [B]]);
  });

  test('a failed name is looked up again', async () => {
    const cache = await startFilled();
    cache.says(DOWN);
    cache.clock.shift(ms);
    await expect(cache.directory.resolve(A)).rejects.toBe(DOWN);
    cache.says(livingFor(60));
    await cache.directory.resolve(A);
    expect(cache.calls.resolve).toHaveLength(3);
  });

  test('the embedded directory makes new answers', () => {
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

test('a failure before the clock was set back does not prevent a refresh', async () => {
  const cache = await startFilled();
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

test('replicas share answers if their clocks differ by at most ten seconds', async () => {
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

test('the wait for another replica does not become longer when the clock is set back', async () => {
  const { clock } = createCacheUnderTest();
  const shared = createFakeSharedTier(clock);
  await shared.lock(`record:${A}`, 3 * MONTH);
  const replica = createCacheUnderTest({ clock, shared });
  replica.says(livingFor(60));
  const record = replica.directory.resolve(A);
  await settled();
  clock.shift(-MONTH);
  await clock.advance(10 * SECOND + 320);
  expect(replica.calls.resolve).toHaveLength(1);
  expect(await record).toMatchObject({ status: 'SUCCESS' });
});
