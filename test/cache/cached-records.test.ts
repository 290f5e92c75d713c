// Which record the cache serves at each age, and how many look-ups that costs.

import type { HandleName } from 'doi-names';
import { describe, expect, test } from 'vitest';
import { doiName } from '../support/doi-names.ts';
import { settled } from '../support/virtual-clock.ts';
import {
  type CacheUnderTest,
  counted,
  createCacheUnderTest,
  DAY,
  DOWN,
  HOUR,
  livingFor,
  MINUTE,
  SECOND,
} from './cache-under-test.ts';

const NAME = doiName('10.1000/a');
const FIRST = 'https://example.org/first';
const NEW = 'https://example.org/new';

/** A cache with a record that is fresh for an hour. `then` is the next answer of the directory. */
async function startWithRecord(then: Parameters<CacheUnderTest['says']>[0]): Promise<CacheUnderTest> {
  const cache = createCacheUnderTest();
  cache.says(livingFor(3_600, FIRST));
  await cache.directory.resolve(NAME);
  cache.says(then);
  return cache;
}

/** The URL of the record, and whether the record is stale. */
async function read(cache: CacheUnderTest): Promise<[url: unknown, stale: boolean]> {
  const { values, stale } = await cache.directory.resolve(NAME);
  const [value] = values;
  return [value?.data.kind === 'string' ? value.data.value : undefined, stale];
}

/** The value of a promise; undefined while the promise is pending. */
async function valueSoFar<T>(promise: Promise<T>): Promise<T | undefined> {
  let value: T | undefined;
  void promise.then((result) => {
    value = result;
  });
  await settled();
  return value;
}

describe('a fresh record', () => {
  test('comes from memory without a look-up', async () => {
    const cache = await startWithRecord(DOWN);
    await cache.clock.advance(53 * MINUTE);
    expect(await read(cache)).toEqual([FIRST, false]);
    expect(cache.calls.resolve).toHaveLength(1);
    expect(await counted(cache.metrics.cacheLookups, { kind: 'record', answeredBy: 'memory' })).toBe(1);
  });

  test('is returned synchronously by a peek, in the spelling that the peek asks for', async () => {
    const cache = await startWithRecord(DOWN);
    const upper = doiName('10.1000/A');
    expect(cache.directory.memory?.record(upper)?.answer).toMatchObject({ handle: upper, stale: false });
    expect(cache.directory.memory?.record(doiName('10.1000/b'))).toBeUndefined();
    expect(cache.calls.resolve).toHaveLength(1);
  });

  test('is not used for another letter case of the suffix if the prefix does not begin with 10', async () => {
    const cache = createCacheUnderTest();
    cache.says(livingFor(3_600));
    const names = ['2381/ABC', '2381/abc', '2381/ABC'] as HandleName[];
    for (const name of names) expect(await cache.directory.resolve(name)).toMatchObject({ handle: name });
    expect(cache.calls.resolve.map(({ name }) => name)).toEqual(['2381/ABC', '2381/abc']);
  });
});

test('a record in the last tenth of its fresh time is served and refreshed by one request', async () => {
  const cache = await startWithRecord(livingFor(3_600, NEW));
  await cache.clock.advance(54 * MINUTE);
  expect(await Promise.all([read(cache), read(cache)])).toEqual([
    [FIRST, false],
    [FIRST, false],
  ]);
  await settled();
  expect(await read(cache)).toEqual([NEW, false]);
  expect(cache.calls.resolve).toHaveLength(2);
});

test('a record is fresh until `freshUntil`, even if its refresh failed', async () => {
  const cache = await startWithRecord(DOWN);
  const freshUntil = cache.clock.now() + HOUR;
  await cache.clock.advance(HOUR - 1);
  expect(await read(cache)).toEqual([FIRST, false]);
  await cache.clock.advance(1);
  expect(await cache.directory.resolve(NAME)).toMatchObject({ freshUntil, stale: true });
});

describe('a record up to an hour after its fresh time', () => {
  test.each([HOUR, 2 * HOUR])('is served at once as stale and refreshed (after %i ms)', async (age) => {
    const cache = await startWithRecord(livingFor(3_600, NEW));
    await cache.clock.advance(age);
    const { answer } = cache.holdBack();
    expect(await read(cache)).toEqual([FIRST, true]);
    expect(await read(cache)).toEqual([FIRST, true]);
    expect(cache.calls.resolve).toHaveLength(2);
    await answer();
    expect(await read(cache)).toEqual([NEW, false]);
    expect(await counted(cache.metrics.cacheLookups, { answeredBy: 'stale' })).toBe(2);
  });

  test('is not refreshed for 30 seconds after a failed refresh', async () => {
    const cache = await startWithRecord(DOWN);
    await cache.clock.advance(HOUR);
    await read(cache);
    await settled();
    await cache.clock.advance(30 * SECOND - 1);
    expect(await read(cache)).toEqual([FIRST, true]);
    expect(cache.calls.resolve).toHaveLength(2);
    await cache.clock.advance(1);
    expect(await read(cache)).toEqual([FIRST, true]);
    expect(cache.calls.resolve).toHaveLength(3);
  });
});

