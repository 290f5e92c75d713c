// Paths that are nothing.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeDirectory, type FakeDirectory } from '../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../support/gateway.ts';
import { exchange, headerValues } from './exchange.ts';

let gateway: ListeningGateway;
let directory: FakeDirectory;

beforeAll(async () => {
  directory = createFakeDirectory();
  gateway = await startGateway({ directory });
});

afterAll(() => gateway.close());

describe('a path that is nothing', () => {
  test.each([
    '/un-known',
    '/GRAPHQL',
    '/graphql;x',
    '/graphql%00',
    '/%67raphql',
    '/favicon.ico',
    '/.env',
    `/${'a'.repeat(10_000)}`,
  ])('%s is a plain 404 that names the endpoint and nothing else', async (path) => {
    const answer = await exchange(gateway.url + path);
    expect([answer.status, answer.text]).toEqual([404, 'Not found. GraphQL is at /graphql.\n']);
    expect(headerValues(answer, 'content-type')).toEqual(['text/plain; charset=utf-8']);
    expect(headerValues(answer, 'x-content-type-options')).toEqual(['nosniff']);
  });

  test.each([
    ['//', 'Not found. GraphQL is at /graphql.'],
    ['//evil.example/graphql', 'Handle Not Found'],
    ['/..%2f..%2fetc/passwd', 'Not Found'],
  ])('%s is a handle that is not found', async (path, text) => {
    const answer = await exchange(gateway.url + path);
    expect(answer.status).toBe(404);
    expect(answer.text).toContain(text);
  });

  test.each(['/%', '/%zz', '/%E0%A4%A'])('%s cannot be decoded', async (path) => {
    expect((await exchange(gateway.url + path)).status).toBe(400);
  });

  test.each(['POST', 'PUT', 'DELETE'])('is a 405 for %s, and its body is not executed', async (method) => {
    const body = '{"query":"{ doi(input: \\"10.5555/1\\") { exists } }"}';
    const headers = { 'content-type': 'application/json' };
    const asked = directory.calls.resolve.length;
    const answer = await exchange(`${gateway.url}/unknown`, { method, headers, body });
    expect([answer.status, headerValues(answer, 'allow')]).toEqual([405, ['GET, HEAD, OPTIONS']]);
    expect(directory.calls.resolve).toHaveLength(asked);
  });

  test('is a 404 without a body for HEAD', async () => {
    const answer = await exchange(`${gateway.url}/unknown`, { method: 'HEAD' });
    expect([answer.status, answer.text]).toEqual([404, '']);
  });
});
