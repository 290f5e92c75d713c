import { afterAll, beforeAll, expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { createFakeDirectory, type FakeDirectory } from '../../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { get, headerValues, type SentRequest } from '../exchange.ts';

let gateway: ListeningGateway;
let directory: FakeDirectory;

beforeAll(async () => {
  directory = createFakeDirectory({ records: { '10.5555/1': new GatewayError('UPSTREAM_UNAVAILABLE') } });
  gateway = await startGateway({ directory });
});

afterAll(() => gateway.close());

test.each<[string, string, SentRequest, string]>([
  ['GET', '/healthz', {}, '{"status":"ok"}\n'],
  ['GET with a query', '/healthz?verbose=1', {}, '{"status":"ok"}\n'],
  ['GET with a body', '/healthz', { body: 'x' }, '{"status":"ok"}\n'],
  ['HEAD', '/healthz', { method: 'HEAD' }, ''],
])('/healthz responds with 200 to %s, and no cache stores the response', async (_, path, sent, text) => {
  const response = await get(gateway, path, sent);
  expect([response.status, response.text]).toEqual([200, text]);
  expect(headerValues(response, 'content-type')).toEqual(['application/json']);
  expect(headerValues(response, 'cache-control')).toEqual(['no-store']);
});

test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('/healthz refuses %s', async (method) => {
  const response = await get(gateway, '/healthz', { method, body: '{}' });
  expect(response.status).toBe(405);
  expect(headerValues(response, 'allow').join()).toMatch(/\bGET\b/);
});

test('/healthz responds with 200 while the directory fails, and looks up nothing', async () => {
  const query = '/graphql?query={doi(input:"10.5555/1"){exists}}';
  expect((await get(gateway, query)).text).toContain('UPSTREAM_UNAVAILABLE');
  const callsBefore = directory.calls.resolve.length;
  expect((await get(gateway, '/healthz')).status).toBe(200);
  expect(directory.calls.resolve).toHaveLength(callsBefore);
});

test.each(['/healthz/', '/HEALTHZ', '/healthzz', '/graphql/healthz'])(
  '%s is not the page /healthz',
  async (path) => {
    expect((await get(gateway, path)).status).toBe(404);
  },
);
