// What is kept of a name keeps nothing else of the request that it was cut from.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { HandleName } from 'doi-names';
import { expect, test } from 'vitest';
import { createMemoryTier, SmallValues } from '../../src/cache/memory-tier.ts';
import { createEmbeddedAnswers } from '../../src/directory/embedded-answers.ts';
import { createRecord } from '../../src/handle/record.ts';
import { decodeValues } from '../../src/handle/value.ts';
import { type Evidence, EvidenceCollector } from '../../src/loaders/evidence.ts';
import { createFakeDirectory, NOW } from '../support/fake-directory.ts';
import { createCacheUnderTest, livingFor } from './cache-under-test.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const MEGABYTE = 1_000_000;
const COUNT = 60;

/** A name as it is cut from a request of a megabyte. */
function cut(index: number, letters: string): HandleName {
  const name = `10.1000/${letters}.${index}`;
  const request = `${name} ${'x'.repeat(MEGABYTE)}`;
  return request.slice(0, name.length) as HandleName;
}

/** Megabytes that are left behind by so many names. */
async function leftBehind(keep: (name: HandleName) => unknown, letters = 'lower.case'): Promise<number> {
  await keep(cut(COUNT, letters));
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < COUNT; index += 1) await keep(cut(index, letters));
  collectGarbage();
  return (process.memoryUsage().heapUsed - before) / MEGABYTE;
}

const LITTLE = COUNT / 4;

/** A cache over a directory that remembers nothing of what it was asked. */
function createCache() {
  const resolve = async (handle: HandleName) =>
    createRecord({ responseCode: 1, handle, values: decodeValues(livingFor(3_600)), fetchedAt: NOW });
  return createCacheUnderTest({ directory: { ...createFakeDirectory(), resolve } });
}

test('a name that is kept as it was cut leaves its request behind', async () => {
  const kept: HandleName[] = [];
  expect(await leftBehind((name) => kept.push(name))).toBeGreaterThan(COUNT / 2);
  expect(kept).toHaveLength(COUNT + 1);
});

test('the keys of what is in memory leave little', async () => {
  const memory = createMemoryTier(10 * MEGABYTE);
  const values = new SmallValues<number>(10 * MEGABYTE);
  expect(await leftBehind((name) => memory.set(name, 'text'))).toBeLessThan(LITTLE);
  expect(await leftBehind((name) => values.set(name, 1))).toBeLessThan(LITTLE);
  expect([memory.entries, values.get('10.1000/lower.case.0')]).toEqual([COUNT + 1, 1]);
});

test.each(['lower.case', 'UPPER.CASE'])('answers that are decoded leave little: %s', async (letters) => {
  const cache = createCache();
  const ask = async (name: HandleName) => {
    await cache.directory.resolve(name);
    expect(cache.directory.memory?.record(name)?.isCurrent()).toBe(true);
  };
  expect(await leftBehind(ask, letters)).toBeLessThan(LITTLE);
  expect(cache.memory.entries).toBe(COUNT + 1);
});

test('another spelling of what is decoded leaves little', async () => {
  const cache = createCache();
  const ask = async (name: HandleName) => {
    await cache.directory.resolve(name.toLowerCase() as HandleName);
    await cache.directory.resolve(name.toLowerCase() as HandleName);
    expect(await cache.directory.resolve(name)).toMatchObject({ handle: name });
  };
  expect(await leftBehind(ask, 'UPPER.CASE')).toBeLessThan(LITTLE);
});

test.each(['lower.case', 'UPPER.CASE'])(
  'answers of the embedded directory leave little: %s',
  async (letters) => {
    const answers = createEmbeddedAnswers({
      find: () => undefined,
      verdictOf: () => ({ status: 'DOES_NOT_EXIST', agency: null }),
      absentMessage: 'It is not there.',
      clock: () => NOW,
    });
    expect(await leftBehind((name) => answers.record(name), letters)).toBeLessThan(LITTLE);
  },
);

test.each([
  ['small records, which memory drops for others', 20_000, 2_000],
  ['records that are too large to stay decoded', 800_000, 50],
])('evidence keeps no record: %s', async (_, characters, count) => {
  const url = `https://example.org/${'x'.repeat(characters)}`;
  const resolve = async (handle: HandleName) =>
    createRecord({ responseCode: 1, handle, values: decodeValues(livingFor(3_600, url)), fetchedAt: NOW });
  const directory = { ...createFakeDirectory(), resolve };
  const cache = createCacheUnderTest({ directory, memory: createMemoryTier(4 * MEGABYTE) });
  const kept: (Evidence | null)[] = [];
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < count; index += 1) {
    const name = `10.1000/evidence.${index}` as HandleName;
    await cache.directory.resolve(name);
    const note = new EvidenceCollector();
    note.record(name, cache.directory.memory?.record(name) ?? expect.unreachable());
    kept.push(note.end());
  }
  // A weak reference holds its target to the end of the turn that made it.
  await new Promise(setImmediate);
  collectGarbage();
  expect((process.memoryUsage().heapUsed - before) / MEGABYTE).toBeLessThan(12);
  expect(kept).toHaveLength(count);
});
