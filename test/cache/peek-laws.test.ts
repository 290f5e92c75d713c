// The laws of peeking, for every directory that has a memory: what is told at once is one object as long as it holds.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HandleName } from 'doi-names';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createMemoryTier } from '../../src/cache/memory-tier.ts';
import type { Directory, KeptAnswer, WhichRaAnswer } from '../../src/directory/directory.ts';
import { createEmbeddedDirectory } from '../../src/directory/embedded.ts';
import type { HandleRecord } from '../../src/handle/record.ts';
import { Evidence } from '../../src/loaders/evidence.ts';
import { urlValue } from '../support/fake-directory.ts';
import { createVirtualClock, type VirtualClock } from '../support/virtual-clock.ts';
import { createCacheUnderTest, DAY, HOUR, livingFor, MINUTE, SECOND } from './cache-under-test.ts';

interface UnderTest {
  readonly directory: Directory;
  readonly clock: VirtualClock;
}

const NAMES = ['10.1000/abc', '10.1000/def', '10.5555/short', '10.5555/none'] as HandleName[];
const upper = (name: HandleName) => name.toUpperCase() as HandleName;

const folder = await mkdtemp(join(tmpdir(), 'peek-laws-'));
const recordsFile = join(folder, 'records.jsonl');
const agenciesFile = join(folder, 'agencies.json');
const lines = NAMES.slice(0, 3).map((handle, i) => ({
  handle,
  values: [urlValue('https://example.org/', { ttl: i === 2 ? 60 : 86_400 })],
}));
await writeFile(recordsFile, lines.map((line) => JSON.stringify(line)).join('\n'));
await writeFile(agenciesFile, '{"10.1000": "Crossref"}');
afterAll(() => rm(folder, { recursive: true }));

async function embedded(): Promise<UnderTest> {
  const clock = createVirtualClock();
  return { clock, directory: await createEmbeddedDirectory({ recordsFile, agenciesFile, clock: clock.now }) };
}

/** Over a memory with room for one decoded record or so where it is small. */
async function cached(maxBytes = 1_000_000): Promise<UnderTest> {
  const { clock, directory } = await embedded();
  return createCacheUnderTest({ directory, clock, memory: createMemoryTier(maxBytes) });
}

const wait = fc.record({
  kind: fc.constant('wait' as const),
  ms: fc.constantFrom(1, SECOND, MINUTE, HOUR, DAY),
});
const ask = fc.record({
  kind: fc.constantFrom('resolve' as const, 'auth' as const, 'agency' as const),
  name: fc.constantFrom(...NAMES),
});
const step = fc.oneof(wait, ask);

test.each([
  ['the embedded directory', embedded],
  ['the cached directory', cached],
  ['the cached directory, with room for few', () => cached(8_000)],
])(
  '%s: an answer that is live is what a peek gives, and one that is not and not stale is not',
  async (_, create) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { directory, clock } = await create();
        const seen: { held: KeptAnswer<HandleRecord | WhichRaAnswer>; peek: () => unknown }[] = [];
        for (const { kind, ...rest } of steps) {
          if ('ms' in rest) await clock.advance(rest.ms);
          else if (kind === 'agency') await Promise.all(directory.whichRa([rest.name]));
          else await directory.resolve(rest.name, { auth: kind === 'auth' });
          for (const { held, peek } of seen) {
            const isLive = held.isCurrent();
            if (isLive || !held.answer.stale) expect(peek() === held).toBe(isLive);
          }
          for (const name of NAMES) {
            for (const ask of [directory.memory?.record, directory.memory?.agency]) {
              const peek = () => ask?.(name);
              const held = peek();
              if (held) seen.push({ held, peek });
            }
          }
        }
      }),
      { numRuns: 40 },
    );
  },
);

