// What an answer was made from is asked only now and then whether it is live: whenever it may be so no more.

import type { HandleName } from 'doi-names';
import { expect, test } from 'vitest';
import { createMemoryTier } from '../../src/cache/memory-tier.ts';
import type { KeptAnswer, WhichRaAnswer } from '../../src/directory/directory.ts';
import { createEmbeddedAnswers } from '../../src/directory/embedded-answers.ts';
import type { HandleRecord } from '../../src/handle/record.ts';
import { Evidence } from '../../src/loaders/evidence.ts';
import { createCacheUnderTest, DAY, HOUR, livingFor, MINUTE } from './cache-under-test.ts';

const [NAME, OTHER] = ['10.1000/abc', '10.1000/def'] as [HandleName, HandleName];
const CROSSREF = { status: 'FOUND', agency: 'Crossref' } as const;

/** The evidence of one look-up that memory answered. */
function evidenceOf(held: KeptAnswer<HandleRecord | WhichRaAnswer> | undefined): Evidence {
  const kept = held ?? expect.unreachable();
  return new Evidence({ records: [NAME], agencies: [], metadata: [] }, [kept], kept.answer.freshUntil);
}

/** A cache that takes the agency of NAME from that of OTHER, which was asked for at first. */
async function toldByPrefix(recordAfterMs: number) {
  const cache = createCacheUnderTest({ agencies: { [OTHER]: CROSSREF } });
  cache.says(livingFor(86_400));
  await Promise.all(cache.directory.whichRa([OTHER]));
  await cache.clock.advance(recordAfterMs);
  await cache.directory.resolve(NAME);
  const evidence = evidenceOf(cache.directory.memory?.agency(NAME));
  const isLive = () => evidence.isCurrent(cache.directory.memory);
  expect([isLive(), isLive()]).toEqual([true, true]);
  return { cache, isLive };
}

test("an agency of its prefix's is evidence for as long as the prefix's is, though the record lives on", async () => {
  const { cache, isLive } = await toldByPrefix(20 * HOUR);
  await cache.clock.advance(4 * HOUR - 1);
  expect(isLive()).toBe(true);
  await cache.clock.advance(1);
  expect(isLive()).toBe(false);
});

test("an agency of its prefix's is no evidence once the clock is before it", async () => {
  const cache = createCacheUnderTest({ agencies: { [OTHER]: CROSSREF } });
  cache.says(livingFor(86_400));
  await cache.directory.resolve(NAME);
  await cache.clock.advance(HOUR);
  await Promise.all(cache.directory.whichRa([OTHER]));
  const evidence = evidenceOf(cache.directory.memory?.agency(NAME));
  expect(evidence.isCurrent(cache.directory.memory)).toBe(true);
  cache.clock.shift(-30 * MINUTE);
  expect(cache.directory.memory?.record(NAME)?.isCurrent()).toBe(true);
  expect(evidence.isCurrent(cache.directory.memory)).toBe(false);
});

test("an agency of its prefix's is no evidence once the name has one of its own", async () => {
  const cache = createCacheUnderTest({ agencies: { [OTHER]: CROSSREF } });
  cache.says(livingFor(86_400));
  await Promise.all(cache.directory.whichRa([OTHER]));
  const asked = Promise.all(cache.directory.whichRa([NAME]));
  await cache.directory.resolve(NAME);
  const evidence = evidenceOf(cache.directory.memory?.agency(NAME));
  expect(evidence.isCurrent(cache.directory.memory)).toBe(true);
  await asked;
  expect(evidence.isCurrent(cache.directory.memory)).toBe(false);
});

test('a record is evidence of its absence until the embedded directory lets it go', () => {
  const answers = createEmbeddedAnswers({
    find: () => undefined,
    verdictOf: () => CROSSREF,
    absentMessage: 'It is not there.',
    clock: () => DAY,
  });
  const evidence = evidenceOf(answers.record(NAME));
  expect(evidence.isCurrent(answers)).toBe(true);
  for (let i = 0; i < 120; i += 1) answers.record(`10.9999/${i}${'x'.repeat(10_000)}` as HandleName);
  expect(evidence.isCurrent(answers)).toBe(false);
});

test('memory keeps what is only ever used as evidence, decoded', async () => {
  const cache = createCacheUnderTest({ memory: createMemoryTier(16_000) });
  await cache.directory.resolve(NAME);
  const evidence = evidenceOf(cache.directory.memory?.record(NAME));
  for (let i = 0; i < 200; i += 1) {
    await cache.directory.resolve(`10.1000/${i}` as HandleName);
    expect(evidence.isCurrent(cache.directory.memory)).toBe(true);
  }
});

test('memory keeps what is only ever used as evidence, though nothing else is decoded', async () => {
  const memory = createMemoryTier(16_000);
  const cache = createCacheUnderTest({ memory });
  await cache.directory.resolve(NAME);
  const evidence = evidenceOf(cache.directory.memory?.record(NAME));
  for (let i = 0; i < 200; i += 1) {
    expect(evidence.isCurrent(cache.directory.memory)).toBe(true);
    memory.set(`text ${i}`, 'x'.repeat(300));
  }
});