describe('a record more than an hour after its fresh time', () => {
  const AGE = 2 * HOUR + 1;

  test('is served as stale after 1.8 seconds, and replaced when the new record arrives', async () => {
    const cache = await startWithRecord(livingFor(3_600, NEW));
    await cache.clock.advance(AGE);
    expect(cache.directory.memory?.record(NAME)).toBeUndefined();
    const { answer } = cache.holdBack();
    const record = read(cache);
    await cache.clock.advance(1_799);
    expect(await valueSoFar(record)).toBeUndefined();
    await cache.clock.advance(1);
    expect(await valueSoFar(record)).toEqual([FIRST, true]);
    await answer();
    expect(await read(cache)).toEqual([NEW, false]);
    expect(cache.calls.resolve).toHaveLength(2);
  });

  test.each([
    ['fails', DOWN],
    ['reports an error', 2],
  ])('is served as stale if the directory %s, and is not refreshed for 30 seconds', async (_, failure) => {
    const cache = await startWithRecord(failure);
    await cache.clock.advance(AGE);
    expect(await read(cache)).toEqual([FIRST, true]);
    expect(await read(cache)).toEqual([FIRST, true]);
    expect(cache.calls.resolve).toHaveLength(2);
    await cache.clock.advance(30 * SECOND);
    cache.says(livingFor(3_600, NEW));
    expect(await read(cache)).toEqual([NEW, false]);
  });

  test('is served for at most seven days', async () => {
    const cache = await startWithRecord(DOWN);
    await cache.clock.advance(HOUR + 7 * DAY);
    expect(await read(cache)).toEqual([FIRST, true]);
    await cache.clock.advance(30 * SECOND);
    await expect(cache.directory.resolve(NAME)).rejects.toBe(DOWN);
  });
});

describe('the cache does not store', () => {
  test('a record with a ttl of 0, and deletes the older record', async () => {
    const cache = await startWithRecord(livingFor(0, NEW));
    await cache.clock.advance(90 * MINUTE);
    expect(await read(cache)).toEqual([FIRST, true]);
    await settled();
    expect(cache.memory.entries).toBe(0);
    expect([await read(cache), await read(cache)]).toEqual([
      [NEW, false],
      [NEW, false],
    ]);
    expect(cache.calls.resolve).toHaveLength(4);
  });

  test.each([
    [
      'a record that has expired',
      [{ ...(livingFor(0)[0] as object), ttl: '2020-01-01T00:00:00Z' }],
      'SUCCESS',
    ],
    ['an error of the directory', 2, 'ERROR'],
  ])('%s', async (_, answer, status) => {
    const cache = createCacheUnderTest();
    cache.says(answer);
    for (const calls of [1, 2]) {
      expect(await cache.directory.resolve(NAME)).toMatchObject({ status });
      expect(cache.calls.resolve).toHaveLength(calls);
    }
    expect(cache.memory.entries).toBe(0);
  });

  test('an error of the directory in place of a stale record', async () => {
    const cache = await startWithRecord(2);
    await cache.clock.advance(90 * MINUTE);
    expect([await read(cache), await read(cache)]).toEqual([
      [FIRST, true],
      [FIRST, true],
    ]);
  });
});

describe.each([100, 200])('the response code %i', (code) => {
  test('is fresh for five minutes, and then refreshed', async () => {
    const cache = createCacheUnderTest();
    cache.says(code);
    await cache.directory.resolve(NAME);
    cache.says(livingFor(3_600, NEW));
    await cache.clock.advance(4 * MINUTE);
    expect(await cache.directory.resolve(NAME)).toMatchObject({ responseCode: code, stale: false });
    await cache.clock.advance(MINUTE);
    expect(await cache.directory.resolve(NAME)).toMatchObject({ responseCode: code, stale: true });
    await settled();
    expect(await read(cache)).toEqual([NEW, false]);
  });

  test('is served as stale for at most an hour while the directory is down', async () => {
    const cache = createCacheUnderTest();
    cache.says(code);
    await cache.directory.resolve(NAME);
    cache.says(DOWN);
    await cache.clock.advance(5 * MINUTE + HOUR);
    expect(await cache.directory.resolve(NAME)).toMatchObject({ responseCode: code, stale: true });
    await cache.clock.advance(1);
    await expect(cache.directory.resolve(NAME)).rejects.toBe(DOWN);
  });
});

describe('a look-up with auth or cert', () => {
  test.each([{ auth: true }, { cert: true }])(
    'goes to the directory and refreshes the cache: %o',
    async (flags) => {
      const cache = await startWithRecord(livingFor(3_600, NEW));
      const record = await cache.directory.resolve(NAME, flags);
      expect(record.values[0]?.wire).toEqual(livingFor(3_600, NEW)[0]);
      expect(await read(cache)).toEqual([NEW, false]);
      expect(cache.calls.resolve).toHaveLength(2);
      expect(cache.calls.resolve[1]).toMatchObject(flags);
    },
  );

  test('does not change the cache if it fails', async () => {
    const cache = await startWithRecord(DOWN);
    await expect(cache.directory.resolve(NAME, { auth: true })).rejects.toBe(DOWN);
    cache.says(2);
    expect(await cache.directory.resolve(NAME, { auth: true })).toMatchObject({ status: 'ERROR' });
    expect(await read(cache)).toEqual([FIRST, false]);
  });
});
