// What the cache answers of a record as it grows old, and what that costs the directory.

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
const OLD = 'https://example.org/old';
const NEW = 'https://example.org/new';

/** A cache that holds a record of an hour's life, with what `then` says behind it. */
async function holdingOld(then: Parameters<CacheUnderTest['says']>[0]): Promise<CacheUnderTest> {
  const cache = createCacheUnderTest();
  cache.says(livingFor(3_600, OLD));
  await cache.directory.resolve(NAME);
  cache.says(then);
  return cache;
}

/** The URL of a record, and whether it is stale. */
async function read(cache: CacheUnderTest): Promise<[url: unknown, stale: boolean]> {
  const { values, stale } = await cache.directory.resolve(NAME);
  const [value] = values;
  return [value?.data.kind === 'string' ? value.data.value : undefined, stale];
}

/** What `promise` came to, where it has; undefined while it waits. */
async function soFar<T>(promise: Promise<T>): Promise<T | undefined> {
  let value: T | undefined;
  void promise.then((result) => {
    value = result;
  });
  await settled();
  return value;
}

describe('a fresh record', () => {
  test('comes from memory, without a call', async () => {
    const cache = await holdingOld(DOWN);
    await cache.clock.advance(53 * MINUTE);
    expect(await read(cache)).toEqual([OLD, false]);
    expect(cache.calls.resolve).toHaveLength(1);
    expect(await counted(cache.metrics.cacheLookups, { kind: 'record', answeredBy: 'memory' })).toBe(1);
  });

  test('is peeked at synchronously, in the spelling of the call; an unknown one is not', async () => {
    const cache = await holdingOld(DOWN);
    const upper = doiName('10.1000/A');
    expect(cache.directory.memory?.record(upper)?.answer).toMatchObject({ handle: upper, stale: false });
    expect(cache.directory.memory?.record(doiName('10.1000/b'))).toBeUndefined();
    expect(cache.calls.resolve).toHaveLength(1);
  });

  test('of a handle outside 10 is not the record of another case of its suffix', async () => {
    const cache = createCacheUnderTest();
    cache.says(livingFor(3_600));
    const names = ['2381/ABC', '2381/abc', '2381/ABC'] as HandleName[];
    for (const name of names) expect(await cache.directory.resolve(name)).toMatchObject({ handle: name });
    expect(cache.calls.resolve.map(({ name }) => name)).toEqual(['2381/ABC', '2381/abc']);
  });

  test('says the same as the one that came from the directory', async () => {
    const cache = createCacheUnderTest();
    cache.says(livingFor(3_600));
    expect(await cache.directory.resolve(NAME)).toEqual(await cache.directory.resolve(NAME));
  });
});

