// What the cache answers of registration agencies: its own entries, and what a prefix tells.

import type { HandleName } from 'doi-names';
import { describe, expect, test } from 'vitest';
import type { Directory, WhichRaVerdict } from '../../src/directory/directory.ts';
import type { Requester } from '../../src/directory/requester.ts';
import { doiName } from '../support/doi-names.ts';
import { type AgencyBehaviour, createFakeDirectory, NOW } from '../support/fake-directory.ts';
import { settled } from '../support/virtual-clock.ts';
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
const NONE: WhichRaVerdict = { status: 'DOES_NOT_EXIST', agency: null };
const [A, B, C] = ['10.1000/a', '10.1000/b', '10.2000/c'].map(doiName) as [
  ReturnType<typeof doiName>,
  ReturnType<typeof doiName>,
  ReturnType<typeof doiName>,
];

/** What is said, and apart from it how long that holds. */
async function ask({ directory }: CacheUnderTest, ...names: (typeof A)[]): Promise<WhichRaVerdict[]> {
  const answers = await Promise.all(directory.whichRa(names));
  return answers.map(({ fetchedAt, freshUntil, stale, ...verdict }) => verdict);
}

async function lifeOf({ directory }: CacheUnderTest, name: typeof A) {
  const [{ freshUntil, stale } = expect.unreachable()] = await Promise.all(directory.whichRa([name]));
  return { freshUntil, stale };
}

describe('agencies', () => {
  test('are asked for together, once, and believed for a day', async () => {
    const cache = createCacheUnderTest({ agencies: { [A]: FOUND, [C]: FOUND } });
    expect(await ask(cache, A, C, A)).toEqual([FOUND, FOUND, FOUND]);
    expect(cache.calls.whichRa).toEqual([[A, C]]);
    await cache.clock.advance(DAY * 0.8);
    expect(await ask(cache, A, C)).toEqual([FOUND, FOUND]);
    expect(cache.calls.whichRa).toHaveLength(1);
  });

  test('of names that do not exist are believed for five minutes', async () => {
    const cache = createCacheUnderTest();
    await ask(cache, A);
    await cache.clock.advance(4 * MINUTE);
    expect(await ask(cache, A)).toEqual([NONE]);
    expect(cache.calls.whichRa).toHaveLength(1);
    await cache.clock.advance(MINUTE);
    await ask(cache, A);
    await settled();
    expect(cache.calls.whichRa).toHaveLength(2);
  });

  test('of names that do not exist are served for an hour past that while the directory is down', async () => {
    const agencies: Record<string, AgencyBehaviour> = { [A]: NONE };
    const cache = createCacheUnderTest({ agencies });
    await ask(cache, A);
    agencies[A] = DOWN;
    await cache.clock.advance(5 * MINUTE + HOUR);
    expect(await ask(cache, A)).toEqual([NONE]);
    await cache.clock.advance(1);
    await expect(ask(cache, A)).rejects.toBe(DOWN);
  });

  test('that cannot be had fail by themselves, and are not cached', async () => {
    const cache = createCacheUnderTest({ agencies: { [A]: DOWN, [C]: FOUND } });
    const outcomes = await Promise.allSettled(cache.directory.whichRa([A, C]));
    expect(outcomes).toEqual([
      { status: 'rejected', reason: DOWN },
      { status: 'fulfilled', value: expect.objectContaining(FOUND) },
    ]);
    await expect(ask(cache, A)).rejects.toBe(DOWN);
    expect(cache.calls.whichRa).toEqual([[A, C], [A]]);
  });

  test('are served stale while the directory is down', async () => {
    const agencies: Record<string, AgencyBehaviour> = { [A]: FOUND };
    const cache = createCacheUnderTest({ agencies });
    await ask(cache, A);
    agencies[A] = DOWN;
    await cache.clock.advance(3 * DAY);
    expect(await ask(cache, A)).toEqual([FOUND]);
  });

  test('say until when they are believed, by the answer that came, and whether that is past', async () => {
    const agencies: Record<string, AgencyBehaviour> = { [A]: FOUND };
    const cache = createCacheUnderTest({ agencies });
    const day = { freshUntil: NOW + DAY, stale: false };
    expect(await lifeOf(cache, A)).toEqual(day);
    await cache.clock.advance(DAY / 2);
    expect(await lifeOf(cache, A)).toEqual(day);
    expect(await lifeOf(cache, B)).toEqual({ freshUntil: NOW + DAY / 2 + 5 * MINUTE, stale: false });
    agencies[A] = DOWN;
    await cache.clock.advance(DAY / 2);
    expect(await lifeOf(cache, A)).toEqual({ ...day, stale: true });
  });

  test('come frozen, from the directory and from memory', async () => {
    const cache = createCacheUnderTest({ agencies: { [A]: FOUND } });
    for (const name of [A, A, B, B]) {
      expect(await Promise.all(cache.directory.whichRa([name]))).toSatisfy((all) =>
        all.every(Object.isFrozen),
      );
    }
  });

  test('a client that is gone stops waiting for them, others wait on', async () => {
    const cache = createCacheUnderTest({ agencies: { [A]: FOUND } });
    const reason = new Error('the client has gone');
    const [gone] = cache.directory.whichRa([A], { signal: AbortSignal.abort(reason) });
    const others = ask(cache, A);
    await expect(gone).rejects.toBe(reason);
    expect(await others).toEqual([FOUND]);
    expect(cache.calls.whichRa).toEqual([[A]]);
  });
});

