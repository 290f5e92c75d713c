// What clients with a budget of look-ups get from the whole gateway, and what reaches the directory.

import { describe, expect, onTestFinished, test } from 'vitest';
import type { AppParts } from '../../../../src/app.ts';
import { requestedNames, sendJson, startDirectoryServer } from '../../../support/directory-server.ts';
import { urlValue } from '../../../support/fake-directory.ts';
import { startGateway } from '../../../support/gateway.ts';
import {
  exchange,
  graphqlResult,
  headerValues,
  type ReceivedResponse,
  type SentRequest,
} from '../../exchange.ts';
import { bearer, createKeysFile, KEY, sha256 } from './api-key-files.ts';

async function start(limits: AppParts['limits'] = {}, env: Readonly<Record<string, string>> = {}) {
  const directory = await startDirectoryServer((request, response) => {
    const { face, names } = requestedNames(request);
    const record = { responseCode: 1, handle: names[0], values: [urlValue('https://example.org/')] };
    const agencies = names.map((DOI) => ({ DOI, RA: 'Crossref' }));
    sendJson(response, 200, face === 'handles' ? record : agencies);
  });
  const gateway = await startGateway(
    { limits: { clientBurst: 600, ...limits } },
    {
      DOI_DIRECTORY_URL: directory.url.href,
      // No window ends during a test.
      CLIENT_LOOKUPS_PER_SECOND: '1',
      ...env,
    },
  );
  onTestFinished(async () => {
    await gateway.close();
    await directory.close();
  });
  /** @param client the last number of its address */
  const get = (client: number, path: string, sent: SentRequest = {}) =>
    exchange(gateway.url + path, { localAddress: `127.0.0.${client}`, ...sent });
  const query = (client: number, text: string, headers: SentRequest['headers'] = {}) =>
    get(client, '/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query: text }),
    });
  return { get, query, directory };
}

const THREE = { clientBurst: 3 };
const recordQuery = (count: number, first = 0) =>
  `{ dois(inputs: ${JSON.stringify(Array.from({ length: count }, (_, at) => `10.1000/${first + at}`))}) { exists } }`;

function refusalsIn(response: ReceivedResponse) {
  return (graphqlResult(response).errors ?? []).map(({ path, extensions }) => [
    path?.join('.'),
    extensions['code'],
  ]);
}

const limitHeaders = (response: ReceivedResponse) => [
  headerValues(response, 'ratelimit-policy'),
  headerValues(response, 'ratelimit'),
];

