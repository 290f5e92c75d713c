// Whole answers to requests that come again: nobody can tell that they were remembered.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type OperationDefinitionNode, parse } from 'graphql';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { bearer, createKeysFile } from '../http/request/clients/api-key-files.ts';
import { NOW, urlValue } from '../support/fake-directory.ts';
import { createTestGateway, startGateway } from '../support/gateway.ts';
import { keepLog } from '../support/log-lines.ts';
import type { MemoryDirectory } from '../support/memory-directory.ts';
import { rawRequest } from '../support/raw-http.ts';
import { gatewayOperations } from './gateway-operations.ts';
import { createTroubledDirectory } from './troubled-directory.ts';

const JSON_TYPE = 'application/json';

// Time stands still: what is written in several slices remembers other items, and so counts otherwise.
beforeEach(() => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  return () => now.mockRestore();
});

/** What is asked of one name depends on a variable, so that no item of it is remembered by itself. */
const OF_TYPES = `query Asked($types: [String!]) { dois(inputs: ["10.5555/url", "10.5555/alias"]) {
  name record { values(types: $types) { text } } redirect { url } registrationAgency { name } } }`;

/** The same, with a name in it that is looked up each time: a reference is no item. */
function withLookUp(query: string): string {
  const [{ selectionSet }] = parse(query).definitions as unknown as [OperationDefinitionNode];
  const at = (selectionSet.loc?.start ?? 0) + 1;
  const lookUp =
    'looked: _entities(representations: [{__typename: "DOI", ref: "10.5555/url"}]) { ... on DOI { exists } }';
  return `${query.slice(0, at)} ${lookUp} ${query.slice(at)}`;
}

async function start(env = {}, clock = () => NOW) {
  const directory = createTroubledDirectory();
  let looks = 0;
  const watched: MemoryDirectory = {
    ...directory,
    peekRecord(name) {
      looks += 1;
      return directory.peekRecord?.(name);
    },
  };
  const gateway = await createTestGateway({ directory: watched, clock, random: () => 0.3 }, env);
  onTestFinished(gateway.close);

  async function ask(body: string | null, type = JSON_TYPE, query = '', headers = {}) {
    const { record, agency } = directory.peeks;
    const before = looks;
    const response = await gateway.app.fetch(
      new Request(`http://gateway.test/graphql${query}`, {
        method: body === null ? 'GET' : 'POST',
        headers: { ...(body !== null && { 'content-type': type }), ...headers },
        body,
      }),
    );
    const named = [...response.headers].filter(([name]) => name !== 'x-request-id');
    const told = { status: response.status, headers: named, body: await response.text() };
    const given = [directory.peeks.record - record, directory.peeks.agency - agency];
    return { told, given, looks: looks - before };
  }
  const askQuery = (query: string, variables = {}, more = {}) =>
    ask(JSON.stringify({ query, variables, ...more }));
  return { directory, ask, askQuery };
}

test('a request that comes again is answered the same, and counts the same', {
  timeout: 120_000,
}, async () => {
  const { askQuery } = await start();
  let remembered = 0;
  await fc.assert(
    fc.asyncProperty(gatewayOperations(), async ({ query: generated, variables }) => {
      const query = withLookUp(generated);
      const first = await askQuery(query, variables);
      const made = await askQuery(query, variables);
      const again = await askQuery(query, variables);
      expect(made.told).toEqual(first.told);
      expect(again.told).toEqual(first.told);
      expect(again.given).toEqual(made.given);
      if (made.looks > 0 && again.looks === 0) remembered += 1;
    }),
    { numRuns: 80 },
  );
  expect(remembered).toBeGreaterThan(20);
});

test('the first time it is only seen, the second time remembered', async () => {
  const { askQuery } = await start();
  const variables = { types: ['URL'] };
  const looks: number[] = [];
  for (let times = 0; times < 4; times += 1) looks.push((await askQuery(OF_TYPES, variables)).looks);
  expect(looks.map((count) => count > 0)).toEqual([true, true, false, false]);
  // Another body is another request.
  expect((await askQuery(OF_TYPES, { types: ['NONE'] })).looks).toBeGreaterThan(0);
});

