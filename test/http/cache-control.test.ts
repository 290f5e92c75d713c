// How long GraphQL responses say that they may be kept.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCacheUnderTest, DAY, DOWN, HOUR, livingFor, MINUTE } from '../cache/cache-under-test.ts';
import {
  createFakeDirectory,
  type FakeDirectoryOptions,
  NOW,
  type RecordBehaviour,
} from '../support/fake-directory.ts';
import { createTestGateway } from '../support/gateway.ts';
import { testTable } from '../support/test-table.ts';
import { aDoi, aliasOf, keeping, over, serving, ttl } from './cache-control-of.ts';

describe('a response that follows from names alone is kept for a day', () => {
  testTable([
    ['encoding forms', '{ doi(input: "10.1000/1") { id name url urn html codePoints encodings { value } } }'],
    ['warnings', '{ dois(inputs: ["10.1000/a/b", "10.1000/a/"]) { warnings { code } } }'],
    ['what an input is read as', '{ parseDois(inputs: ["10.1000/1", "x"]) { doi { id } problem { code } } }'],
    ['how two inputs relate', '{ doiEquivalence(a: "10.1000/A", b: "10.1000/a") { relation equivalent } }'],
    ['classes', '{ doiEquivalenceClasses(inputs: ["10.1000/A", "x"]) { classes { doi { id } } } }'],
    ['a documented agency', '{ registrationAgency(name: "Crossref") { title } }'],
    ['all documented agencies', '{ registrationAgencies { name } }'],
    ['type names', '{ __typename }'],
  ])('every row', async (_, query) => {
    expect(await keeping(await over({}), query)).toBe('public, max-age=86400');
  });
});

describe('a response that tells of the gateway itself is kept for five minutes', () => {
  testTable([
    ['its directory', '{ doiDirectory { kind } }'],
    ['its schema', '{ __schema { queryType { name } } }'],
    ['a type', '{ __type(name: "DOI") { name } }'],
    ['in a fragment, under another name', '{ ...F } fragment F on Query { a: doiDirectory { kind } }'],
    ['beside what is kept longer', '{ __typename registrationAgencies { name } doiDirectory { kind } }'],
  ])('every row', async (_, query) => {
    const gateway = await over({});
    expect(await keeping(gateway, query)).toBe('public, max-age=300');
    expect(await keeping(gateway, '{ __typename }')).toBe('public, max-age=86400');
  });
});

describe('a response is kept for as long as the record it rests on', () => {
  testTable([
    'record { status }',
    'record(auth: false, cert: false) { values { text } }',
    'exists',
    'redirect { url }',
    'redirect(parameters: { ignoreAliases: true }) { url }',
    'locations { href }',
    'alias { handle }',
    'suggestions { id }',
  ])('every row', async (fields) => {
    const records = { '10.1000/1': ttl(600) };
    expect(await keeping(await over({ records }), aDoi(fields))).toBe('public, max-age=600');
    expect(await keeping(await over({ records }, 599_000), aDoi(fields))).toBe('public, max-age=1');
    expect(await keeping(await over({ records }, 599_001), aDoi(fields))).toBe('no-store');
    expect(await keeping(await over({ records }, 700_000), aDoi(fields))).toBe('no-store');
  });

  testTable<[string, RecordBehaviour, string]>([
    ['a day at the most', ttl(10_000_000), 'public, max-age=86400'],
    ['until a fixed time', ttl('2026-11-20T12:30:00Z'), 'public, max-age=1800'],
    ['five minutes where it has no values', 200, 'public, max-age=300'],
    ['five minutes where there is none', 100, 'public, max-age=300'],
    ['not at all with a ttl of 0', ttl(0), 'no-store'],
    ['not at all past a fixed time', ttl('2026-11-20T11:30:00Z'), 'no-store'],
  ])('every row', async (_, behaviour, header) => {
    expect(await keeping(await over({ records: { '10.1000/1': behaviour } }), aDoi('exists'))).toBe(header);
  });
});

describe('a response rests on every record of an alias chain', () => {
  const chain = ([first, second, last]: readonly [number, number, number]): FakeDirectoryOptions => ({
    records: {
      '10.1000/1': aliasOf('10.1000/2', first),
      '10.1000/2': aliasOf('10.1000/3', second),
      '10.1000/3': ttl(last),
    },
  });

  testTable(['redirect { url via }', 'locations { href }'])('every row', async (fields) => {
    for (const lives of [
      [60, 600, 3600],
      [600, 60, 3600],
      [3600, 600, 60],
    ] as const) {
      expect(await keeping(await over(chain(lives)), aDoi(fields))).toBe('public, max-age=60');
    }
  });

  test('as far as it was followed', async () => {
    expect(await keeping(await over(chain([600, 60, 60])), aDoi('alias { handle }'))).toBe(
      'public, max-age=600',
    );
  });

  test('that two names are compared by', async () => {
    const query = '{ doiEquivalence(a: "10.1000/9", b: "10.1000/1") { relation sameAliasTarget } }';
    const { records } = chain([600, 60, 3600]);
    const gateway = await over({ records: { ...records, '10.1000/9': ttl(3600) } });
    expect(await keeping(gateway, query)).toBe('public, max-age=60');
  });
});

