// Laws of the answers in memory, for the embedded and the cached directory.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HandleName } from 'doi-names';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createMemoryTier } from '../../src/cache/memory-tier.ts';
import type { Directory, KeptAnswer } from '../../src/directory/directory.ts';
import { createEmbeddedDirectory } from '../../src/directory/embedded.ts';
import { Evidence } from '../../src/loaders/evidence.ts';
import { urlValue } from '../support/fake-directory.ts';
import { createVirtualClock, type VirtualClock } from '../support/virtual-clock.ts';
import { createCacheUnderTest, DAY, HOUR, MINUTE, SECOND } from './cache-under-test.ts';

interface DirectoryUnderTest {
  readonly directory: Directory;
  readonly clock: VirtualClock;
}

const NAMES = ['10.1000/abc', '10.1000/def', '10.5555/short', '10.5555/none'] as HandleName[];
const upper = (name: HandleName) => name.toUpperCase() as HandleName;

const folder = await mkdtemp(join(tmpdir(), 'kept-answer-laws-'));
const recordsFile = join(folder, 'records.jsonl');
const agenciesFile = join(folder, 'agencies.json');
const lines = NAMES.slice(0, 3).map((handle, i) => ({
  handle,
  values: [urlValue('https://example.org/', { ttl: i === 2 ? 60 : 86_400 })],
}));
await writeFile(recordsFile, lines.map((line) => JSON.stringify(line)).join('\n'));
await writeFile(agenciesFile, '{"10.1000": "Crossref"}');
afterAll(() => rm(folder, { recursive: true }));

async function createEmbedded(): Promise<DirectoryUnderTest> {
  const clock = createVirtualClock();
  return { clock, directory: await createEmbeddedDirectory({ recordsFile, agenciesFile, clock: clock.now }) };
}

async function createCached(maxBytes = 1_000_000): Promise<DirectoryUnderTest> {
  const { clock, directory } = await createEmbedded();
  return createCacheUnderTest({ directory, clock, memory: createMemoryTier(maxBytes) });
}

const DIRECTORIES = [
  ['the embedded directory', createEmbedded],
  ['the cached directory', createCached],
  ['the cached directory with a small memory', () => createCached(8_000)],
] as const;

type Step = { readonly advanceMs: number } | { readonly shiftMs: number } | LookUp;
interface LookUp {
  readonly kind: 'resolve' | 'auth' | 'agency';
  readonly name: HandleName;
}

const advance = fc.record({ advanceMs: fc.constantFrom(1, SECOND, MINUTE, HOUR, DAY) });
const shift = fc.record({ shiftMs: fc.constantFrom(-DAY, -MINUTE, MINUTE) });
const lookUp = fc.record({
  kind: fc.constantFrom('resolve' as const, 'auth' as const, 'agency' as const),
  name: fc.constantFrom(...NAMES),
});

async function play({ directory, clock }: DirectoryUnderTest, step: Step): Promise<void> {
  if ('advanceMs' in step) await clock.advance(step.advanceMs);
  else if ('shiftMs' in step) clock.shift(step.shiftMs);
  else if (step.kind === 'agency') await Promise.all(directory.whichRa([step.name]));
  else await directory.resolve(step.name, { auth: step.kind === 'auth' });
}

