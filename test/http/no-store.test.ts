// Which responses no cache can store.

import { describe, expect, onTestFinished, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { createFakeDirectory, type RecordBehaviour } from '../support/fake-directory.ts';
import { createTestGateway } from '../support/gateway.ts';
import { testTable } from '../support/test-table.ts';
import { aliasTo, cacheControlOf, clientOver, doiQuery, locations, ttl } from './cache-control-of.ts';

const records: Record<string, RecordBehaviour> = {
  '10.1000/1': ttl(600),
  '10.1000/error': 2,
  '10.1000/down': new GatewayError('UPSTREAM_UNAVAILABLE'),
  '10.1000/loop': aliasTo('10.1000/loop', 600),
};

testTable([
  ['with one invalid input of ten', `{ dois(inputs: ["${'10.1000/1", "'.repeat(9)}x"]) { id } }`],
  [
    'with a failed look-up beside a successful look-up',
    `{ a: ${doiQuery('exists').slice(2, -2)} b: doi(input: "10.1000/down") { exists } }`,
  ],
  ['with an alias that ends nowhere', doiQuery('redirect { url }', '10.1000/loop')],
  ['with a record of status ERROR', doiQuery('record { status }', '10.1000/error')],
  ['with a look-up past the caches', doiQuery('record(auth: true) { status }')],
  ['with an authenticated look-up', doiQuery('record(cert: true) { status }')],
  [
    'with a look-up past the caches beside a cached look-up',
    doiQuery('a: record(auth: true) { status } exists'),
  ],
  ['to a request that is not GraphQL', '{ doi('],
  ['to a query that the schema does not allow', '{ unknown }'],
  [
    'to a document of two operations, if the request names no operation',
    'query A { __typename } query B { __typename }',
  ],
])('no cache stores a response %s', async (_, query) => {
  const client = await clientOver({ records });
  expect(await cacheControlOf(client, query)).toBe('no-store');
  const strict = await client.post(query, 'application/graphql-response+json');
  expect(strict.headers.get('cache-control')).toBe('no-store');
});

test('no cache stores a record of status ERROR, even if the clock of the gateway is behind', async () => {
  const client = await clientOver({ records }, -60_000);
  expect(await cacheControlOf(client, doiQuery('exists'))).toBe('public, max-age=660');
  expect(await cacheControlOf(client, doiQuery('record { status }', '10.1000/error'))).toBe('no-store');
});

describe('a redirect of a name with several locations', () => {
  const two = '<location href="https://a.example/"/><location id="b" href="https://b.example/"/>';
  const onlyLast = `${two.replaceAll('<location', '<location weight="0"')}<location href="https://c.example/"/>`;

  testTable([
    ['is not stored if the gateway chooses at random', two, '', 'no-store'],
    ['is stored if locatt chooses', two, '(parameters: { locatt: ["id:b"] })', 'public, max-age=600'],
    ['is stored if it has one location', '<location href="https://a.example/"/>', '', 'public, max-age=600'],
    ['is stored if all other locations have weight 0', onlyLast, '', 'public, max-age=600'],
  ])('%s', async (_, xml, parameters, header) => {
    const client = await clientOver({ records: { '10.1000/1': locations(xml) } });
    const query = doiQuery(`redirect${parameters} { candidates { href } }`);
    expect(await cacheControlOf(client, query)).toBe(header);
  });

  test('does not change how long caches can store the list of locations', async () => {
    const client = await clientOver({ records: { '10.1000/1': locations(two) } });
    expect(await cacheControlOf(client, doiQuery('locations { href }'))).toBe('public, max-age=600');
  });
});

const NO_TYPE = { headers: { accept: 'image/png' } };

testTable<[path: string, init: RequestInit, expected: readonly unknown[]]>([
  ['/graphql', { method: 'PUT' }, [405, 'no-store']],
  ['/graphql', { method: 'POST', body: 'x' }, [415, 'no-store']],
  ['/graphql?query=%7B__typename%7D', NO_TYPE, [406, 'no-store']],
  ['/graphql?query=%7B__typename%7D', { headers: { accept: 'text/html' } }, [406, 'no-store']],
  ['/graphql', { headers: { accept: 'application/json' } }, [400, 'no-store']],
  ['/nothing/at/all', {}, [404, 'no-store']],
  ['/healthz', { method: 'POST' }, [405, 'no-store']],
  ['/healthz', {}, [200, 'no-store']],
  ['/graphql', { headers: { accept: 'text/html' } }, [200, 'no-cache', 'Accept, Accept-Encoding']],
  ['/', {}, [200, 'no-cache', 'Accept']],
  ['/graphql', { method: 'OPTIONS' }, [204, null]],
])('caches store no refusal, and revalidate a page: %s %j', async (path, init, expected) => {
  const { app, close } = await createTestGateway({ directory: createFakeDirectory() });
  onTestFinished(close);
  const { status, headers } = await app.fetch(new Request(`http://gateway.test${path}`, init));
  const found = [status, headers.get('cache-control'), headers.get('vary')];
  expect(found.slice(0, expected.length)).toEqual(expected);
});
