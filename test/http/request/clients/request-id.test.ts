// Every answer has an id by which its request is found in the log: the one it came with, or a new one.

import { expect, onTestFinished, test } from 'vitest';
import { converse } from '../../../abuse/socket.ts';
import { createFakeDirectory } from '../../../support/fake-directory.ts';
import { startGateway } from '../../../support/gateway.ts';
import { exchange, headerValues, type SentRequest } from '../../exchange.ts';

async function start() {
  const gateway = await startGateway({ directory: createFakeDirectory() });
  onTestFinished(() => gateway.close());
  return gateway;
}

const json = { 'content-type': 'application/json' };
const body = '{"query":"{ __typename }"}';
const deferred = '{"query":"{ __typename ... @defer { doiDirectory { kind } } }"}';

const ANSWERS: readonly [what: string, status: number, path: string, question?: SentRequest][] = [
  ['GraphQL', 200, '/graphql', { method: 'POST', headers: json, body }],
  [
    'a stream',
    200,
    '/graphql',
    { method: 'POST', headers: { ...json, accept: 'text/event-stream' }, body: deferred },
  ],
  ['a body that is no JSON', 400, '/graphql', { method: 'POST', headers: json, body: '{' }],
  ['a method that there is not', 405, '/graphql', { method: 'PUT', headers: json, body }],
  ['a copy that is still good', 304, '/graphql?query={__typename}', { headers: { 'if-none-match': '*' } }],
  ['a preflight', 204, '/graphql', { method: 'OPTIONS' }],
  ['GraphiQL', 200, '/graphql', { headers: { accept: 'text/html' } }],
  ['a record that is not there', 404, '/api/handles/10.1000/1'],
  ['agencies', 200, '/doiRA/10.1000/1'],
  ['a redirection that is not there', 404, '/10.1000/1'],
  ['a path that is nothing', 404, '/nothing'],
  ['the inspector', 200, '/', { headers: { accept: 'text/html' } }],
  ['a file that is not there', 404, '/inspector/0/x.js'],
  ['health', 200, '/healthz'],
  ['metrics', 200, '/metrics'],
];

test.each(ANSWERS)('%s (%i)', async (_, status, path, question = {}) => {
  const gateway = await start();
  const headers = { ...question.headers, 'x-request-id': 'a-Z_0.9' };
  const answer = await exchange(gateway.url + path, { ...question, headers });
  expect([answer.status, headerValues(answer, 'x-request-id')]).toEqual([status, ['a-Z_0.9']]);
});

test('refusals before anybody looks at the path have one as well', async () => {
  const { url } = await start();
  const [noHost, badHost] = await Promise.all([
    converse(url, 'GET / HTTP/1.1\r\nx-request-id: mine\r\n\r\n'),
    converse(url, 'GET / HTTP/1.1\r\nhost: a b\r\nx-request-id: mine\r\nconnection: close\r\n\r\n'),
  ]);
  for (const answer of [noHost, badHost]) {
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/^x-request-id: mine$/im);
  }
});

test.each<[string, string | undefined]>([
  ['none', undefined],
  ['an empty one', ''],
  ['one that is too long', 'a'.repeat(65)],
  ['a space', 'a b'],
  ['a line of a log', '{"level":30}'],
  ['another script', 'ä'],
])('%s is not taken over', async (_, sent) => {
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

test('one of 64 characters is taken over', async () => {
  const { url } = await start();
  const answer = await exchange(`${url}/healthz`, { headers: { 'x-request-id': 'a'.repeat(64) } });
  expect(headerValues(answer, 'x-request-id')).toEqual(['a'.repeat(64)]);
});
