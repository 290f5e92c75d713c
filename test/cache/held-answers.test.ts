// What the cache holds, as long as somebody asks whether it still does.

import type { HandleName } from 'doi-names';
import { expect, test } from 'vitest';
import { createMemoryTier } from '../../src/cache/memory-tier.ts';
import { settled } from '../support/virtual-clock.ts';
import { createCacheUnderTest, DAY, HOUR, livingFor, MINUTE, SECOND } from './cache-under-test.ts';

const [NAME, OTHER] = ['10.1000/abc', '10.1000/def'] as [HandleName, HandleName];

test("an agency of its prefix's is live as long as the record that says the name exists", async () => {
  const agencies = { [OTHER]: { status: 'FOUND', agency: 'Crossref' } as const };
  const cache = createCacheUnderTest({ agencies });
  cache.says(livingFor(3_600));
  await Promise.all(cache.directory.whichRa([OTHER]));
  await cache.directory.resolve(NAME);
  const ofPrefix = cache.directory.memory?.agency(NAME);
  expect(ofPrefix?.isCurrent()).toBe(true);
  await cache.directory.resolve(NAME, { auth: true });
  expect(ofPrefix?.isCurrent()).toBe(false);
  expect(cache.directory.memory?.agency(NAME)?.answer).toEqual(ofPrefix?.answer);
});

test("an agency of its prefix's is live no longer than the prefix's, though the record is", async () => {
  const agencies = { [OTHER]: { status: 'FOUND', agency: 'Crossref' } as const };
  const cache = createCacheUnderTest({ agencies });
  await Promise.all(cache.directory.whichRa([OTHER]));
  await cache.clock.advance(HOUR);
  cache.says(livingFor(86_400));
  await cache.directory.resolve(NAME);
  const held = [cache.directory.memory?.record(NAME), cache.directory.memory?.agency(NAME)];
  expect(held.map((answer) => answer?.isCurrent())).toEqual([true, true]);
  await cache.clock.advance(DAY - HOUR);
  expect(held.map((answer) => answer?.isCurrent())).toEqual([true, false]);
});

test('keeps what is only ever asked whether it is live', async () => {
  const cache = createCacheUnderTest({ memory: createMemoryTier(16_000) });
  await cache.directory.resolve(NAME);
  const held = cache.directory.memory?.record(NAME);
  for (let i = 0; i < 200; i += 1) {
    await cache.directory.resolve(`10.1000/${i}` as HandleName);
    expect(held?.isCurrent()).toBe(true);
  }
});

test('does not go on with what was let go as it came, because all else was in use', async () => {
  const cache = createCacheUnderTest({ memory: createMemoryTier(16_000) });
  const names = Array.from({ length: 10 }, (_, i) => `10.1000/${i}` as HandleName);
  for (const name of names) {
    await cache.directory.resolve(name);
    for (let i = 0; i < 2; i += 1) cache.directory.memory?.record(name);
  }
  await cache.clock.advance(SECOND);
  for (const name of names) {
    await cache.directory.resolve(name, { auth: true });
    expect(cache.directory.memory?.record(name)?.answer.fetchedAt).toBe(cache.clock.now());
  }
});

test('is live in the last tenth of its life, and looked for anew', async () => {
  const cache = createCacheUnderTest();
  cache.says(livingFor(HOUR / SECOND));
  await cache.directory.resolve(NAME);
  const held = cache.directory.memory?.record(NAME);
  await cache.clock.advance(53 * MINUTE);
  expect(held?.isCurrent()).toBe(true);
  await settled();
  expect(cache.calls.resolve).toHaveLength(1);
  await cache.clock.advance(2 * MINUTE);
  expect(held?.isCurrent()).toBe(true);
  await settled();
  expect(cache.calls.resolve).toHaveLength(2);
});
