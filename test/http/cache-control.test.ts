// How long caches can keep a GraphQL response.

import { describe, expect, test } from 'vitest';
import { createCacheUnderTest, DOWN, HOUR, livingFor, MINUTE } from '../cache/cache-under-test.ts';
import { type FakeDirectoryOptions, NOW } from '../support/fake-directory.ts';
import { testTable } from '../support/test-table.ts';
import { aliasTo, cacheControlOf, clientOf, clientOver, doiQuery, ttl } from './cache-control-of.ts';

const DAY = 'public, max-age=86400';
const FIVE_MINUTES = 'public, max-age=300';

testTable([
  ['encoding forms', '{ doi(input: "10.1000/1") { id name url urn html codePoints encodings { value } } }'],
  ['warnings', '{ dois(inputs: ["10.1000/a/b", "10.1000/a/"]) { warnings { code } } }'],
  ['parsed inputs', '{ parseDois(inputs: ["10.1000/1", "x"]) { doi { id } problem { code } } }'],
  ['two names compared', '{ doiEquivalence(a: "10.1000/A", b: "10.1000/a") { relation equivalent } }'],
  ['classes', '{ doiEquivalenceClasses(inputs: ["10.1000/A", "x"]) { classes { doi { id } } } }'],
  ['a documented agency', '{ registrationAgency(name: "Crossref") { title } }'],
  ['all documented agencies', '{ registrationAgencies { name } }'],
  ['type names', '{ __typename }'],
])('a response that depends on names alone is fresh for a day: %s', async (_, query) => {
  expect(await cacheControlOf(await clientOver({}), query)).toBe(DAY);
});

testTable([
  ['its directory', '{ doiDirectory { kind } }'],
  ['its schema', '{ __schema { queryType { name } } }'],
  ['a type', '{ __type(name: "DOI") { name } }'],
  ['a field with an alias in a fragment', '{ ...F } fragment F on Query { a: doiDirectory { kind } }'],
  [
    'its directory and fields that are fresh for longer',
    '{ __typename registrationAgencies { name } doiDirectory { kind } }',
  ],
])('a response about the gateway is fresh for five minutes: %s', async (_, query) => {
  expect(await cacheControlOf(await clientOver({}), query)).toBe(FIVE_MINUTES);
});

testTable([
  'record { status }',
  'record(auth: false, cert: false) { values { text } }',
  'exists',
  'redirect { url }',
  'redirect(parameters: { ignoreAliases: true }) { url }',
  'locations { href }',
  'alias { handle }',
  'suggestions { id }',
])('a response is fresh for as long as its record: %s', async (fields) => {
  const client = await clientOver({ records: { '10.1000/1': ttl(600) } }, 599_000);
  expect(await cacheControlOf(client, doiQuery(fields))).toBe('public, max-age=1');
});

test('a response about several names is fresh for as long as the first record that expires', async () => {
  const client = await clientOver({ records: { '10.1000/1': ttl(600), '10.1000/2': ttl(60) } });
  const query = '{ dois(inputs: ["10.1000/1", "10.1000/2"]) { exists } }';
  expect(await cacheControlOf(client, query)).toBe('public, max-age=60');
});

describe('the freshness of a response includes', () => {
  const chain = (ttls: readonly number[]): FakeDirectoryOptions => {
    const [first = 0, second = 0, last = 0] = ttls;
    const records = {
      '10.1000/1': aliasTo('10.1000/2', first),
      '10.1000/2': aliasTo('10.1000/3', second),
      '10.1000/3': ttl(last),
    };
    return { records };
  };

  testTable(['redirect { url via }', 'locations { href }'])('every alias of a chain: %s', async (fields) => {
    for (const ttls of [
      [60, 600, 3600],
      [600, 60, 3600],
      [3600, 600, 60],
    ]) {
      const client = await clientOver(chain(ttls));
      expect(await cacheControlOf(client, doiQuery(fields))).toBe('public, max-age=60');
    }
  });

  test('only aliases that the gateway follows', async () => {
    const client = await clientOver(chain([600, 60, 60]));
    expect(await cacheControlOf(client, doiQuery('alias { handle }'))).toBe('public, max-age=600');
  });

  test('the aliases that a comparison of two names follows', async () => {
    const { records } = chain([600, 60, 3600]);
    const client = await clientOver({ records: { ...records, '10.1000/9': ttl(3600) } });
    const query = '{ doiEquivalence(a: "10.1000/9", b: "10.1000/1") { relation sameAliasTarget } }';
    expect(await cacheControlOf(client, query)).toBe('public, max-age=60');
  });

  test('the names that suggestions look up, also names that do not exist', async () => {
    const query = doiQuery('suggestions { id }', '10.1000/1/');
    const found = await clientOver({ records: { '10.1000/1': ttl(60) } });
    expect(await cacheControlOf(found, query)).toBe('public, max-age=60');
    expect(await cacheControlOf(await clientOver({}), query)).toBe(FIVE_MINUTES);
  });
});

testTable([
  [{ status: 'FOUND', agency: 'Crossref' }, DAY],
  [{ status: 'INVALID_DOI', agency: null }, DAY],
  [{ status: 'UNKNOWN', agency: null }, DAY],
  [{ status: 'DOES_NOT_EXIST', agency: null }, FIVE_MINUTES],
  [{ status: 'FOUND', agency: 'Crossref', freshUntil: NOW + 1_999, stale: false }, 'public, max-age=1'],
  [{ status: 'FOUND', agency: 'Crossref', freshUntil: NOW + 60_000, stale: true }, 'no-store'],
] as const)('a response is fresh for as long as its agency: %j', async (agency, header) => {
  const client = await clientOver({ agencies: { '10.1000/1': agency } });
  for (const fields of ['registrationAgency { name }', 'whichRa { status message }']) {
    expect(await cacheControlOf(client, doiQuery(fields))).toBe(header);
  }
});

describe('behind the cache', () => {
  test('a response is fresh for as long as the cached entry, and is not stored while the entry is stale', async () => {
    const cache = createCacheUnderTest();
    cache.says(livingFor(3_600));
    const client = await clientOf({ directory: cache.directory, clock: cache.clock.now });
    const query = doiQuery('record { stale } exists');
    expect(await cacheControlOf(client, query)).toBe('public, max-age=3600');
    await cache.clock.advance(HOUR / 2);
    expect(await cacheControlOf(client, query)).toBe('public, max-age=1800');
    cache.says(DOWN);
    await cache.clock.advance(HOUR / 2);
    expect(await cacheControlOf(client, query)).toBe('no-store');
    expect(await cacheControlOf(client, doiQuery('redirect { url }'))).toBe('no-store');
    cache.says(livingFor(3_600));
    await cache.clock.advance(MINUTE);
    await client.get(query);
    await cache.clock.advance(0);
    expect(await cacheControlOf(client, query)).toBe('public, max-age=3600');
  });

  test('an agency known from another name of the prefix is fresh no longer than the record', async () => {
    const cache = createCacheUnderTest({
      agencies: { '10.1000/2': { status: 'FOUND', agency: 'Crossref' } },
    });
    cache.says(livingFor(60));
    const client = await clientOf({ directory: cache.directory, clock: cache.clock.now });
    expect(await cacheControlOf(client, doiQuery('whichRa { status }', '10.1000/2'))).toBe(DAY);
    expect(await cacheControlOf(client, doiQuery('exists'))).toBe('public, max-age=60');
    expect(await cacheControlOf(client, doiQuery('whichRa { status }'))).toBe('public, max-age=60');
    expect(cache.calls.whichRa).toEqual([['10.1000/2']]);
  });
});
