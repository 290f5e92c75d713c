// Paths that are nothing, and the bare address.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeDirectory, type FakeDirectory } from '../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../support/gateway.ts';
import { exchange, valuesOf } from './exchange.ts';

let gateway: ListeningGateway;
let directory: FakeDirectory;

beforeAll(async () => {
  directory = createFakeDirectory();
  gateway = await startGateway({ directory });
});

afterAll(() => gateway.close());

describe('the bare address', () => {
  test.each(['GET', 'HEAD'])('sends a person on to GraphiQL (%s)', async (method) => {
    const answer = await exchange(`${gateway.url}/`, { method });
    expect([answer.status, valuesOf(answer, 'location'), answer.text]).toEqual([302, ['/graphql'], '']);
  });

  test('sends nobody to another host, whatever the Host header says', async () => {
    const answer = await exchange(`${gateway.url}/`, { headers: { host: 'evil.example' } });
    expect(valuesOf(answer, 'location')).toEqual(['/graphql']);
  });
});

describe('a path that is nothing', () => {
  test.each([
    '/unknown',
    '/graphql/',
    '/GRAPHQL',
    '/graphql;x',
    '/graphql%00',
    '/%67raphql',
    '//',
    '//evil.example/graphql',
    '/%',
    '/%zz',
    '/%E0%A4%A',
    '/favicon.ico',
    '/.env',
    '/..%2f..%2fetc/passwd',
    `/${'a'.repeat(10_000)}`,
  ])('%s is a plain 404 that names the endpoint and nothing else', async (path) => {
    const answer = await exchange(gateway.url + path);
    expect([answer.status, answer.text]).toEqual([404, 'Not found. GraphQL is at /graphql.\n']);
    expect(valuesOf(answer, 'content-type')).toEqual(['text/plain; charset=utf-8']);
    expect(valuesOf(answer, 'x-content-type-options')).toEqual(['nosniff']);
  });

  test.each(['POST', 'PUT', 'DELETE'])('is a 404 for %s, and its body is not executed', async (method) => {
    const body = '{"query":"{ doi(input: \\"10.5555/1\\") { exists } }"}';
    const headers = { 'content-type': 'application/json' };
    const answer = await exchange(`${gateway.url}/unknown`, { method, headers, body });
    expect(answer.status).toBe(404);
    expect(directory.calls.resolve).toEqual([]);
  });

  test('is a 404 without a body for HEAD', async () => {
    const answer = await exchange(`${gateway.url}/unknown`, { method: 'HEAD' });
    expect([answer.status, answer.text]).toEqual([404, '']);
  });
});
