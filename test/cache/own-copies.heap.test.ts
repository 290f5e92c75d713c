// A name is a slice of a large request. The parts that keep a name must not keep the request in memory.

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

/** A name that is a slice of a request of a megabyte. */
function sliceOfRequest(index: number, letters: string): HandleName {
  const name = `10.1000/${letters}.${index}`;
  const request = `${name} ${'x'.repeat(MEGABYTE)}`;
  return request.slice(0, name.length) as HandleName;
}

/** Returns the megabytes that stay in memory after `keep` of COUNT names. */
async function megabytesAfter(keep: (name: HandleName) => unknown, letters = 'lower.case'): Promise<number> {
  await keep(sliceOfRequest(COUNT, letters));
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < COUNT; index += 1) await keep(sliceOfRequest(index, letters));
  collectGarbage();
  return (process.memoryUsage().heapUsed - before) / MEGABYTE;
}

const LITTLE = COUNT / 4;

/** A cache in front of a directory without a call log. */
function createCache() {
  const resolve = async (handle: HandleName) =>
    createRecord({ responseCode: 1, handle, values: decodeValues(livingFor(3_600)), fetchedAt: NOW });
  return createCacheUnderTest({ directory: { ...createFakeDirectory(), resolve } });
}

test('a kept slice keeps its request in memory, so these tests can detect a slice', async () => {
  const kept: HandleName[] = [];
  expect(await megabytesAfter((name) => kept.push(name))).toBeGreaterThan(COUNT / 2);
  expect(kept).toHaveLength(COUNT + 1);
});

test('the keys of the memory tier are copies', async () => {
  const memory = createMemoryTier(10 * MEGABYTE);
  const values = new SmallValues<number>(10 * MEGABYTE);
  expect(await megabytesAfter((name) => memory.set(name, 'text'))).toBeLessThan(LITTLE);
  expect(await megabytesAfter((name) => values.set(name, 1))).toBeLessThan(LITTLE);
  expect([memory.entries, values.get('10.1000/lower.case.0')]).toEqual([COUNT + 1, 1]);
});

test.each(['lower.case', 'UPPER.CASE'])('the names of decoded answers are copies: %s', async (letters) => {
  const cache = createCache();
  const lookUp = async (name: HandleName) => {
    await cache.directory.resolve(name);
    expect(cache.directory.memory?.record(name)?.isCurrent()).toBe(true);
  };
  expect(await megabytesAfter(lookUp, letters)).toBeLessThan(LITTLE);
  expect(cache.memory.entries).toBe(COUNT + 1);
});

test('another spelling of a decoded answer is a copy', async () => {
  const cache = createCache();
  const lookUp = async (name: HandleName) => {
    await cache.directory.resolve(name.toLowerCase() as HandleName);
    await cache.directory.resolve(name.toLowerCase() as HandleName);
    expect(await cache.directory.resolve(name)).toMatchObject({ handle: name });
  };
  expect(await megabytesAfter(lookUp, 'UPPER.CASE')).toBeLessThan(LITTLE);
});

test.each(['lower.case', 'UPPER.CASE'])(
  'the names of answers of the embedded directory are copies: %s',
  async (letters) => {
    const answers = createEmbeddedAnswers({
      find: () => undefined,
      verdictOf: () => ({ status: 'DOES_NOT_EXIST', agency: null }),
      absentMessage: 'It is not there.',
      clock: () => NOW,
    });
    expect(await megabytesAfter((name) => answers.record(name), letters)).toBeLessThan(LITTLE);
  },
);

test.each([
  ['small records that memory drops', 20_000, 2_000],
  ['records that are too large to keep decoded', 800_000, 50],
])('evidence keeps no record in memory: %s', async (_, characters, count) => {
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
    const collector = new EvidenceCollector();
    collector.record(name, cache.directory.memory?.record(name) ?? expect.unreachable());
    kept.push(collector.end());
  }
  // A weak reference keeps its target until the end of the turn that made it.
  await new Promise(setImmediate);
  collectGarbage();
  expect((process.memoryUsage().heapUsed - before) / MEGABYTE).toBeLessThan(12);
  expect(kept).toHaveLength(count);
});
