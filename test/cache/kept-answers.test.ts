// How long an answer in memory is current.

import type { HandleName } from 'doi-names';
import { describe, expect, test } from 'vitest';
import { createMemoryTier } from '../../src/cache/memory-tier.ts';
import { Evidence } from '../../src/loaders/evidence.ts';
import { settled } from '../support/virtual-clock.ts';
import {
  type CacheUnderTest,
  createCacheUnderTest,
  HOUR,
  livingFor,
  MINUTE,
  SECOND,
} from './cache-under-test.ts';

const [NAME, OTHER] = ['10.1000/abc', '10.1000/def'] as [HandleName, HandleName];

const recordOf = ({ directory }: CacheUnderTest) => directory.memory?.record(NAME) ?? expect.unreachable();
const agencyOf = ({ directory }: CacheUnderTest) => directory.memory?.agency(NAME) ?? expect.unreachable();

/** Whether the agency of NAME is still current. Evidence of the agency must be current for the same time. */
function watchAgency(cache: CacheUnderTest): () => boolean {
  const kept = agencyOf(cache);
  const evidence = new Evidence(
    { records: [], agencies: [NAME], metadata: [] },
    [kept],
    kept.answer.freshUntil,
  );
  const isCurrent = () => {
    const isEvidenceCurrent = evidence.isCurrent(cache.directory.memory);
    expect(isEvidenceCurrent).toBe(kept.isCurrent());
    return isEvidenceCurrent;
  };
  expect(isCurrent()).toBe(true);
  return isCurrent;
}

describe('an agency that the cache infers from the prefix is current', () => {
  /** Looks up the agency of another name of the prefix, and then the record of NAME. */
  async function startInferring(ttl: number, recordAfterMs = 0): Promise<CacheUnderTest> {
    const cache = createCacheUnderTest({ agencies: { [OTHER]: { status: 'FOUND', agency: 'Crossref' } } });
    cache.says(livingFor(ttl));
    await Promise.all(cache.directory.whichRa([OTHER]));
    await cache.clock.advance(recordAfterMs);
    await cache.directory.resolve(NAME);
    return cache;
  }

  test('until the record of the name is replaced', async () => {
    const cache = await startInferring(3_600);
    const isCurrent = watchAgency(cache);
    const { answer } = agencyOf(cache);
    await cache.directory.resolve(NAME, { auth: true });
    expect(isCurrent()).toBe(false);
    expect(agencyOf(cache).answer).toEqual(answer);
  });

  test('until the agency of the prefix expires, even if the record is fresh longer', async () => {
    const cache = await startInferring(86_400, 20 * HOUR);
    const record = recordOf(cache);
    const isCurrent = watchAgency(cache);
    await cache.clock.advance(4 * HOUR - 1);
    expect([record.isCurrent(), isCurrent()]).toEqual([true, true]);
    await cache.clock.advance(1);
    expect([record.isCurrent(), isCurrent()]).toEqual([true, false]);
  });

  test('until the clock is set back to a time before the look-up of the agency', async () => {
    const cache = createCacheUnderTest({ agencies: { [OTHER]: { status: 'FOUND', agency: 'Crossref' } } });
    cache.says(livingFor(86_400));
    await cache.directory.resolve(NAME);
    await cache.clock.advance(HOUR);
    await Promise.all(cache.directory.whichRa([OTHER]));
    const record = recordOf(cache);
    const isCurrent = watchAgency(cache);
    cache.clock.shift(-30 * MINUTE);
    expect([record.isCurrent(), isCurrent()]).toEqual([true, false]);
  });

  test('until the agency of the name itself is known', async () => {
    const cache = createCacheUnderTest({ agencies: { [OTHER]: { status: 'FOUND', agency: 'Crossref' } } });
    cache.says(livingFor(86_400));
    await Promise.all(cache.directory.whichRa([OTHER]));
    const answers = Promise.all(cache.directory.whichRa([NAME]));
    await cache.directory.resolve(NAME);
    const isCurrent = watchAgency(cache);
    expect(agencyOf(cache).answer).toMatchObject({ agency: 'Crossref' });
    await answers;
    expect(isCurrent()).toBe(false);
    expect(agencyOf(cache).answer).toMatchObject({ status: 'DOES_NOT_EXIST' });
  });
});

test('a check with `isCurrent` counts as a use of the answer, so memory keeps the answer', async () => {
  const cache = createCacheUnderTest({ memory: createMemoryTier(16_000) });
  await cache.directory.resolve(NAME);
  const kept = recordOf(cache);
  for (let i = 0; i < 200; i += 1) {
    await cache.directory.resolve(`10.1000/${i}` as HandleName);
    expect(kept.isCurrent()).toBe(true);
  }
});

test('a peek returns the newest record, even if memory could not keep the older record', async () => {
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

test('in the last tenth of its fresh time, `isCurrent` is true and starts a refresh', async () => {
  const cache = createCacheUnderTest();
  cache.says(livingFor(HOUR / SECOND));
  await cache.directory.resolve(NAME);
  const kept = recordOf(cache);
  await cache.clock.advance(53 * MINUTE);
  expect(kept.isCurrent()).toBe(true);
  await settled();
  expect(cache.calls.resolve).toHaveLength(1);
  await cache.clock.advance(2 * MINUTE);
  expect(kept.isCurrent()).toBe(true);
  await settled();
  expect(cache.calls.resolve).toHaveLength(2);
});
