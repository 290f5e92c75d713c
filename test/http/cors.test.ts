// CORS is open to every origin, without credentials.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../support/gateway.ts';
import { testTable } from '../support/test-table.ts';
import { get, headerValues, type SentRequest } from './exchange.ts';

let gateway: ListeningGateway;

beforeAll(async () => {
  gateway = await startGateway({ directory: createFakeDirectory() }, { MAX_BODY_BYTES: '1000' });
});

afterAll(() => gateway.close());

const JSON_TYPE = { 'content-type': 'application/json' };
const QUERY = '/graphql?query={__typename}';
const posted = (body: string, headers: SentRequest['headers'] = JSON_TYPE) => ({
  method: 'POST',
  headers,
  body,
});

testTable<[path: string, sent: SentRequest, status: number]>([
  ['/graphql', posted('{"query":"{ __typename }"}'), 200],
  ['/graphql', posted('{'), 400],
  ['/graphql', posted(' '.repeat(1001)), 413],
  ['/graphql', posted('a', { 'content-type': 'a/b' }), 415],
  ['/graphql', { method: 'PUT', headers: JSON_TYPE, body: '{}' }, 405],
  ['/graphql', { headers: { accept: 'text/html' } }, 200],
  [QUERY, {}, 200],
  [QUERY, { headers: { accept: 'image/png' } }, 406],
  ['/healthz', {}, 200],
  ['/unknown', {}, 404],
  ['/', { headers: { accept: 'text/html' } }, 200],
  ['/', {}, 200],
])('the response of %s has one header that allows every origin', async (path, sent, status) => {
  const response = await get(gateway, path, {
    ...sent,
    headers: { ...sent.headers, origin: 'https://app.example' },
  });
  expect(response.status).toBe(status);
  expect(headerValues(response, 'access-control-allow-origin')).toEqual(['*']);
  expect(headerValues(response, 'access-control-allow-credentials')).toEqual([]);
});

test('scripts of every origin can read the headers for retries, limits and the request id', async () => {
  const response = await get(gateway, QUERY);
  expect(headerValues(response, 'access-control-expose-headers')).toEqual([
    'ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
  ]);
});

test('a response without an origin also allows every origin, so that caches share one response', async () => {
  const response = await get(gateway, QUERY);
  expect(headerValues(response, 'access-control-allow-origin')).toEqual(['*']);
  expect(headerValues(response, 'vary').join()).not.toMatch(/origin/i);
});

describe('a preflight request', () => {
  const preflight = (path: string, origin = 'https://app.example') =>
    get(gateway, path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-request-id',
      },
    });

  // For a browser, `*` means every header except Authorization.
  test.each([
    ['/graphql', 'GET, HEAD, POST'],
    ['/healthz', 'GET, HEAD'],
    ['/', 'GET, HEAD'],
    ['/unknown', 'GET, HEAD, OPTIONS'],
  ])('to %s allows %s and any header for a day', async (path, methods) => {
    const response = await preflight(path);
    expect([response.status, response.text]).toEqual([204, '']);
    expect(headerValues(response, 'access-control-allow-methods')).toEqual([methods]);
    expect(headerValues(response, 'access-control-allow-headers')).toEqual(['*, Authorization']);
    expect(headerValues(response, 'access-control-max-age')).toEqual(['86400']);
  });

  test.each(['https://app.example', 'null', 'http://localhost:3000'])(
    'allows the origin %s',
    async (origin) => {
      const response = await preflight('/graphql', origin);
      // A browser refuses "*, *".
      expect(headerValues(response, 'access-control-allow-origin')).toEqual(['*']);
      expect(headerValues(response, 'access-control-allow-credentials')).toEqual([]);
    },
  );
});
