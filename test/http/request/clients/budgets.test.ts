// What clients with a budget get, through the whole gateway and a directory that counts what it is asked.

import { describe, expect, onTestFinished, test } from 'vitest';
import type { AppParts } from '../../../../src/app.ts';
import { requestedNames, sendJson, startDirectoryServer } from '../../../support/directory-server.ts';
import { startGateway } from '../../../support/gateway.ts';
import { type Answer, exchange, graphqlAnswer, type Question, valuesOf } from '../../exchange.ts';
import { bearer, createKeysFile, KEY, sha256 } from './api-key-files.ts';

async function start(limits: AppParts['limits'] = {}, env: Readonly<Record<string, string>> = {}) {
  const directory = await startDirectoryServer((request, response) => {
    const { face, names } = requestedNames(request);
    const [handle] = names;
    const values = [
      { index: 1, type: 'URL', data: { format: 'string', value: 'https://example.org/' }, ttl: 86_400 },
    ];
    if (face === 'handles') sendJson(response, 200, { responseCode: 1, handle, values });
    else
      sendJson(
        response,
        200,
        names.map((DOI) => ({ DOI, RA: 'Crossref' })),
      );
  });
  const gateway = await startGateway(
    { limits: { clientBurst: 600, ...limits } },
    {
      DOI_DIRECTORY_URL: directory.url.href,
      // Windows so long that none ends during a test.
      CLIENT_LOOKUPS_PER_SECOND: '1',
      ...env,
    },
  );
  onTestFinished(async () => {
    await gateway.close();
    await directory.close();
  });
  const ask = (client: number, path: string, question: Question = {}) =>
    exchange(gateway.url + path, { localAddress: `127.0.0.${client}`, ...question });
  const query = (client: number, text: string, headers: Question['headers'] = {}) =>
    ask(client, '/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query: text }),
    });
  return { ask, query, directory };
}

const THREE = { clientBurst: 3 };
const records = (count: number, first = 0) =>
  `{ dois(inputs: ${JSON.stringify(Array.from({ length: count }, (_, at) => `10.1000/${first + at}`))}) { exists } }`;

function refusals(answer: Answer) {
  return (graphqlAnswer(answer).errors ?? []).map(({ path, extensions }) => [
    path?.join('.'),
    extensions['code'],
  ]);
}

const limits = (answer: Answer) => [valuesOf(answer, 'ratelimit-policy'), valuesOf(answer, 'ratelimit')];