test('so is a GET, with its ETag', async () => {
  const { ask } = await start();
  const query = `?query=${encodeURIComponent(OF_TYPES)}`;
  const asked: Awaited<ReturnType<typeof ask>>[] = [];
  for (let times = 0; times < 3; times += 1) asked.push(await ask(null, '', query));
  expect(asked[2]?.looks).toBe(0);
  expect(asked[2]?.told).toEqual(asked[0]?.told);
  const [, etag] = asked[0]?.told.headers.find(([name]) => name === 'etag') ?? expect.unreachable();
  const copy = await ask(null, '', query, { 'if-none-match': etag });
  expect(copy.told.status).toBe(304);
});

test('its life is counted from now', async () => {
  let now = NOW;
  const { askQuery } = await start({}, () => now);
  const control = async () => {
    const { told } = await askQuery(OF_TYPES);
    return told.headers.find(([name]) => name === 'cache-control')?.[1];
  };
  const told: unknown[] = [];
  for (let times = 0; times < 4; times += 1) {
    told.push(await control());
    now += 1_000;
  }
  expect(told).toEqual([300, 299, 298, 297].map((seconds) => `public, max-age=${seconds}`));
});

describe('once memory has another answer, it is made anew:', () => {
  test.each<[string, (directory: MemoryDirectory) => void]>([
    ['a record', (changed) => changed.put('10.5555/url', [urlValue('https://new.example/')])],
    ['the alias itself', (changed) => changed.put('10.5555/alias', [urlValue('https://own.example/')])],
    ['a record that is gone', (changed) => changed.put('10.5555/url', 100)],
    ['a record that is stale now', (changed) => changed.put('10.5555/url', { stale: [] })],
    ['an agency', (changed) => changed.putAgency('10.5555/url', { status: 'FOUND', agency: 'KISTI' })],
  ])('%s', async (_what, change) => {
    const { askQuery, directory } = await start();
    for (let times = 0; times < 3; times += 1) await askQuery(OF_TYPES);
    change(directory);
    const changed = await askQuery(OF_TYPES);
    const fresh = await start();
    change(fresh.directory);
    expect(changed.told).toEqual((await fresh.askQuery(OF_TYPES)).told);
    expect(changed.looks).toBeGreaterThan(0);
    await askQuery(OF_TYPES);
    expect((await askQuery(OF_TYPES)).told).toEqual(changed.told);
  });
});

test.each([
  ['what is drawn', '{ doi(input: "10.5555/drawn") { redirect { url } } }'],
  ['what is stale', '{ doi(input: "10.5555/stale") { record { stale } } }'],
  ['what is asked past the cache', '{ doi(input: "10.5555/url") { record(auth: true) { status } } }'],
  ["the directory's own error", '{ doi(input: "10.5555/error") { record { status } } }'],
  ['what has to be waited for', '{ doi(input: "10.5555/slow") { record { status } } }'],
  [
    'an error',
    'query ($types: [String!]) { dois(inputs: ["nothing", "10.5555/url"]) { record { values(types: $types) { index } } } }',
  ],
])('%s is not remembered', async (_what, query) => {
  const { askQuery, directory } = await start();
  const counts: unknown[] = [];
  for (let times = 0; times < 4; times += 1) {
    const { resolve } = directory.calls;
    const before = resolve.length;
    const { looks } = await askQuery(query);
    counts.push([looks > 0, resolve.length - before]);
  }
  // What each time does is what the first one does, but for items that are remembered by themselves.
  expect(counts[3]).toEqual(counts[2]);
  expect(counts[3]).not.toEqual([false, 0]);
});