describe.each(DIRECTORIES)('%s', (_, create) => {
  test('returns the same object exactly while a fresh answer is current, and marks a stale answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(advance, lookUp), { maxLength: 12 }), async (steps) => {
        const underTest = await create();
        const { directory, clock } = underTest;
        const seen: { kept: KeptAnswer<{ stale: boolean }>; peek: () => unknown }[] = [];
        for (const step of steps) {
          await play(underTest, step);
          for (const { kept, peek } of seen) {
            const isCurrent = kept.isCurrent();
            if (isCurrent || !kept.answer.stale) expect(peek() === kept).toBe(isCurrent);
          }
          for (const name of NAMES) {
            for (const peekAt of [directory.memory?.record, directory.memory?.agency]) {
              const kept = peekAt?.(name);
              if (!kept) continue;
              expect(kept.answer.stale).toBe(clock.now() >= kept.answer.freshUntil);
              expect(Object.isFrozen(kept.answer)).toBe(true);
              seen.push({ kept, peek: () => peekAt?.(name) });
            }
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  test('has evidence that is current exactly while all its answers are current, even if the clock jumps', async () => {
    const steps = fc.array(
      fc.oneof(
        { weight: 3, arbitrary: lookUp },
        { weight: 1, arbitrary: advance },
        { weight: 1, arbitrary: shift },
      ),
      { maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (played) => {
        const underTest = await create();
        const { memory } = underTest.directory;
        const seen: { evidence: Evidence; kept: KeptAnswer<unknown>[] }[] = [];
        for (const step of played) {
          await play(underTest, step);
          for (const { evidence, kept } of seen) {
            const isCurrent = evidence.isCurrent(memory);
            expect(isCurrent).toBe(kept.every((answer) => answer.isCurrent()));
          }
          for (const name of NAMES) {
            const record = memory?.record(name);
            const agency = memory?.agency(name);
            if (record === undefined || agency === undefined) continue;
            const names = { records: [name], agencies: [name], metadata: [] };
            const freshUntil = Math.min(record.answer.freshUntil, agency.answer.freshUntil);
            const kept = [record, agency];
            seen.push({ evidence: new Evidence(names, kept, freshUntil), kept });
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe.each(DIRECTORIES.slice(0, 2))('a peek of %s', (_, create) => {
  test('returns the same object for each spelling, with the answer of the look-up', async () => {
    const { directory } = await create();
    for (const name of NAMES) {
      const record = await directory.resolve(name);
      const [agency] = await Promise.all(directory.whichRa([name]));
      const kept = directory.memory?.record(name);
      // A cache does not keep the message of the embedded directory.
      expect(kept?.answer).toEqual({ ...record, message: kept?.answer.message });
      expect(directory.memory?.record(upper(name))).toBe(kept);
      expect(directory.memory?.agency(name)?.answer).toEqual(agency);
      expect(directory.memory?.agency(upper(name))).toBe(directory.memory?.agency(name));
    }
  });
});

describe('the embedded directory', () => {
  test.each([
    ['a minute', '10.1000/abc', 10 * SECOND, MINUTE],
    ['a tenth of five minutes if the name is absent', '10.5555/none', 10 * SECOND, 30 * SECOND],
    ['a tenth of the ttl', '10.5555/short', SECOND, 6 * SECOND],
  ])('keeps an answer for %s', async (_, text, before, end) => {
    const { directory, clock } = await createEmbedded();
    const name = text as HandleName;
    const first = directory.memory?.record(name);
    await clock.advance(before);
    expect(directory.memory?.record(name)).toBe(first);
    await clock.advance(end - before);
    expect(directory.memory?.record(name)?.answer).toMatchObject({ fetchedAt: clock.now() });
  });

  test('drops answers for absent names if there are many. A dropped answer is not current', async () => {
    const { directory } = await createEmbedded();
    const [first, ...others] = Array.from({ length: 120 }, (_, i) => `10.9999/${i}${'x'.repeat(10_000)}`);
    const kept = directory.memory?.record(first as HandleName);
    expect(kept?.isCurrent()).toBe(true);
    for (const name of others) directory.memory?.record(name as HandleName);
    expect(kept?.isCurrent()).toBe(false);
    expect(directory.memory?.record(first as HandleName)).not.toBe(kept);
  });

  test('has one agency answer for all names with the same verdict', async () => {
    const { directory } = await createEmbedded();
    const [abc, def, short, none] = NAMES.map((name) => directory.memory?.agency(name)?.answer);
    expect(def).toBe(abc);
    expect([abc?.agency, short?.status, none?.status]).toEqual(['Crossref', 'UNKNOWN', 'DOES_NOT_EXIST']);
  });
});
