// Evidence: the answers in memory from which a result was made. The executor may use the result again while the
// evidence holds.

import type { HandleName } from 'doi-names';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { AnswerExpiry } from '../../src/loaders/answer-expiry.ts';
import { type Loaders, TrackingLoaders } from '../../src/loaders/loaders.ts';
import { followAliases, resolveName } from '../../src/loaders/resolve-name.ts';
import {
  type CacheUnderTest,
  counted,
  createCacheUnderTest,
  HOUR,
  MINUTE,
} from '../cache/cache-under-test.ts';
import { NOW, urlValue } from '../support/fake-directory.ts';

const NAMES = ['10.1000/a', '10.1000/b', '10.2000/c', '10.2000/d'] as HandleName[];
const [A, B] = NAMES as [HandleName, HandleName];
const UNKNOWN = '10.9999/x' as HandleName;
const FOUND = { status: 'FOUND', agency: 'Crossref' } as const;
const DAY_SECONDS = 86_400;

let cache: CacheUnderTest;

beforeEach(async () => {
  cache = createCacheUnderTest({ agencies: { [A]: FOUND, [B]: FOUND } });
  for (const [i, name] of NAMES.entries()) {
    cache.says([urlValue('https://example.org/', { ttl: 3_600 + i })]);
    await cache.directory.resolve(name);
    await Promise.all(cache.directory.whichRa([name]));
  }
});

/** The loaders of one request, and its expiry. */
function request(maxLookups = 100) {
  const expiry = new AnswerExpiry();
  const signal = () => new AbortController().signal;
  const loaders = new TrackingLoaders({ directory: cache.directory, signal, maxLookups, expiry });
  return { loaders, expiry };
}

/** The evidence of these look-ups, or null. */
function collect(loaders: TrackingLoaders, lookUps: (loaders: Loaders) => unknown) {
  const end = loaders.track();
  lookUps(loaders);
  return end();
}

const evidenceOf = (lookUps: (loaders: Loaders) => unknown) =>
  collect(request().loaders, lookUps) ?? expect.unreachable();

const countsOfMetrics = () =>
  Promise.all(
    ['record', 'agency'].map((kind) => counted(cache.metrics.cacheLookups, { kind, answeredBy: 'memory' })),
  );

/** The effects of look-ups on a request: the error, the expiry, the counts of the metrics and the remaining budget. */
async function effectOf(maxLookups: number, lookUps: (loaders: TrackingLoaders) => unknown) {
  const before = await countsOfMetrics();
  const { loaders, expiry } = request(maxLookups);
  let thrown: unknown = null;
  try {
    lookUps(loaders);
  } catch (error) {
    thrown = (error as { code?: string }).code;
  }
  const seconds = expiry.secondsFrom(NOW);
  const counts = (await countsOfMetrics()).map((count, i) => count - (before[i] ?? 0));
  let left = 0;
  try {
    for (; left < 20; left += 1) void loaders.record(`10.9999/${left}` as HandleName, undefined);
  } catch {
    // The budget is spent.
  }
  return { thrown, seconds, counts, left };
}

const NO_EFFECT = { thrown: null, seconds: DAY_SECONDS, counts: [0, 0] };

const lookUpLists = fc.array(
  fc.record({
    field: fc.constantFrom(
      'record' as const,
      'answeredRecord' as const,
      'followAliases' as const,
      'whichRa' as const,
    ),
    name: fc.constantFrom(...NAMES, ...NAMES.map((name) => name.toUpperCase() as HandleName)),
  }),
  { maxLength: 8 },
);

test('evidence that holds has the same effect on budget, expiry and metrics as its look-ups', async () => {
  await fc.assert(
    fc.asyncProperty(lookUpLists, async (list) => {
      const lookUps = (loaders: Loaders) =>
        list.map(({ field, name }) =>
          field === 'followAliases' ? followAliases(name, loaders) : loaders[field](name),
        );
      const evidence = evidenceOf(lookUps);
      const useAgain = (loaders: TrackingLoaders) => expect(loaders.stillHolds(evidence)).toBe(true);
      expect(await effectOf(15, useAgain)).toEqual(await effectOf(15, lookUps));
    }),
  );
});

test.each<[string, () => unknown, number]>([
  ['the budget is too small', () => undefined, 3],
  ['a record was replaced', () => cache.directory.resolve(A, { auth: true }), 15],
  ['a record is stale', () => cache.clock.advance(HOUR), 15],
  ['a record is no longer in memory', () => cache.memory.delete(`record:${A}`), 15],
  ['an agency is no longer in memory', () => cache.memory.delete(`agency:${A}`), 15],
])('evidence does not hold, and counts nothing, if %s', async (_, change, maxLookups) => {
  const evidence = evidenceOf((loaders) => [
    ...[B, A].map((name) => loaders.whichRa(name)),
    ...[B, A].map((name) => loaders.record(name)),
  ]);
  await change();
  const useAgain = (loaders: TrackingLoaders) => expect(loaders.stillHolds(evidence)).toBe(false);
  expect(await effectOf(maxLookups, useAgain)).toEqual({ ...NO_EFFECT, left: maxLookups });
});

test.each<[string, (loaders: Loaders) => unknown, number?]>([
  ['memory does not have a record', (loaders) => loaders.record(UNKNOWN)],
  ['memory does not have an agency', (loaders) => loaders.whichRa(UNKNOWN)],
  ['a look-up has auth', (loaders) => loaders.record(A, { auth: true, cert: false })],
  ['a look-up fails', (loaders) => expect(() => [A, B].map((name) => loaders.record(name))).toThrow(), 1],
])('there is no evidence if %s', (_, lookUps, maxLookups = 100) => {
  expect(collect(request(maxLookups).loaders, lookUps)).toBeNull();
});

test('there is no evidence if a record is stale', async () => {
  await cache.clock.advance(HOUR + MINUTE);
  expect(collect(request().loaders, (loaders) => loaders.record(A))).toBeNull();
});

test('there is no evidence if mustNotBeCached is called during its look-ups, but an earlier call has no effect', () => {
  const { loaders, expiry } = request();
  expiry.mustNotBeCached();
  expect(collect(loaders, () => loaders.record(A))).not.toBeNull();
  const lookUps = () => {
    expiry.mustNotBeCached();
    return loaders.record(A);
  };
  expect(collect(loaders, lookUps)).toBeNull();
});

test('the evidence of a redirect includes the record of the prefix, which uses no budget', async () => {
  const prefix = '0.NA/10.1000' as HandleName;
  await cache.directory.resolve(prefix);
  const { loaders, expiry } = request(1);
  const evidence = collect(loaders, () => resolveName(A, { loaders, expiry })) ?? expect.unreachable();
  expect(evidence).toMatchObject({ records: [A], agencies: [], metadata: [] });
  expect(request(1).loaders.stillHolds(evidence)).toBe(true);
  await cache.directory.resolve(prefix, { auth: true });
  expect(request(1).loaders.stillHolds(evidence)).toBe(false);
});

test('evidence includes a look-up that the same request made before', () => {
  const { loaders } = request();
  void loaders.record(A);
  expect(collect(loaders, () => loaders.record(A))?.records).toEqual([A]);
});

test('in the last tenth of its fresh time, evidence starts a refresh in the background, like a look-up', async () => {
  const evidence = evidenceOf((loaders) => loaders.record(A));
  await cache.clock.advance(55 * MINUTE);
  expect(request().loaders.stillHolds(evidence)).toBe(true);
  await cache.clock.advance(0);
  expect(request().loaders.stillHolds(evidence)).toBe(false);
});
