// X-Request-Id: every response has the id of its request, or a new id. The log has the same id.

import { expect, onTestFinished, test } from 'vitest';
import { converse } from '../../../abuse/socket.ts';
import { createFakeDirectory } from '../../../support/fake-directory.ts';
import { startGateway } from '../../../support/gateway.ts';
import { testTable } from '../../../support/test-table.ts';
import { exchange, headerValues, type SentRequest } from '../../exchange.ts';

async function start() {
  const gateway = await startGateway({ directory: createFakeDirectory() });
  onTestFinished(() => gateway.close());
  return gateway;
}

const json = { 'content-type': 'application/json' };
const body = '{"query":"{ __typename }"}';
const deferred = '{"query":"{ __typename ... @defer { doiDirectory { kind } } }"}';

testTable<[what: string, status: number, path: string, sent?: SentRequest]>([
  ['GraphQL', 200, '/graphql', { method: 'POST', headers: json, body }],
  [
    'a stream',
    200,
    '/graphql',
    { method: 'POST', headers: { ...json, accept: 'text/event-stream' }, body: deferred },
  ],
  ['a body that is not JSON', 400, '/graphql', { method: 'POST', headers: json, body: '{' }],
  ['an unknown method', 405, '/graphql', { method: 'PUT', headers: json, body }],
  ['a fresh copy', 304, '/graphql?query={__typename}', { headers: { 'if-none-match': '*' } }],
  ['a preflight', 204, '/graphql', { method: 'OPTIONS' }],
  ['GraphiQL', 200, '/graphql', { headers: { accept: 'text/html' } }],
  ['a record that is not found', 404, '/api/handles/10.1000/1'],
  ['agencies', 200, '/doiRA/10.1000/1'],
  ['a redirect that is not found', 404, '/10.1000/1'],
  ['an unknown path', 404, '/nothing'],
  ['the inspector', 200, '/', { headers: { accept: 'text/html' } }],
  ['a missing file', 404, '/inspector/0/x.js'],
  ['health', 200, '/healthz'],
  ['metrics', 200, '/metrics'],
])('the response has the id of its request: %s', async (_, status, path, sent = {}) => {
  const gateway = await start();
  const headers = { ...sent.headers, 'x-request-id': 'a-Z_0.9' };
  const response = await exchange(gateway.url + path, { ...sent, headers });
  expect([response.status, headerValues(response, 'x-request-id')]).toEqual([status, ['a-Z_0.9']]);
});

test('a refusal before the path is read has the id of its request', async () => {
  const { url } = await start();
  const [noHost, badHost] = await Promise.all([
    converse(url, 'GET / HTTP/1.1\r\nx-request-id: mine\r\n\r\n'),
    converse(url, 'GET / HTTP/1.1\r\nhost: a b\r\nx-request-id: mine\r\nconnection: close\r\n\r\n'),
  ]);
  for (const response of [noHost, badHost]) {
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(response).toMatch(/^x-request-id: mine$/im);
  }
});

test.each<[string, string | undefined]>([
  ['no id', undefined],
  ['an empty id', ''],
  ['an id that is too long', 'a'.repeat(65)],
  ['an id with a space', 'a b'],
  ['a line of a log', '{"level":30}'],
  ['an id in another script', 'ä'],
])('the response has a new id for a request with %s', async (_, sent) => {
  const { url } = await start();
  const headers: Record<string, string> = sent === undefined ? {} : { 'x-request-id': sent };
  const [first, second] = [
    await exchange(`${url}/healthz`, { headers }),
    await exchange(`${url}/healthz`, { headers }),
  ];
  const ids = [...headerValues(first, 'x-request-id'), ...headerValues(second, 'x-request-id')];
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{8}-[0-9a-z]+$/);
});

test('an id of 64 characters is used', async () => {
  const { url } = await start();
  const response = await exchange(`${url}/healthz`, { headers: { 'x-request-id': 'a'.repeat(64) } });
  expect(headerValues(response, 'x-request-id')).toEqual(['a'.repeat(64)]);
});
