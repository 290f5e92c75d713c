// The evidence of an item: collected once, and counted at each later use as if the look-ups were made again.

import type { HandleName } from 'doi-names';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { createMemoryTier } from '../../src/cache/memory-tier.ts';
import { AnswerExpiry } from '../../src/loaders/answer-expiry.ts';
import { type Loaders, TrackingLoaders } from '../../src/loaders/loaders.ts';
import { followAliases, resolveName } from '../../src/loaders/resolve-name.ts';
import {
  type CacheUnderTest,
  counted,
  createCacheUnderTest,
  HOUR,
  livingFor,
  MINUTE,
} from '../cache/cache-under-test.ts';
import { NOW } from '../support/fake-directory.ts';

const NAMES = ['10.1000/a', '10.1000/b', '10.2000/c', '10.2000/d'] as HandleName[];
const [A, B] = NAMES as [HandleName, HandleName];
const FOUND = { status: 'FOUND', agency: 'Crossref' } as const;

let cache: CacheUnderTest;

beforeEach(async () => {
  cache = createCacheUnderTest({ agencies: { [A]: FOUND, [B]: FOUND } });
  for (const [i, name] of NAMES.entries()) {
    cache.says(livingFor(3_600 + i));
    await cache.directory.resolve(name);
    await Promise.all(cache.directory.whichRa([name]));
  }
});

/** Loaders of one request, its expiry, and the number of signals that it made. */
function request(maxLookups = 100) {
  const expiry = new AnswerExpiry();
  let signals = 0;
  const signal = () => {
    signals += 1;
    return new AbortController().signal;
  };
  const loaders = new TrackingLoaders({ directory: cache.directory, signal, maxLookups, expiry });
  return { loaders, expiry, signals: () => signals };
}

function noted(loaders: TrackingLoaders, ask: (loaders: Loaders) => unknown) {
  const end = loaders.track();
  ask(loaders);
  return end();
}

async function lookUps() {
  const kinds = ['record', 'agency'];
  return Promise.all(
    kinds.map((kind) => counted(cache.metrics.cacheLookups, { kind, answeredBy: 'memory' })),
  );
}