describe('a client with three look-ups', () => {
  test('gets three of five names, and a refusal for each other name', async () => {
    const { query, directory } = await start(THREE);
    const response = await query(1, recordQuery(5));
    expect(refusalsIn(response)).toEqual([
      ['dois.3.exists', 'RATE_LIMITED'],
      ['dois.4.exists', 'RATE_LIMITED'],
    ]);
    expect(graphqlResult(response).errors?.[0]?.extensions).toEqual({
      code: 'RATE_LIMITED',
      retryable: true,
      retryAfterSeconds: 3,
    });
    expect(limitHeaders(response)).toEqual([['"lookups";q=3;w=3'], ['"lookups";r=0;t=3']]);
    expect(directory.targets).toHaveLength(3);
  });

  test('gets cached names without a limit', async () => {
    const { query, directory } = await start(THREE);
    await query(1, recordQuery(3));
    expect(refusalsIn(await query(1, recordQuery(1, 3)))).toHaveLength(1);
    expect(refusalsIn(await query(1, recordQuery(3)))).toEqual([]);
    expect(directory.targets).toHaveLength(3);
  });

  test('does not use the budget of another client, also for the same names', async () => {
    const { query } = await start(THREE);
    const responses = await Promise.all([
      query(1, recordQuery(5)),
      query(2, recordQuery(2)),
      query(3, recordQuery(2, 3)),
    ]);
    expect(responses.map((response) => refusalsIn(response).length)).toEqual([2, 0, 0]);
  });

  test('gets three names on all its connections together', async () => {
    const { query, directory } = await start(THREE);
    const responses = await Promise.all(Array.from({ length: 20 }, (_, at) => query(1, recordQuery(1, at))));
    expect(responses.filter((response) => refusalsIn(response).length === 0)).toHaveLength(3);
    expect(directory.targets).toHaveLength(3);
  });

  test('uses one look-up for a Which RA request with many names', async () => {
    const { query, directory } = await start({ ...THREE, whichRa: { maxUrlBytes: 4_000, maxNames: 10 } });
    const agencyQuery = (count: number, prefix: string) =>
      `{ dois(inputs: ${JSON.stringify(Array.from({ length: count }, (_, at) => `${prefix}/${at}`))}) { whichRa { status } } }`;
    expect(refusalsIn(await query(1, agencyQuery(20, '10.1')))).toEqual([]);
    expect(directory.targets).toHaveLength(2);
    // Only one look-up is left, so all names of the second request are refused.
    const response = await query(1, agencyQuery(20, '10.2'));
    expect(refusalsIn(response).map(([path]) => path)).toEqual(
      Array.from({ length: 10 }, (_, at) => `dois.${at + 10}.whichRa`),
    );
    expect(directory.targets).toHaveLength(3);
  });

  test('uses a look-up for each request past the cache', async () => {
    const { get } = await start(THREE);
    const statuses = [];
    for (let time = 0; time < 4; time += 1)
      statuses.push((await get(1, '/api/handles/10.1000/1?auth')).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  test('is refused by the REST face with 429 and Retry-After', async () => {
    const { get } = await start(THREE);
    expect((await get(1, '/doiRA/10.1/cached')).status).toBe(200);
    await get(1, '/api/handles/10.1000/1');
    await get(1, '/api/handles/10.1000/2');
    const record = await get(1, '/api/handles/10.1000/3');
    expect(JSON.parse(record.text)).toMatchObject({ responseCode: 3, handle: '10.1000/3' });
    const redirect = await get(1, '/10.1000/3');
    expect(redirect.text).toContain('<h1>No answer</h1>');
    const agencies = await get(1, '/doiRA/10.1/cached,10.2/new');
    expect(JSON.parse(agencies.text)).toEqual([
      { DOI: '10.1/cached', RA: 'Crossref' },
      { DOI: '10.2/new', status: 'Error' },
    ]);
    for (const response of [record, redirect, agencies]) {
      expect(response.status).toBe(429);
      const [wait = ''] = headerValues(response, 'retry-after');
      const [, left] = /^"lookups";r=0;t=(\d)$/.exec(headerValues(response, 'ratelimit').join()) ?? [];
      expect(Number(wait)).toBeGreaterThanOrEqual(Number(left));
      expect(headerValues(response, 'cache-control')).toEqual(['no-store']);
    }
    // A cached name still redirects. A redirect has no headers of the limit.
    const cached = await get(1, '/10.1000/1');
    expect([cached.status, ...limitHeaders(cached)]).toEqual([302, [], []]);
  });
});

test('a response has the rest of the budget, even without look-ups or as a 304', async () => {
  const { get, query } = await start();
  const unused = await query(1, '{ __typename }');
  expect(limitHeaders(unused)).toEqual([['"lookups";q=600;w=600'], ['"lookups";r=600']]);
  const record = await get(1, '/api/handles/10.1000/1');
  expect(headerValues(record, 'ratelimit').join()).toMatch(/^"lookups";r=599;t=(?:599|600)$/);
  const [tag = ''] = headerValues(record, 'etag');
  const again = await get(1, '/api/handles/10.1000/1', { headers: { 'if-none-match': tag } });
  expect([again.status, headerValues(again, 'ratelimit').length]).toEqual([304, 1]);
});

test('pages, probes and a gateway without a limit send no headers of a limit', async () => {
  const { get } = await start();
  for (const path of ['/', '/healthz', '/metrics', '/inspector/0/x.js']) {
    expect(limitHeaders(await get(1, path)), path).toEqual([[], []]);
  }
  const unlimited = await startGateway();
  onTestFinished(() => unlimited.close());
  expect(limitHeaders(await exchange(`${unlimited.url}/graphql?query={__typename}`))).toEqual([[], []]);
});

test('X-Forwarded-For names the client if a trusted proxy sends it, and is ignored otherwise', async () => {
  const { query } = await start(THREE, { TRUSTED_PROXIES: '127.0.0.9' });
  const forwarded = (address: string) => ({ 'x-forwarded-for': address });
  const responses = await Promise.all([
    query(9, recordQuery(3, 0), forwarded('198.51.100.1')),
    query(9, recordQuery(3, 3), forwarded('198.51.100.2')),
  ]);
  expect(responses.flatMap(refusalsIn)).toEqual([]);
  expect(refusalsIn(await query(9, recordQuery(1, 6), forwarded('198.51.100.1')))).toHaveLength(1);
  const invented = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      query(1, recordQuery(1, 10 + at), forwarded(`198.51.100.${10 + at}`)),
    ),
  );
  expect(invented.flatMap(refusalsIn)).toHaveLength(7);
});

test('a key has its own budget, the default budget, or no limit, from every address', async () => {
  const file = await createKeysFile([
    { name: 'own', sha256: sha256('own'), lookupsPerSecond: 5, burst: 5 },
    { name: 'default', sha256: sha256(KEY) },
    { name: 'free', sha256: sha256('free'), lookupsPerSecond: null },
  ]);
  onTestFinished(() => file.remove());
  const { query } = await start(THREE, { API_KEYS_FILE: file.path });
  const refusalsOf = async (key: string, first: number) => {
    const responses = await Promise.all(
      [1, 2].map((client) => query(client, recordQuery(5, first + 5 * client), bearer(key))),
    );
    return responses.flatMap(refusalsIn).length;
  };
  expect(await refusalsOf('own', 100)).toBe(5);
  expect(await refusalsOf(KEY, 200)).toBe(7);
  expect(await refusalsOf('free', 300)).toBe(0);
  expect(limitHeaders(await query(1, '{ __typename }', bearer('free')))).toEqual([[], []]);
  // The budgets of the addresses are unused.
  expect(refusalsIn(await query(1, recordQuery(3, 400)))).toEqual([]);
});