describe('many who want a name at once', () => {
  test('cost one call, and each gets its own spelling', async () => {
    const cache = createCacheUnderTest();
    cache.says(livingFor(3_600));
    const spellings = ['10.1000/abc', '10.1000/ABC', '10.1000/aBc'].map(doiName);
    const asked = Array.from({ length: 99 }, (_, i) => spellings[i % 3] ?? NAME);
    const records = await Promise.all(asked.map((name) => cache.directory.resolve(name)));
    expect(records.map(({ handle }) => handle)).toEqual(asked);
    expect(cache.calls.resolve).toHaveLength(1);
  });

  test('all get its failure, and the next one asks again', async () => {
    const cache = createCacheUnderTest();
    cache.says(DOWN);
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => cache.directory.resolve(NAME)));
    expect(outcomes).toEqual(Array(3).fill({ status: 'rejected', reason: DOWN }));
    cache.says(livingFor(3_600, NEW));
    expect(await read(cache)).toEqual([NEW, false]);
    expect(cache.calls.resolve).toHaveLength(2);
  });

  test('wait on when one of them is gone', async () => {
    const cache = createCacheUnderTest();
    const { answer } = cache.holdBack();
    cache.says(livingFor(3_600));
    const controller = new AbortController();
    const gone = cache.directory.resolve(NAME, { signal: controller.signal });
    const others = cache.directory.resolve(NAME);
    const reason = new Error('the client has gone');
    controller.abort(reason);
    await expect(gone).rejects.toBe(reason);
    await answer();
    expect(await others).toMatchObject({ status: 'SUCCESS' });
    expect(cache.calls.resolve).toHaveLength(1);
  });

  test('one who was gone before asking is told so', async () => {
    const cache = createCacheUnderTest();
    const reason = new Error('the client has gone');
    await expect(cache.directory.resolve(NAME, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe('a record in the last tenth of its life', () => {
  test('is served at once and fetched anew behind, with one call', async () => {
    const cache = await holdingOld(livingFor(3_600, NEW));
    await cache.clock.advance(54 * MINUTE);
    expect(await Promise.all([read(cache), read(cache)])).toEqual([
      [OLD, false],
      [OLD, false],
    ]);
    await settled();
    expect(await read(cache)).toEqual([NEW, false]);
    expect(cache.calls.resolve).toHaveLength(2);
  });

  test('is served to the end of it, though the directory fails', async () => {
    const cache = await holdingOld(DOWN);
    await cache.clock.advance(HOUR - 1);
    expect(await read(cache)).toEqual([OLD, false]);
  });
});

describe('a record up to an hour past its life', () => {
  test.each([
    ['just past', HOUR],
    ['an hour past', 2 * HOUR],
  ])('%s: is served at once as stale, and fetched anew behind', async (_, age) => {
    const cache = await holdingOld(livingFor(3_600, NEW));
    await cache.clock.advance(age);
    const { answer } = cache.holdBack();
    expect(await read(cache)).toEqual([OLD, true]);
    expect(await read(cache)).toEqual([OLD, true]);
    expect(cache.calls.resolve).toHaveLength(2);
    await answer();
    expect(await read(cache)).toEqual([NEW, false]);
    expect(await counted(cache.metrics.cacheLookups, { answeredBy: 'stale' })).toBe(2);
  });

  test('is left alone for 30 seconds after its refresh failed', async () => {
    const cache = await holdingOld(DOWN);
    await cache.clock.advance(HOUR);
    await read(cache);
    await settled();
    await cache.clock.advance(30 * SECOND - 1);
    expect(await read(cache)).toEqual([OLD, true]);
    expect(cache.calls.resolve).toHaveLength(2);
    await cache.clock.advance(1);
    expect(await read(cache)).toEqual([OLD, true]);
    expect(cache.calls.resolve).toHaveLength(3);
  });

  test('keeps its exact freshUntil', async () => {
    const cache = await holdingOld(DOWN);
    const freshUntil = cache.clock.now() + HOUR;
    await cache.clock.advance(90 * MINUTE);
    expect(await cache.directory.resolve(NAME)).toMatchObject({ freshUntil, stale: true });
  });
});

describe('a record more than an hour past its life', () => {
  const AGE = 2 * HOUR + 1;

  test('waits for a new one', async () => {
    const cache = await holdingOld(livingFor(3_600, NEW));
    await cache.clock.advance(AGE);
    expect(cache.directory.memory?.record(NAME)).toBeUndefined();
    expect(await read(cache)).toEqual([NEW, false]);
  });

  test('waits 1.8 seconds at the most, then is served as stale; the new one is taken when it comes', async () => {
    const cache = await holdingOld(livingFor(3_600, NEW));
    await cache.clock.advance(AGE);
    const { answer } = cache.holdBack();
    const asked = read(cache);
    await cache.clock.advance(1_799);
    expect(await soFar(asked)).toBeUndefined();
    await cache.clock.advance(1);
    expect(await soFar(asked)).toEqual([OLD, true]);
    await answer();
    expect(await read(cache)).toEqual([NEW, false]);
    expect(cache.calls.resolve).toHaveLength(2);
  });

  test.each([
    ['cannot be reached', DOWN],
    ['says that it failed', 2],
  ])('is served as stale when the directory %s, and left alone for 30 seconds', async (_, failure) => {
    const cache = await holdingOld(failure);
    await cache.clock.advance(AGE);
    expect(await read(cache)).toEqual([OLD, true]);
    expect(await read(cache)).toEqual([OLD, true]);
    expect(cache.calls.resolve).toHaveLength(2);
    await cache.clock.advance(30 * SECOND);
    cache.says(livingFor(3_600, NEW));
    expect(await read(cache)).toEqual([NEW, false]);
  });

  test('is served for seven days, and not a moment longer', async () => {
    const cache = await holdingOld(DOWN);
    await cache.clock.advance(HOUR + 7 * DAY);
    expect(await read(cache)).toEqual([OLD, true]);
    await cache.clock.advance(30 * SECOND);
    await expect(cache.directory.resolve(NAME)).rejects.toBe(DOWN);
  });
});

describe('what is not cached', () => {
  test('a record with a ttl of 0, which drops the older one too', async () => {
    const cache = await holdingOld(livingFor(0, NEW));
    await cache.clock.advance(90 * MINUTE);
    expect(await read(cache)).toEqual([OLD, true]);
    await settled();
    expect(cache.memory.entries).toBe(0);
    expect([await read(cache), await read(cache)]).toEqual([
      [NEW, false],
      [NEW, false],
    ]);
    expect(cache.calls.resolve).toHaveLength(4);
  });

  test('a record that expires at a time that is past', async () => {
    const cache = createCacheUnderTest();
    cache.says([{ ...(livingFor(0)[0] as object), ttl: '2020-01-01T00:00:00Z' }]);
    await read(cache);
    await read(cache);
    expect(cache.calls.resolve).toHaveLength(2);
    expect(cache.memory.entries).toBe(0);
  });

  test("the directory's own error, which is passed on where there is nothing better", async () => {
    const cache = createCacheUnderTest();
    cache.says(2);
    expect(await cache.directory.resolve(NAME)).toMatchObject({ status: 'ERROR' });
    expect(await cache.directory.resolve(NAME)).toMatchObject({ status: 'ERROR' });
    expect(cache.calls.resolve).toHaveLength(2);
    expect(cache.memory.entries).toBe(0);
  });

  test("the directory's own error, which takes the place of nothing", async () => {
    const cache = await holdingOld(2);
    await cache.clock.advance(90 * MINUTE);
    expect([await read(cache), await read(cache)]).toEqual([
      [OLD, true],
      [OLD, true],
    ]);
  });
});

test('a record lives as long as its shortest value, a day at the most', async () => {
  const cache = createCacheUnderTest();
  cache.says([...livingFor(99_999_999), ...livingFor(99_999_998)]);
  expect(await cache.directory.resolve(NAME)).toMatchObject({ freshUntil: cache.clock.now() + DAY });
});

test.each([
  ['not found', 100],
  ['without values', 200],
])('%s is believed for five minutes', async (_, code) => {
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

test.each([
  ['not found', 100],
  ['without values', 200],
])(
  '%s is served for an hour past that while the directory is down, and not a moment longer',
  async (_, code) => {
    const cache = createCacheUnderTest();
    cache.says(code);
    await cache.directory.resolve(NAME);
    cache.says(DOWN);
    await cache.clock.advance(5 * MINUTE + HOUR);
    expect(await cache.directory.resolve(NAME)).toMatchObject({ responseCode: code, stale: true });
    await cache.clock.advance(1);
    await expect(cache.directory.resolve(NAME)).rejects.toBe(DOWN);
  },
);

describe('auth and cert', () => {
  test.each([{ auth: true }, { cert: true }])(
    '%o goes to the directory and refreshes the cache',
    async (asked) => {
      const cache = await holdingOld(livingFor(3_600, NEW));
      const record = await cache.directory.resolve(NAME, asked);
      expect(record.values[0]?.wire).toEqual(livingFor(3_600, NEW)[0]);
      expect(await read(cache)).toEqual([NEW, false]);
      expect(cache.calls.resolve).toHaveLength(2);
      expect(cache.calls.resolve[1]).toMatchObject(asked);
    },
  );

  test('that fail leave the cache as it is', async () => {
    const cache = await holdingOld(DOWN);
    await expect(cache.directory.resolve(NAME, { auth: true })).rejects.toBe(DOWN);
    cache.says(2);
    expect(await cache.directory.resolve(NAME, { auth: true })).toMatchObject({ status: 'ERROR' });
    expect(await read(cache)).toEqual([OLD, false]);
  });
});

test('while the directory is down, known names are answered and unknown ones are not', async () => {
  const cache = await holdingOld(DOWN);
  await cache.clock.advance(5 * HOUR);
  const names = [NAME, doiName('10.1000/unknown'), NAME];
  const outcomes = await Promise.allSettled(names.map((name) => cache.directory.resolve(name)));
  expect(outcomes).toMatchObject([
    { status: 'fulfilled', value: { stale: true } },
    { status: 'rejected', reason: DOWN },
    { status: 'fulfilled', value: { stale: true } },
  ]);
});