const questions = fc.array(
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

/** The effects of look-ups: the error, the remaining budget, the expiry and the counts. */
async function effectOf(maxLookups: number, ask: (loaders: TrackingLoaders) => unknown) {
  const before = await lookUps();
  const { loaders, expiry } = request(maxLookups);
  let thrown: unknown = null;
  try {
    ask(loaders);
  } catch (error) {
    thrown = (error as { code?: string }).code;
  }
  const seconds = expiry.secondsFrom(NOW);
  const counts = (await lookUps()).map((count, i) => count - (before[i] ?? 0));
  let left = 0;
  try {
    for (; left < 20; left += 1) void loaders.record(`10.9999/${left}` as HandleName, undefined);
  } catch {
    // The budget is spent.
  }
  return { thrown, seconds, counts, left };
}

test('evidence that still holds counts like the look-ups: for the budget, the expiry and the metrics', async () => {
  await fc.assert(
    fc.asyncProperty(questions, async (asked) => {
      const ask = (loaders: Loaders) =>
        asked.map(({ field, name }) =>
          field === 'followAliases' ? followAliases(name, loaders) : loaders[field](name),
        );
      const evidence = noted(request().loaders, ask) ?? expect.unreachable();
      const again = (loaders: TrackingLoaders) => expect(loaders.stillHolds(evidence)).toBe(true);
      expect(await effectOf(15, again)).toEqual(await effectOf(15, ask));
    }),
  );
});

test('evidence does not hold, and counts nothing, if the budget is too small', async () => {
  const evidence = noted(request().loaders, (asked) => NAMES.map((name) => asked.record(name)));
  const nothing = { thrown: null, seconds: 86_400, counts: [0, 0], left: 3 };
  const ask = (loaders: TrackingLoaders) =>
    expect(loaders.stillHolds(evidence ?? expect.unreachable())).toBe(false);
  expect(await effectOf(3, ask)).toEqual(nothing);
});

test('an answer from memory is a value, and needs no signal', () => {
  const { loaders, signals } = request();
  expect(loaders.record(A)).toBe(cache.directory.memory?.record(A)?.answer);
  expect(loaders.answeredRecord(A)).toBe(loaders.record(A));
  expect(followAliases(A, loaders)).toMatchObject({ record: loaders.record(A), via: [] });
  expect(loaders.whichRa(A)).toBe(cache.directory.memory?.agency(A)?.answer);
  expect(signals()).toBe(0);
  void loaders.record('10.9999/new' as HandleName);
  expect(signals()).toBe(1);
});

test('a spelling is one object for all callers', () => {
  const spelling = '10.1000/A' as HandleName;
  const record = request().loaders.record(spelling);
  expect(record).toMatchObject({ handle: spelling });
  expect(request().loaders.record(spelling)).toBe(record);
});

describe('there is no evidence', () => {
  test.each<[string, (loaders: Loaders) => unknown]>([
    ['if memory does not have a record', (asked) => asked.record('10.9999/x' as HandleName)],
    ['if memory does not have an agency', (asked) => asked.whichRa('10.9999/x' as HandleName)],
    ['if a look-up has auth', (asked) => asked.record(A, { auth: true, cert: false })],
  ])('%s', (_, ask) => {
    expect(noted(request().loaders, ask)).toBeNull();
  });

  test('if mustNotBeCached was called meanwhile, but not if it was called before', () => {
    const { loaders, expiry } = request();
    expiry.mustNotBeCached();
    expect(noted(loaders, (asked) => asked.record(A))).not.toBeNull();
    expect(
      noted(loaders, (asked) => {
        expiry.mustNotBeCached();
        return asked.record(A);
      }),
    ).toBeNull();
  });

  test('if a loader threw', () => {
    const { loaders } = request(1);
    expect(
      noted(loaders, (asked) => {
        void asked.record(A);
        expect(() => asked.record(B)).toThrow();
      }),
    ).toBeNull();
  });

  test('if a record is stale', async () => {
    await cache.clock.advance(HOUR + MINUTE);
    expect(noted(request().loaders, (asked) => asked.record(A))).toBeNull();
  });
});

test('the evidence of a redirect has the record of its prefix, which uses no budget', async () => {
  const prefix = '0.NA/10.1000' as HandleName;
  await cache.directory.resolve(prefix);
  const { loaders, expiry } = request(1);
  const evidence =
    noted(loaders, (asked) => resolveName(A, { loaders: asked, expiry })) ?? expect.unreachable();
  expect(evidence).toMatchObject({ records: [A], agencies: [], metadata: [] });
  expect(request(1).loaders.stillHolds(evidence)).toBe(true);
  await cache.directory.resolve(prefix, { auth: true });
  expect(request(1).loaders.stillHolds(evidence)).toBe(false);
});

test('evidence has a look-up again that the request has made before', () => {
  const { loaders } = request();
  void loaders.record(A);
  expect(noted(loaders, (asked) => asked.record(A))?.records).toEqual([A]);
  expect(noted(loaders, () => undefined)).toEqual({
    freshUntil: Number.POSITIVE_INFINITY,
    stale: false,
    records: [],
    agencies: [],
    metadata: [],
  });
});

test.each<[string, () => Promise<unknown>]>([
  ['replaced', () => cache.directory.resolve(A, { auth: true })],
  ['stale', () => cache.clock.advance(HOUR)],
  ['no longer in memory', async () => cache.memory.delete(`record:${A}`)],
  ['without its agency in memory', async () => cache.memory.delete(`agency:${A}`)],
])('evidence does not hold, and counts nothing, once a record is %s', async (_, change) => {
  const evidence = noted(request().loaders, (asked) => {
    void asked.whichRa(B);
    void asked.record(B);
    void asked.record(A);
    void asked.whichRa(A);
  });
  await change();
  const nothing = { thrown: null, seconds: 86_400, counts: [0, 0], left: 15 };
  const ask = (loaders: TrackingLoaders) =>
    expect(loaders.stillHolds(evidence ?? expect.unreachable())).toBe(false);
  expect(await effectOf(15, ask)).toEqual(nothing);
});

test('in the last tenth of its fresh time, evidence causes a refresh in the background, like a look-up', async () => {
  const evidence = noted(request().loaders, (asked) => asked.record(A));
  await cache.clock.advance(55 * MINUTE);
  expect(request().loaders.stillHolds(evidence ?? expect.unreachable())).toBe(true);
  await cache.clock.advance(0);
  expect(request().loaders.stillHolds(evidence ?? expect.unreachable())).toBe(false);
});

test('a memory that drops decoded records still answers', () => {
  cache = createCacheUnderTest({ memory: createMemoryTier(1_000) });
  expect(request().loaders.record(A)).toBeInstanceOf(Promise);
});