test.each([
  ['the embedded directory', embedded],
  ['the cached directory', cached],
  ['the cached directory, with room for few', () => cached(8_000)],
])(
  '%s: evidence is live as long as each answer in it is, however its memory and clock change',
  async (_, create) => {
    const shift = fc.record({
      kind: fc.constant('shift' as const),
      by: fc.constantFrom(-DAY, -MINUTE, MINUTE),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            { weight: 3, arbitrary: ask },
            { weight: 1, arbitrary: wait },
            { weight: 1, arbitrary: shift },
          ),
          { maxLength: 20 },
        ),
        async (steps) => {
          const { directory, clock } = await create();
          const seen: { evidence: Evidence; held: KeptAnswer<unknown>[] }[] = [];
          for (const { kind, ...rest } of steps) {
            if ('ms' in rest) await clock.advance(rest.ms);
            else if ('by' in rest) clock.shift(rest.by);
            else if (kind === 'agency') await Promise.all(directory.whichRa([rest.name]));
            else await directory.resolve(rest.name, { auth: kind === 'auth' });
            for (const { evidence, held } of seen) {
              const isLive = evidence.isCurrent(directory.memory);
              expect(isLive).toBe(held.every((one) => one.isCurrent()));
            }
            for (const name of NAMES) {
              const record = directory.memory?.record(name);
              const agency = directory.memory?.agency(name);
              if (record === undefined || agency === undefined) continue;
              const held = [record, agency];
              const names = { records: [name], agencies: [name], metadata: [] };
              const freshUntil = Math.min(record.answer.freshUntil, agency.answer.freshUntil);
              seen.push({ evidence: new Evidence(names, held, freshUntil), held });
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  },
);

describe.each([
  ['the embedded directory', embedded],
  ['the cached directory', cached],
])('%s', (_, create) => {
  test('gives one object as long as nothing changes, and none as fresh that is not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { directory, clock } = await create();
        for (const { kind, ...rest } of steps) {
          if ('ms' in rest) await clock.advance(rest.ms);
          else if (kind === 'agency') await Promise.all(directory.whichRa([rest.name]));
          else await directory.resolve(rest.name, { auth: kind === 'auth' });
          for (const name of NAMES) {
            for (const peek of [directory.memory?.record, directory.memory?.agency]) {
              const held = peek?.(name);
              const answer = held?.answer;
              expect(peek?.(name)).toBe(held);
              expect(peek?.(upper(name))).toBe(held);
              if (held) expect(held.isCurrent()).toBe(clock.now() < held.answer.freshUntil);
              if (answer) expect(answer.stale).toBe(clock.now() >= answer.freshUntil);
              if (answer) expect(answer).toSatisfy(Object.isFrozen);
            }
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  test('gives the same as it answers when it is asked', async () => {
    const { directory } = await create();
    for (const name of NAMES) {
      const record = await directory.resolve(name);
      const [agency] = await Promise.all(directory.whichRa([name]));
      // The words of the embedded directory are no part of what a cache keeps.
      const peeked = directory.memory?.record(name)?.answer;
      expect(peeked).toEqual({ ...record, message: peeked?.message });
      expect(directory.memory?.agency(name)?.answer).toEqual(agency);
    }
  });

  test('gives another object once the answer has run out', async () => {
    const { directory, clock } = await create();
    for (const name of NAMES) {
      await directory.resolve(name);
      await Promise.all(directory.whichRa([name]));
    }
    const before = NAMES.map((name) => [directory.memory?.record(name), directory.memory?.agency(name)]);
    await clock.advance(DAY);
    NAMES.forEach((name, i) => {
      expect(directory.memory?.record(name)).not.toBe(before[i]?.[0]);
      expect(directory.memory?.agency(name)).not.toBe(before[i]?.[1]);
    });
  });
});

describe('the embedded directory', () => {
  test.each([
    [10 * SECOND, '10.1000/abc', MINUTE],
    [10 * SECOND, '10.5555/none', 30 * SECOND],
    [SECOND, '10.5555/short', 6 * SECOND],
  ])('keeps an answer for a minute, or a tenth of its life (%#)', async (before, name, end) => {
    const { directory, clock } = await embedded();
    const asked = name as HandleName;
    const first = directory.memory?.record(asked);
    await clock.advance(before);
    expect(directory.memory?.record(asked)).toBe(first);
    await clock.advance(end - before);
    expect(directory.memory?.record(asked)?.answer).toMatchObject({ fetchedAt: clock.now() });
  });

  test('lets names go that are not there, and what it said of them', async () => {
    const { directory } = await embedded();
    const [first, ...others] = Array.from({ length: 120 }, (_, i) => `10.9999/${i}${'x'.repeat(10_000)}`);
    const held = directory.memory?.record(first as HandleName);
    expect(held?.isCurrent()).toBe(true);
    for (const name of others) directory.memory?.record(name as HandleName);
    expect(held?.isCurrent()).toBe(false);
    expect(directory.memory?.record(first as HandleName)).not.toBe(held);
  });

  test('shares an agency among the names of a verdict', async () => {
    const { directory } = await embedded();
    const [abc, def, short, none] = NAMES.map((name) => directory.memory?.agency(name)?.answer);
    expect(def).toBe(abc);
    expect([abc?.agency, short?.status, none?.status]).toEqual(['Crossref', 'UNKNOWN', 'DOES_NOT_EXIST']);
  });
});

describe('the cached directory', () => {
  const [NAME = expect.unreachable()] = NAMES;

  test('gives another object when the answer is asked for past the cache, or refreshed', async () => {
    const cache = createCacheUnderTest();
    cache.says(livingFor(3_600));
    await cache.directory.resolve(NAME);
    const first = cache.directory.memory?.record(NAME);
    await cache.directory.resolve(NAME, { auth: true });
    const second = cache.directory.memory?.record(NAME);
    expect(second).not.toBe(first);
    await cache.clock.advance(55 * MINUTE);
    expect(cache.directory.memory?.record(NAME)).toBe(second);
    await cache.clock.advance(0);
    const third = cache.directory.memory?.record(NAME);
    expect(third?.answer).toMatchObject({ stale: false, fetchedAt: cache.clock.now() });
    expect(cache.calls.resolve).toHaveLength(3);
  });

  test("an agency of the name's own takes the place of its prefix's at once", async () => {
    const agencies = { [NAMES[1] as string]: { status: 'FOUND', agency: 'Crossref' } as const };
    const cache = createCacheUnderTest({ agencies });
    cache.says(livingFor(86_400));
    await Promise.all(cache.directory.whichRa(NAMES.slice(1, 2)));
    const asked = Promise.all(cache.directory.whichRa([NAME]));
    await cache.directory.resolve(NAME);
    const ofPrefix = cache.directory.memory?.agency(NAME);
    expect(ofPrefix?.answer).toMatchObject({ agency: 'Crossref' });
    expect(ofPrefix?.isCurrent()).toBe(true);
    await asked;
    expect(ofPrefix?.isCurrent()).toBe(false);
    expect(cache.directory.memory?.agency(NAME)?.answer).toMatchObject({ status: 'DOES_NOT_EXIST' });
  });

  test('answers what there is no room to keep decoded', async () => {
    const { directory } = await cached(4_000);
    for (const name of NAMES) await directory.resolve(name);
    for (const name of NAMES) {
      const answer = directory.memory?.record(name)?.answer;
      if (answer) expect(answer.handle).toBe(name);
    }
  });
});
