// What it costs to look a name up in memory, record and agency: by asking, and by looking at what was noted again. Run with
//   npm run build && node --import tsx bench/look-ups.ts

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// What tsx compiles is slower than what is shipped.
const dist = (file: string) => import(new URL(`../dist/${file}`, import.meta.url).href);
const { createLoaders } = (await dist('loaders/loaders.js')) as typeof import('../src/loaders/loaders.ts');
const { createEmbeddedDirectory } = (await dist(
  'directory/embedded.js',
)) as typeof import('../src/directory/embedded.ts');
const { createCachedDirectory } = (await dist(
  'cache/cached-directory.js',
)) as typeof import('../src/cache/cached-directory.ts');
const { createMemoryTier } = (await dist(
  'cache/memory-tier.js',
)) as typeof import('../src/cache/memory-tier.ts');
const { NO_SHARED_TIER } = (await dist(
  'cache/shared-tier.js',
)) as typeof import('../src/cache/shared-tier.ts');
const { systemClock } = (await dist('cache/clock.js')) as typeof import('../src/cache/clock.ts');
const { createMetrics } = (await dist('metrics.js')) as typeof import('../src/metrics.ts');

import type { Directory } from '../src/directory/directory.ts';
import type { HandleName } from '../src/doi/name.ts';

const COUNT = 1_000;
const ROUNDS = 60;
const data = (file: string) => fileURLToPath(new URL(`../data/${file}`, import.meta.url));

interface Line {
  readonly handle: string;
  readonly values: readonly { readonly ttl: unknown }[];
}

const samples = (await readFile(data('sample-directory.jsonl'), 'utf8'))
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Line)
  .filter(({ handle }) => /^10\.[0-9.]+\//.test(handle))
  .filter(({ values }) => values.every(({ ttl }) => typeof ttl === 'number' && ttl > 1_000));
const lines = Array.from({ length: COUNT }, (_, i) => {
  const { handle, values } = samples[i % samples.length] as Line;
  return { handle: `${handle.toLowerCase()}.${i}`, values };
});
const names = lines.map(({ handle }) => handle as HandleName);

const folder = await mkdtemp(join(tmpdir(), 'look-ups-'));
const recordsFile = join(folder, 'records.jsonl');
await writeFile(recordsFile, lines.map((line) => JSON.stringify(line)).join('\n'));
const embedded = await createEmbeddedDirectory({ recordsFile, agenciesFile: data('prefix-agencies.json') });
await rm(folder, { recursive: true });
const cached = createCachedDirectory({
  directory: embedded,
  memory: createMemoryTier(2 ** 28),
  shared: NO_SHARED_TIER,
  maxFailureBytes: 1_000_000,
  maxPrefixBytes: 1_000_000,
  clock: systemClock,
  random: Math.random,
  metrics: createMetrics(),
});

/** Nanoseconds a name, of the best of many rounds: others may use the machine as well. */
function measure(round: () => void): number {
  for (let i = 0; i < 200; i += 1) round();
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < ROUNDS; i += 1) {
    const start = performance.now();
    for (let j = 0; j < 10; j += 1) round();
    best = Math.min(best, ((performance.now() - start) * 1e6) / 10 / COUNT);
  }
  return Math.round(best);
}

const signal = () => new AbortController().signal;

async function rowOf(directory: Directory) {
  const request = () => createLoaders({ directory, signal, maxLookups: 2 * COUNT });
  for (const name of names) {
    await directory.resolve(name);
    await Promise.all(directory.whichRa([name]));
  }
  const noting = request();
  const evidence = names.map((name) => {
    const end = noting.note();
    void noting.record(name);
    void noting.whichRa(name);
    const noted = end();
    if (noted === null) throw new Error('memory does not have it');
    return noted;
  });
  return {
    'record, ns': measure(() => {
      const loaders = request();
      for (const name of names) void loaders.record(name);
    }),
    'record and agency, ns': measure(() => {
      const loaders = request();
      for (const name of names) {
        void loaders.record(name);
        void loaders.whichRa(name);
      }
    }),
    'both noted, ns': measure(() => {
      const loaders = request();
      for (const name of names) {
        const end = loaders.note();
        void loaders.record(name);
        void loaders.whichRa(name);
        end();
      }
    }),
    'both still hold, ns': measure(() => {
      const loaders = request();
      for (const noted of evidence) if (!loaders.stillHolds(noted)) throw new Error('it holds no longer');
    }),
    'loaders of a request, ns': measure(() => {
      for (let i = 0; i < COUNT; i += 1) request();
    }),
  };
}

console.table({ embedded: await rowOf(embedded), 'proxy, cached': await rowOf(cached) });
