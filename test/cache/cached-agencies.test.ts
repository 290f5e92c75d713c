// Agencies in the cache: answers of Which RA, and answers that the cache infers from another name of the prefix.

import type { HandleName } from 'doi-names';
import { describe, expect, test } from 'vitest';
import type { Directory, WhichRaVerdict } from '../../src/directory/directory.ts';
import type { Requester } from '../../src/directory/requester.ts';
import { doiName } from '../support/doi-names.ts';
import { type AgencyBehaviour, createFakeDirectory, NOW } from '../support/fake-directory.ts';
import {
  type CacheUnderTest,
  createCacheUnderTest,
  DAY,
  DOWN,
  HOUR,
  livingFor,
  MINUTE,
} from './cache-under-test.ts';

const FOUND: WhichRaVerdict = { status: 'FOUND', agency: 'Crossref' };
const ABSENT: WhichRaVerdict = { status: 'DOES_NOT_EXIST', agency: null };
const A = doiName('10.1000/a');
const B = doiName('10.1000/b');
const C = doiName('10.2000/c');

/** The verdicts of the names, without their times. */
async function verdictsOf({ directory }: CacheUnderTest, ...names: HandleName[]): Promise<WhichRaVerdict[]> {
  const answers = await Promise.all(directory.whichRa(names));
  return answers.map(({ fetchedAt, freshUntil, stale, ...verdict }) => verdict);
}

async function freshnessOf({ directory }: CacheUnderTest, name: HandleName) {
  const [{ freshUntil, stale } = expect.unreachable()] = await Promise.all(directory.whichRa([name]));
  return { freshUntil, stale };
}

describe('agencies', () => {
  test('are looked up together, once', async () => {
    const cache = createCacheUnderTest({ agencies: { [A]: FOUND, [C]: FOUND } });
    expect(await verdictsOf(cache, A, C, A)).toEqual([FOUND, FOUND, FOUND]);
    expect(cache.calls.whichRa).toEqual([[A, C]]);
    await cache.clock.advance(DAY * 0.8);
    expect(await verdictsOf(cache, A, C)).toEqual([FOUND, FOUND]);
    expect(cache.calls.whichRa).toHaveLength(1);
  });

  test('are fresh for a day, and absent names for five minutes', async () => {
    const agencies: Record<string, AgencyBehaviour> = { [A]: FOUND };
    const cache = createCacheUnderTest({ agencies });
    const day = { freshUntil: NOW + DAY, stale: false };
    expect(await freshnessOf(cache, A)).toEqual(day);
    await cache.clock.advance(DAY / 2);
    expect(await freshnessOf(cache, A)).toEqual(day);
    expect(await freshnessOf(cache, B)).toEqual({ freshUntil: NOW + DAY / 2 + 5 * MINUTE, stale: false });
    agencies[A] = DOWN;
    await cache.clock.advance(DAY / 2);
    expect(await freshnessOf(cache, A)).toEqual({ ...day, stale: true });
  });

  test('that cannot be looked up are not cached, and do not make other names fail', async () => {
    const cache = createCacheUnderTest({ agencies: { [A]: DOWN, [C]: FOUND } });
    const outcomes = await Promise.allSettled(cache.directory.whichRa([A, C]));
    expect(outcomes).toEqual([
      { status: 'rejected', reason: DOWN },
      { status: 'fulfilled', value: expect.objectContaining(FOUND) },
    ]);
    await expect(verdictsOf(cache, A)).rejects.toBe(DOWN);
    expect(cache.calls.whichRa).toEqual([[A, C], [A]]);
  });

  test('are frozen', async () => {
    const cache = createCacheUnderTest({ agencies: { [A]: FOUND } });
    for (const name of [A, A, B, B]) {
      const [answer] = await Promise.all(cache.directory.whichRa([name]));
      expect(Object.isFrozen(answer)).toBe(true);
    }
  });

  test('are looked up with the requester that the caller passes', async () => {
    const requesters: (Requester | undefined)[] = [];
    const fake = createFakeDirectory();
    const whichRa: Directory['whichRa'] = (names, options) => {
      requesters.push(options?.requester);
      return fake.whichRa(names, options);
    };
    const cache = createCacheUnderTest({ directory: { ...fake, whichRa } });
    const requester: Requester = { requestId: 'one', client: { key: '192.0.2.1', budget: null } };
    await Promise.all(cache.directory.whichRa([A, B], { requester }));
    expect(requesters).toEqual([requester]);
  });
});

describe('the agency of a prefix', () => {
  /** The agency of A is in the cache, and `answer` is the record of `name`. */
  async function startKnowing(answer: Parameters<CacheUnderTest['says']>[0], name: HandleName = B) {
    const cache = createCacheUnderTest({ agencies: { [A]: FOUND } });
    await verdictsOf(cache, A);
    cache.says(answer);
    await cache.directory.resolve(name);
    return cache;
  }

  test('is used for another name whose record is known, and counts as a look-up of an agency', async () => {
    const cache = await startKnowing(livingFor(86_400));
    const { record, agency } = cache.metrics.cacheLookupCounts;
    const before = { record: { ...record }, agency: { ...agency } };
    expect(await verdictsOf(cache, B)).toEqual([FOUND]);
    cache.directory.memory?.agency(B);
    expect(cache.calls.whichRa).toEqual([[A]]);
    expect(record).toEqual(before.record);
    expect(agency).toEqual({ ...before.agency, memory: before.agency.memory + 1 });
  });

  test.each<[string, Parameters<CacheUnderTest['says']>[0], HandleName, HandleName]>([
    ['does not exist', 100, B, B],
    ['has the prefix, but its record failed', 2, B, B],
    ['has the prefix, but its record is unknown', 2, B, doiName('10.1000/x')],
    ['has a longer prefix', livingFor(3_600), doiName('10.1000.10/b'), doiName('10.1000.10/b')],
    [
      'has the prefix within its suffix',
      livingFor(3_600),
      '20.1000/10.1000/a' as HandleName,
      '20.1000/10.1000/a' as HandleName,
    ],
  ])('is not used for a name that %s', async (_, answer, known, name) => {
    const cache = await startKnowing(answer, known);
    expect(await verdictsOf(cache, name)).toEqual([ABSENT]);
    expect(cache.calls.whichRa).toEqual([[A], [name]]);
  });

  test('is not used after a day', async () => {
    const cache = await startKnowing(livingFor(86_400));
    await cache.clock.advance(DAY - 1);
    expect(await verdictsOf(cache, B)).toEqual([FOUND]);
    await cache.clock.advance(1);
    await verdictsOf(cache, B);
    expect(cache.calls.whichRa).toEqual([[A], [B]]);
  });

  test('is fresh while both the agency and the record of the name are fresh', async () => {
    const short = await startKnowing(livingFor(60));
    expect(await freshnessOf(short, B)).toEqual({ freshUntil: NOW + MINUTE, stale: false });
    const long = createCacheUnderTest({ agencies: { [A]: FOUND } });
    await verdictsOf(long, A);
    await long.clock.advance(HOUR);
    long.says(livingFor(86_400));
    await long.directory.resolve(B);
    expect(await freshnessOf(long, B)).toEqual({ freshUntil: NOW + DAY, stale: false });
  });

  test('is stale if the record of the name is stale', async () => {
    const cache = await startKnowing(livingFor(60));
    cache.says(DOWN);
    await cache.clock.advance(2 * MINUTE);
    expect(await freshnessOf(cache, B)).toEqual({ freshUntil: NOW + MINUTE, stale: true });
    expect(cache.calls.whichRa).toEqual([[A]]);
  });
});
