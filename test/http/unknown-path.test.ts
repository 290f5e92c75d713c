import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFakeDirectory, type FakeDirectory } from '../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../support/gateway.ts';
import { testTable } from '../support/test-table.ts';
import { get, headerValues } from './exchange.ts';

let gateway: ListeningGateway;
let directory: FakeDirectory;

beforeAll(async () => {
  directory = createFakeDirectory();
  gateway = await startGateway({ directory });
});

afterAll(() => gateway.close());

testTable([
  '/un-known',
  '/GRAPHQL',
  '/graphql;x',
  '/graphql%00',
  '/%67raphql',
  '/favicon.ico',
  '/.env',
  `/${'a'.repeat(10_000)}`,
])('an unknown path gets a 404 in plain text that names only the endpoint: %s', async (path) => {
  const response = await get(gateway, path);
  expect([response.status, response.text]).toEqual([404, 'Not found. GraphQL is at /graphql.\n']);
  expect(headerValues(response, 'content-type')).toEqual(['text/plain; charset=utf-8']);
  expect(headerValues(response, 'x-content-type-options')).toEqual(['nosniff']);
});

testTable([
  ['//', 404, 'Not found. GraphQL is at /graphql.'],
  ['//evil.example/graphql', 404, 'Handle Not Found'],
  ['/..%2f..%2fetc/passwd', 404, 'Not Found'],
  ['/%', 400, ''],
  ['/%zz', 400, ''],
  ['/%E0%A4%A', 400, ''],
])('the status of the path %s is %i', async (path, status, text) => {
  const response = await get(gateway, path);
  expect(response.status).toBe(status);
  expect(response.text).toContain(text);
});

test.each(['POST', 'PUT', 'DELETE'])(
  '%s to an unknown path gets 405, and the gateway does not execute the body',
  async (method) => {
    const body = '{"query":"{ doi(input: \\"10.5555/1\\") { exists } }"}';
    const headers = { 'content-type': 'application/json' };
    const callsBefore = directory.calls.resolve.length;
    const response = await get(gateway, '/unknown', { method, headers, body });
    expect([response.status, headerValues(response, 'allow')]).toEqual([405, ['GET, HEAD, OPTIONS']]);
    expect(directory.calls.resolve).toHaveLength(callsBefore);
  },
);

test('HEAD of an unknown path gets a 404 without a body', async () => {
  const response = await get(gateway, '/unknown', { method: 'HEAD' });
  expect([response.status, response.text]).toEqual([404, '']);
});