describe("the agency of another name of a name's prefix", () => {
  /** The agency of A is known, and the record of B is what `record` says. */
  async function knowing(record: Parameters<CacheUnderTest['says']>[0], parts = {}): Promise<CacheUnderTest> {
    const cache = createCacheUnderTest({ agencies: { [A]: FOUND }, ...parts });
    await ask(cache, A);
    cache.says(record);
    await cache.directory.resolve(B);
    return cache;
  }

  test('is taken where the name is known to exist', async () => {
    const cache = await knowing(livingFor(86_400));
    expect(await ask(cache, B)).toEqual([FOUND]);
    expect(cache.calls.whichRa).toEqual([[A]]);
  });

  test('counts as a look-up of an agency, and as none of a record', async () => {
    const cache = await knowing(livingFor(86_400));
    const { record, agency } = cache.metrics.cacheLookupCounts;
    const before = { record: { ...record }, agency: { ...agency } };
    await ask(cache, B);
    cache.directory.memory?.agency(B);
    expect(record).toEqual(before.record);
    expect(agency).toEqual({ ...before.agency, memory: before.agency.memory + 1 });
  });

  test('is not taken where the name is known not to exist', async () => {
    const cache = await knowing(100);
    expect(await ask(cache, B)).toEqual([NONE]);
    expect(cache.calls.whichRa).toEqual([[A], [B]]);
  });

  test('is not taken where nothing is known of the name, or the directory failed at it', async () => {
    const cache = await knowing(2);
    expect(await ask(cache, B, doiName('10.1000/x'))).toEqual([NONE, NONE]);
    expect(cache.calls.whichRa[1]).toEqual([B, '10.1000/x']);
  });

  test('is not taken for a longer prefix', async () => {
    const cache = createCacheUnderTest({ agencies: { [A]: FOUND } });
    await ask(cache, A);
    cache.says(livingFor(86_400));
    const longer = doiName('10.1000.10/b');
    await cache.directory.resolve(longer);
    expect(await ask(cache, longer)).toEqual([NONE]);
  });

  test('is not taken after a day', async () => {
    const cache = await knowing(livingFor(86_400));
    await cache.clock.advance(DAY - 1);
    expect(await ask(cache, B)).toEqual([FOUND]);
    await cache.clock.advance(1);
    await ask(cache, B);
    expect(cache.calls.whichRa).toEqual([[A], [B]]);
  });

  test('holds for as long as both the agency and the record of the name do', async () => {
    const short = await knowing(livingFor(60));
    expect(await lifeOf(short, B)).toEqual({ freshUntil: NOW + MINUTE, stale: false });
    const long = createCacheUnderTest({ agencies: { [A]: FOUND } });
    await ask(long, A);
    await long.clock.advance(HOUR);
    long.says(livingFor(86_400));
    await long.directory.resolve(B);
    expect(await lifeOf(long, B)).toEqual({ freshUntil: NOW + DAY, stale: false });
  });

  test('is stale where the record of the name is', async () => {
    const cache = await knowing(livingFor(60));
    cache.says(DOWN);
    await cache.clock.advance(2 * MINUTE);
    expect(await lifeOf(cache, B)).toEqual({ freshUntil: NOW + MINUTE, stale: true });
    expect(cache.calls.whichRa).toEqual([[A]]);
  });
});

test('are asked for on behalf of the client who waits', async () => {
  const askers: (Requester | undefined)[] = [];
  const fake = createFakeDirectory();
  const whichRa: Directory['whichRa'] = (names, options) => {
    askers.push(options?.requester);
    return fake.whichRa(names, options);
  };
  const cache = createCacheUnderTest({ directory: { ...fake, whichRa } });
  const requester: Requester = { requestId: 'one', client: { key: '192.0.2.1', budget: null } };
  await Promise.all(cache.directory.whichRa([A, B], { requester }));
  expect(askers).toEqual([requester]);
});

test('are told by the prefix of a name alone, not by one within its suffix', async () => {
  const other = '20.1000/10.1000/a' as HandleName;
  const cache = createCacheUnderTest({ agencies: { [A]: FOUND } });
  cache.says(livingFor(3_600));
  await ask(cache, A);
  await cache.directory.resolve(other);
  await cache.directory.whichRa([other])[0];
  expect(cache.calls.whichRa).toEqual([[A], [other]]);
});