test('a request is told by all that its answer depends on', async () => {
  const { ask, askQuery } = await start();
  const body = JSON.stringify({ query: OF_TYPES, variables: {} });
  for (let times = 0; times < 3; times += 1) await askQuery(OF_TYPES);
  expect((await ask(body, 'application/graphql')).told.body).toContain('"errors"');
  expect((await ask(body, 'text/plain')).told.status).toBe(415);
  expect((await ask(null, '', `?${encodeURI(body)}`)).told.status).toBe(400);
  expect((await ask(body, JSON_TYPE, '', { accept: 'text/html' })).told.status).toBe(406);
  const type = 'application/graphql-response+json';
  const { told } = await ask(body, JSON_TYPE, '', { accept: type });
  expect(told.headers).toContainEqual(['content-type', `${type}; charset=utf-8`]);
  // And a body that says what a URL would.
  const query = `?query=${encodeURIComponent(OF_TYPES)}`;
  for (let times = 0; times < 3; times += 1) await ask(null, '', query);
  expect((await ask(query)).told.status).toBe(400);
});

test('a URL that says what a body would is none', async () => {
  const directory = createTroubledDirectory();
  const gateway = await startGateway({ directory });
  onTestFinished(gateway.close);
  const body = JSON.stringify({ query: '{doi(input:"10.5555/url"){uri}}' });
  for (let times = 0; times < 3; times += 1) {
    const asked = { method: 'POST', headers: { 'content-type': JSON_TYPE }, body };
    expect((await fetch(`${gateway.url}/graphql`, asked)).status).toBe(200);
    expect((await rawRequest(gateway.url, `/graphql?${body}`)).status).toBe(400);
  }
});

test('who asks is looked at first', async () => {
  const file = await createKeysFile();
  onTestFinished(file.remove);
  const { ask } = await start({ API_KEYS_FILE: file.path, PUBLIC_ACCESS: 'no' });
  const body = JSON.stringify({ query: OF_TYPES });
  for (let times = 0; times < 3; times += 1) {
    const { told } = await ask(body, JSON_TYPE, '', bearer());
    expect(told.status).toBe(200);
    expect(told.headers).toContainEqual(['cache-control', 'private, max-age=300']);
    expect((await ask(body)).told.status).toBe(401);
  }
});

test('the access log tells of it what it tells of one that was made', async () => {
  const { log, until } = keepLog();
  const directory = createTroubledDirectory();
  const gateway = await startGateway(
    { directory, clock: () => NOW, log },
    { ACCESS_LOG: 'yes', LOG_LEVEL: 'info' },
  );
  onTestFinished(gateway.close);
  for (let times = 0; times < 4; times += 1) {
    const headers = { 'content-type': JSON_TYPE, 'x-request-id': 'same' };
    const body = JSON.stringify({ query: OF_TYPES });
    await (await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body })).text();
  }
  const told = (await until('request', 4)).map(({ ms, time, ...line }) => line);
  expect(told[0]).toMatchObject({ operation: 'Asked', outcome: 'ok', fromMemory: 5, directoryRequests: 0 });
  expect(told[1]).toEqual(told[0]);
  expect(told[2]).toEqual(told[1]);
  expect(told[3]).toEqual(told[1]);
});

test('an id is looked for each time: what it stands for may be forgotten', async () => {
  const { ask, askQuery } = await start();
  const sha256Hash = createHash('sha256').update(OF_TYPES).digest('hex');
  for (let times = 0; times < 4; times += 1) {
    const named = { extensions: { persistedQuery: { version: 1, sha256Hash } } };
    expect((await askQuery(OF_TYPES, {}, named)).looks).toBeGreaterThan(0);
  }
  const bodies = [
    { documentId: 'unknown' },
    { extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } },
  ];
  for (const body of bodies) {
    for (let times = 0; times < 3; times += 1) {
      expect((await ask(JSON.stringify(body))).told.body).toContain('PERSISTED_QUERY_NOT_FOUND');
    }
  }
});