test('suggestions rest on the names that were looked at, those that do not exist included', async () => {
  const records = { '10.1000/1': ttl(60) };
  expect(await keeping(await over({ records }), aDoi('suggestions { id }', '10.1000/1/'))).toBe(
    'public, max-age=60',
  );
  expect(await keeping(await over({}), aDoi('suggestions { id }', '10.1000/1/'))).toBe('public, max-age=300');
});

describe('a response is kept for as long as what Which RA said', () => {
  testTable([
    ['an agency', { status: 'FOUND', agency: 'Crossref' }, 'public, max-age=86400'],
    ['no name', { status: 'INVALID_DOI', agency: null }, 'public, max-age=86400'],
    ['unknown', { status: 'UNKNOWN', agency: null }, 'public, max-age=86400'],
    ['absent', { status: 'DOES_NOT_EXIST', agency: null }, 'public, max-age=300'],
    [
      'for less',
      { status: 'FOUND', agency: 'Crossref', freshUntil: NOW + 1_999, stale: false },
      'public, max-age=1',
    ],
    [
      'past its time',
      { status: 'FOUND', agency: 'Crossref', freshUntil: NOW + 60_000, stale: true },
      'no-store',
    ],
  ] as const)('every row', async (_, answer, header) => {
    const gateway = await over({ agencies: { '10.1000/1': answer } });
    for (const fields of ['registrationAgency { name }', 'whichRa { status message }']) {
      expect(await keeping(gateway, aDoi(fields))).toBe(header);
    }
  });
});

test('of many names the one counts whose life is the first to end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 0, max: 100_000_000 }),
      async (ttls, laterMs) => {
        const names = ttls.map((_, at) => `10.1000/${at}`);
        const records = Object.fromEntries(ttls.map((seconds, at) => [`10.1000/${at}`, ttl(seconds)]));
        const { app, close } = await createTestGateway({
          directory: createFakeDirectory({ records }),
          clock: () => NOW + laterMs,
        });
        const query = `{ dois(inputs: ${JSON.stringify(names)}) { exists } }`;
        const response = await app.fetch(
          new Request(`http://gateway.test/graphql?${new URLSearchParams({ query })}`),
        );
        const left = Math.floor(Math.min(86_400, ...ttls) - laterMs / 1000);
        expect(response.headers.get('cache-control')).toBe(left > 0 ? `public, max-age=${left}` : 'no-store');
        await close();
      },
    ),
    { numRuns: 40 },
  );
});

describe('behind the cache', () => {
  test('a response lasts as long as what is left of the entry, and is not to be stored once that is stale', async () => {
    const cache = createCacheUnderTest();
    cache.says(livingFor(3_600));
    const gateway = await serving({ directory: cache.directory, clock: cache.clock.now });
    const query = aDoi('record { stale } exists');
    expect(await keeping(gateway, query)).toBe('public, max-age=3600');
    await cache.clock.advance(HOUR / 2);
    expect(await keeping(gateway, query)).toBe('public, max-age=1800');
    cache.says(DOWN);
    await cache.clock.advance(HOUR / 2);
    expect(await keeping(gateway, query)).toBe('no-store');
    expect(await keeping(gateway, aDoi('redirect { url }'))).toBe('no-store');
    cache.says(livingFor(3_600));
    await cache.clock.advance(MINUTE);
    await gateway.get(query);
    await cache.clock.advance(0);
    expect(await keeping(gateway, query)).toBe('public, max-age=3600');
  });

  test('an agency that another name of the prefix told does not outlive the record of its own', async () => {
    const cache = createCacheUnderTest({
      agencies: { '10.1000/2': { status: 'FOUND', agency: 'Crossref' } },
    });
    cache.says(livingFor(60));
    const gateway = await serving({ directory: cache.directory, clock: cache.clock.now });
    expect(await keeping(gateway, aDoi('whichRa { status }', '10.1000/2'))).toBe('public, max-age=86400');
    expect(await keeping(gateway, aDoi('exists'))).toBe('public, max-age=60');
    expect(await keeping(gateway, aDoi('whichRa { status }'))).toBe('public, max-age=60');
    expect(cache.calls.whichRa).toEqual([['10.1000/2']]);
  });

  test('whenever it is asked, nothing may be kept past the life that the body tells', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 2 * DAY }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 100_000 }),
        async (steps, seconds) => {
          const cache = createCacheUnderTest();
          cache.says(livingFor(seconds));
          const { app, close } = await createTestGateway({
            directory: cache.directory,
            clock: cache.clock.now,
          });
          const query = new URLSearchParams({ query: aDoi('record { freshUntil stale }') });
          for (const ms of steps) {
            await cache.clock.advance(ms);
            const pending = app.fetch(new Request(`http://gateway.test/graphql?${query}`));
            await cache.clock.advance(0);
            const response = await pending;
            const { data } = (await response.json()) as {
              data: { doi: { record: { freshUntil: string; stale: boolean } } };
            };
            const { freshUntil, stale } = data.doi.record;
            const left = stale ? 0 : Math.floor((Date.parse(freshUntil) - cache.clock.now()) / 1000);
            const header = response.headers.get('cache-control');
            expect(header).toBe(left > 0 ? `public, max-age=${left}` : 'no-store');
          }
          await close();
        },
      ),
      { numRuns: 30 },
    );
  });
});