describe('a client with three look-ups', () => {
  test('gets three of five names, and the others refused in their place', async () => {
    const { query, directory } = await start(THREE);
    const answer = await query(1, records(5));
    expect(refusals(answer)).toEqual([
      ['dois.3.exists', 'RATE_LIMITED'],
      ['dois.4.exists', 'RATE_LIMITED'],
    ]);
    expect(graphqlAnswer(answer).errors?.[0]?.extensions).toEqual({
      code: 'RATE_LIMITED',
      retryable: true,
      retryAfterSeconds: 3,
    });
    expect(limits(answer)).toEqual([['"lookups";q=3;w=3'], ['"lookups";r=0;t=3']]);
    expect(directory.targets).toHaveLength(3);
  });

  test('gets what is cached beyond them, as often as it likes', async () => {
    const { query, directory } = await start({ clientBurst: 300 });
    await query(1, records(300));
    expect(refusals(await query(1, records(1, 300)))).toHaveLength(1);
    const again = await query(1, records(300));
    expect(refusals(again)).toEqual([]);
    expect(directory.targets).toHaveLength(300);
  });

  test('costs another client nothing, nor by asking for the same names', async () => {
    const { query } = await start(THREE);
    const answers = await Promise.all([query(1, records(5)), query(2, records(2)), query(3, records(2, 3))]);
    expect(answers.map((answer) => refusals(answer).length)).toEqual([2, 0, 0]);
  });

  test('is one however many connections and requests it has', async () => {
    const { query, directory } = await start(THREE);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => query(1, records(1, at))));
    expect(answers.filter((answer) => refusals(answer).length === 0)).toHaveLength(3);
    expect(directory.targets).toHaveLength(3);
  });

  test('pays for a Which RA request, however many names it has', async () => {
    const { query, directory } = await start({ ...THREE, whichRa: { maxUrlBytes: 4_000, maxNames: 10 } });
    const agencies = (count: number, prefix: string) =>
      `{ dois(inputs: ${JSON.stringify(Array.from({ length: count }, (_, at) => `${prefix}/${at}`))}) { whichRa { status } } }`;
    expect(refusals(await query(1, agencies(20, '10.1')))).toEqual([]);
    expect(directory.targets).toHaveLength(2);
    // One is left: the names of the second request are refused, all of them and no others.
    const answer = await query(1, agencies(20, '10.2'));
    expect(refusals(answer).map(([path]) => path)).toEqual(
      Array.from({ length: 10 }, (_, at) => `dois.${at + 10}.whichRa`),
    );
    expect(directory.targets).toHaveLength(3);
  });

  test('pays for what it asks past the cache', async () => {
    const { ask } = await start(THREE);
    const statuses = [];
    for (let time = 0; time < 4; time += 1)
      statuses.push((await ask(1, '/api/handles/10.1000/1?auth')).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  test('is refused with 429 on the REST faces, and told when to come again', async () => {
    const { ask } = await start(THREE);
    expect((await ask(1, '/doiRA/10.1/cached')).status).toBe(200);
    await ask(1, '/api/handles/10.1000/1');
    await ask(1, '/api/handles/10.1000/2');
    const record = await ask(1, '/api/handles/10.1000/3');
    expect(JSON.parse(record.text)).toMatchObject({ responseCode: 3, handle: '10.1000/3' });
    const redirect = await ask(1, '/10.1000/3');
    expect(redirect.text).toContain('<h1>No answer</h1>');
    const agencies = await ask(1, '/doiRA/10.1/cached,10.2/new');
    expect(JSON.parse(agencies.text)).toEqual([
      { DOI: '10.1/cached', RA: 'Crossref' },
      { DOI: '10.2/new', status: 'Error' },
    ]);
    for (const answer of [record, redirect, agencies]) {
      expect(answer.status).toBe(429);
      const [wait = ''] = valuesOf(answer, 'retry-after');
      const [, left] = /^"lookups";r=0;t=(\d)$/.exec(valuesOf(answer, 'ratelimit').join()) ?? [];
      expect(Number(wait)).toBeGreaterThanOrEqual(Number(left));
      expect(valuesOf(answer, 'cache-control')).toEqual(['no-store']);
    }
    // What is cached is answered all the same; whoever is sent on is told nothing of limits.
    const cached = await ask(1, '/10.1000/1');
    expect([cached.status, ...limits(cached)]).toEqual([302, [], []]);
  });
});

test('answers say what is left, also those that took nothing and those that are still good', async () => {
  const { ask, query } = await start();
  const fresh = await query(1, '{ __typename }');
  expect(limits(fresh)).toEqual([['"lookups";q=600;w=600'], ['"lookups";r=600']]);
  const record = await ask(1, '/api/handles/10.1000/1');
  expect(valuesOf(record, 'ratelimit').join()).toMatch(/^"lookups";r=599;t=(?:599|600)$/);
  const [tag = ''] = valuesOf(record, 'etag');
  const good = await ask(1, '/api/handles/10.1000/1', { headers: { 'if-none-match': tag } });
  expect([good.status, valuesOf(good, 'ratelimit').length]).toEqual([304, 1]);
});

test('pages and what machines ask are not counted, and say nothing of it', async () => {
  const { ask } = await start();
  for (const path of ['/', '/healthz', '/metrics', '/inspector/0/x.js']) {
    expect(limits(await ask(1, path)), path).toEqual([[], []]);
  }
});

test('without a limit no answer tells of one', async () => {
  const gateway = await startGateway();
  onTestFinished(() => gateway.close());
  expect(limits(await exchange(`${gateway.url}/graphql?query={__typename}`))).toEqual([[], []]);
});

describe('behind a balancer', () => {
  const forwarded = (address: string) => ({ 'x-forwarded-for': address });

  test('clients are told apart where it is trusted', async () => {
    const { query } = await start(THREE, { TRUSTED_PROXIES: '127.0.0.9' });
    const answers = await Promise.all([
      query(9, records(3, 0), forwarded('198.51.100.1')),
      query(9, records(3, 3), forwarded('198.51.100.2')),
    ]);
    expect(answers.flatMap(refusals)).toEqual([]);
    expect(refusals(await query(9, records(1, 6), forwarded('198.51.100.1')))).toHaveLength(1);
  });

  test('and nobody gets more by making addresses up', async () => {
    const { query } = await start(THREE, { TRUSTED_PROXIES: '127.0.0.9' });
    const invented = await Promise.all(
      Array.from({ length: 10 }, (_, at) => query(1, records(1, at), forwarded(`198.51.100.${at}`))),
    );
    expect(invented.flatMap(refusals)).toHaveLength(7);
    const before = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        query(9, records(1, 10 + at), forwarded(`192.0.2.${at}, 198.51.100.1`)),
      ),
    );
    expect(before.flatMap(refusals)).toHaveLength(7);
  });

  test('nor by wandering through the /64 that it has', async () => {
    const { query } = await start(THREE, { TRUSTED_PROXIES: '127.0.0.9' });
    const wandering = await Promise.all(
      Array.from({ length: 10 }, (_, at) => query(9, records(1, at), forwarded(`2001:db8::${at}`))),
    );
    expect(wandering.flatMap(refusals)).toHaveLength(7);
  });
});

test('keys have budgets of their own, the one for all, or none, wherever they are used', async () => {
  const file = await createKeysFile([
    { name: 'own', sha256: sha256('own'), lookupsPerSecond: 5, burst: 5 },
    { name: 'default', sha256: sha256(KEY) },
    { name: 'free', sha256: sha256('free'), lookupsPerSecond: null },
  ]);
  onTestFinished(() => file.remove());
  const { query } = await start(THREE, { API_KEYS_FILE: file.path });
  const refused = async (key: string, first: number) => {
    const answers = await Promise.all(
      [1, 2].map((client) => query(client, records(5, first + 5 * client), bearer(key))),
    );
    return answers.flatMap(refusals).length;
  };
  expect(await refused('own', 100)).toBe(5);
  expect(await refused(KEY, 200)).toBe(7);
  expect(await refused('free', 300)).toBe(0);
  expect(limits(await query(1, '{ __typename }', bearer('free')))).toEqual([[], []]);
  // Their addresses have paid nothing.
  expect(refusals(await query(1, records(3, 400)))).toEqual([]);
});
