// How long a job of many names takes, and what it costs, by simulation: names drawn as people cite them, caches of
// given sizes, one directory with a limit. Run with
//   npm run scaling
// docs/scaling.md explains the numbers.

import { printTable } from './table.ts';

/** Of 10^6 rows at a time, so that 10^9 take seconds. */
const SAMPLE = 2_000_000;

/** A name is cited the more often the more it is cited already: Zipf with this exponent, over so many names there are. */
const EXPONENT = 0.9;
const REGISTERED = 350_000_000;
/** Prefixes hold names as unevenly. */
const PREFIXES = 60_000;
const PREFIX_EXPONENT = 1;

/** In Redis, of a small record: key, value, overhead. */
const CACHED_BYTES = 900;
/** In the queue and its state, a chunk that waits, and one that is done. */
const WAITING_CHUNK_BYTES = 900;
const DONE_CHUNK_BYTES = 25;
const CHUNK = 1_000;
/** A row as it is kept, and as it comes out. */
const INPUT_BYTES = 75;
const OUTPUT_BYTES = 90;
/** Processor time of a worker for a row: answered from the cache, and by the directory (docs/benchmarks.md). */
const CACHED_US = 60;
const ASKED_US = 320;

const HOURS = 3_600;

interface Scenario {
  readonly rows: number;
  /** look-ups a second that the directory allows */
  readonly perSecond: number;
  readonly cacheGiB: number;
}

/** A number from 0 to `count`, by Zipf's law, drawn from the inverse of its integral. */
function zipf(count: number, exponent: number, random: () => number): number {
  if (exponent === 1) return Math.floor(Math.exp(random() * Math.log(count)));
  const power = 1 - exponent;
  return Math.floor(((count ** power - 1) * random() + 1) ** (1 / power));
}

/** Always the same numbers. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Distinct names among so many draws, as expected, of the first ranks alone; summed over ranks in steps. */
function distinct(draws: number, count: number, exponent: number, ranks = count): number {
  const power = 1 - exponent;
  const norm = exponent === 1 ? Math.log(count) : (count ** power - 1) / power;
  let sum = 0;
  for (let rank = 1; rank < ranks; ) {
    const next = Math.min(ranks, Math.max(rank + 1, Math.floor(rank * 1.01)));
    const middle = Math.sqrt(rank * next);
    const share = middle ** -exponent / norm;
    sum += (next - rank) * (1 - Math.exp(-draws * share));
    rank = next;
  }
  return sum;
}

/** The share of draws that a cache of the most used names does not hold, by playing it. */
function misses(cached: number, random: () => number): number {
  let missed = 0;
  for (let draw = 0; draw < SAMPLE; draw += 1) if (zipf(REGISTERED, EXPONENT, random) > cached) missed += 1;
  return missed / SAMPLE;
}

function play({ rows, perSecond, cacheGiB }: Scenario) {
  const names = distinct(rows, REGISTERED, EXPONENT);
  const prefixes = distinct(rows, PREFIXES, PREFIX_EXPONENT);
  const fits = (cacheGiB * 2 ** 30) / CACHED_BYTES;
  // The most used names stay; of the others each is asked for as often as it is drawn, at the worst.
  const stays = distinct(rows, REGISTERED, EXPONENT, Math.min(fits, REGISTERED));
  const lookUps = fits >= names ? names : stays + rows * misses(fits, createRandom(1));
  const workerHours = (lookUps * ASKED_US + (rows - lookUps) * CACHED_US) / 1e6 / HOURS;
  const chunks = rows / CHUNK;
  return {
    names,
    prefixes,
    lookUps,
    directoryHours: lookUps / perSecond / HOURS,
    sortedHours: names / perSecond / HOURS,
    workerHours,
    diskGiB: (rows * (INPUT_BYTES + OUTPUT_BYTES)) / 2 ** 30,
    queueMiB: (chunks * DONE_CHUNK_BYTES + 4 * WAITING_CHUNK_BYTES) / 2 ** 20,
    wholeQueueMiB: (chunks * WAITING_CHUNK_BYTES) / 2 ** 20,
  };
}

const SIZES = [1e6, 1e7, 1e8, 1e9];
const words = (rows: number): string => `10^${Math.log10(rows)}`;

const rows = SIZES.map((size) => [words(size), play({ rows: size, perSecond: 2_000, cacheGiB: 8 })] as const);
printTable(
  'A file of so many names, 2,000 look-ups a second, 8 GiB of shared cache',
  [
    'names',
    'distinct',
    'prefixes',
    'look-ups',
    'directory, h',
    'sorted first, h',
    'processor, h',
    'disk, GiB',
    'Redis, MiB',
    'all chunks queued, MiB',
  ],
  rows.map(([size, it]) => [
    size,
    `${(it.names / 1e6).toFixed(2)} M`,
    Math.round(it.prefixes),
    `${(it.lookUps / 1e6).toFixed(2)} M`,
    it.directoryHours,
    it.sortedHours,
    it.workerHours,
    it.diskGiB,
    it.queueMiB,
    it.wholeQueueMiB,
  ]),
);

printTable(
  'Days for the directory’s part, by what it allows a second',
  ['names', '10/s', '100/s', '2,000/s', '20,000/s'],
  SIZES.map((size) => [
    words(size),
    ...[10, 100, 2_000, 20_000].map(
      (perSecond) => play({ rows: size, perSecond, cacheGiB: 8 }).directoryHours / 24,
    ),
  ]),
);

printTable(
  'Look-ups of 10^9 rows by the size of the shared cache',
  ['cache, GiB', 'look-ups', 'times the distinct names'],
  [2, 8, 32, 128, 512].map((cacheGiB) => {
    const it = play({ rows: 1e9, perSecond: 2_000, cacheGiB });
    return [cacheGiB, `${(it.lookUps / 1e6).toFixed(0)} M`, it.lookUps / it.names];
  }),
);
