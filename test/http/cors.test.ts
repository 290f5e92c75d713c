// CORS is open on everything, for everyone, without credentials.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../support/gateway.ts';
import { exchange, headerValues, type SentRequest } from './exchange.ts';

let gateway: ListeningGateway;

beforeAll(async () => {
  gateway = await startGateway({ directory: createFakeDirectory() }, { MAX_BODY_BYTES: '1000' });
});

afterAll(() => gateway.close());

const json = { 'content-type': 'application/json' };

const ANSWERS: readonly [what: string, status: number, path: string, question: SentRequest][] = [
  ['an answer', 200, '/graphql', { method: 'POST', headers: json, body: '{"query":"{ __typename }"}' }],
  ['an answer to GET', 200, '/graphql?query={__typename}', {}],
  ['a body that is not JSON', 400, '/graphql', { method: 'POST', headers: json, body: '{' }],
  ['a body that is too large', 413, '/graphql', { method: 'POST', headers: json, body: ' '.repeat(1001) }],
  [
    'a body of another type',
    415,
    '/graphql',
    { method: 'POST', headers: { 'content-type': 'a/b' }, body: 'a' },
  ],
  [
    'an answer that is not acceptable',
    406,
    '/graphql?query={__typename}',
    { headers: { accept: 'image/png' } },
  ],
  ['another method', 405, '/graphql', { method: 'PUT', headers: json, body: '{}' }],
  ['a health check', 200, '/healthz', {}],
  ['the page of GraphiQL', 200, '/graphql', { headers: { accept: 'text/html' } }],
  ['an unknown path', 404, '/unknown', {}],
  ['the inspector', 200, '/', { headers: { accept: 'text/html' } }],
  ['the index', 200, '/', {}],
];

describe('every response is open to every origin, and says so exactly once', () => {
  test.each(ANSWERS)('%s', async (_, status, path, question) => {
    const headers = { ...question.headers, origin: 'https://app.example' };
    const answer = await exchange(gateway.url + path, { ...question, headers });
    expect(answer.status).toBe(status);
    expect(headerValues(answer, 'access-control-allow-origin')).toEqual(['*']);
    expect(headerValues(answer, 'access-control-allow-credentials')).toEqual([]);
  });

  test('lets scripts of all origins read what they need to come again, and to be followed', async () => {
    const answer = await exchange(`${gateway.url}/graphql?query={__typename}`);
    expect(headerValues(answer, 'access-control-expose-headers')).toEqual([
      'ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
    ]);
  });

  test('also to a request without an origin, so that caches may keep one answer for all', async () => {
    const answer = await exchange(`${gateway.url}/graphql?query={__typename}`);
    expect(headerValues(answer, 'access-control-allow-origin')).toEqual(['*']);
    expect(headerValues(answer, 'vary').join()).not.toMatch(/origin/i);
  });
});

describe('a preflight request', () => {
  const preflight = (path: string, origin = 'https://app.example') =>
    exchange(gateway.url + path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-request-id',
      },
    });

  test.each(['/graphql', '/healthz', '/unknown'])('is answered at %s, without a body', async (path) => {
    const answer = await preflight(path);
    expect([answer.status, answer.text]).toEqual([204, '']);
  });

  test('opens to every origin, exactly once: a browser refuses "*, *"', async () => {
    for (const origin of ['https://app.example', 'null', 'http://localhost:3000']) {
      const answer = await preflight('/graphql', origin);
      expect(headerValues(answer, 'access-control-allow-origin')).toEqual(['*']);
      expect(headerValues(answer, 'access-control-allow-credentials')).toEqual([]);
    }
  });

  test.each(['/', '/healthz'])('does not promise a POST at %s', async (path) => {
    expect(headerValues(await preflight(path), 'access-control-allow-methods')).toEqual(['GET, HEAD']);
  });

  // For a browser `*` is every header but Authorization.
  test('allows the methods that there are, any header, and to be kept for a day', async () => {
    const answer = await preflight('/graphql');
    expect(headerValues(answer, 'access-control-allow-methods')).toEqual(['GET, HEAD, POST']);
    expect(headerValues(answer, 'access-control-allow-headers')).toEqual(['*, Authorization']);
    expect(headerValues(answer, 'access-control-max-age')).toEqual(['86400']);
  });
});
