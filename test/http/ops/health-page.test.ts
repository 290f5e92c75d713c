// Whether the process is alive, for orchestrators that ask every few seconds.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { createFakeDirectory, type FakeDirectory } from '../../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { exchange, headerValues } from '../exchange.ts';

let gateway: ListeningGateway;
let directory: FakeDirectory;

beforeAll(async () => {
  directory = createFakeDirectory({ records: { '10.5555/1': new GatewayError('UPSTREAM_UNAVAILABLE') } });
  gateway = await startGateway({ directory });
});

afterAll(() => gateway.close());

test('a live process says so in JSON that no cache keeps', async () => {
  const answer = await exchange(`${gateway.url}/healthz`);
  expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}\n']);
  expect(headerValues(answer, 'content-type')).toEqual(['application/json']);
  expect(headerValues(answer, 'cache-control')).toEqual(['no-store']);
});

test('HEAD has the same headers and no body', async () => {
  const answer = await exchange(`${gateway.url}/healthz`, { method: 'HEAD' });
  expect([answer.status, answer.text]).toEqual([200, '']);
  expect(headerValues(answer, 'content-type')).toEqual(['application/json']);
});

test('a query string and a body make no difference', async () => {
  expect((await exchange(`${gateway.url}/healthz?verbose=1`)).status).toBe(200);
  expect((await exchange(`${gateway.url}/healthz`, { body: 'x' })).status).toBe(200);
});

test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s is not for a health check', async (method) => {
  const answer = await exchange(`${gateway.url}/healthz`, { method, body: '{}' });
  expect(answer.status).toBe(405);
  expect(headerValues(answer, 'allow').join()).toMatch(/\bGET\b/);
});

test('a directory that is down does not make the process unhealthy, and is not asked', async () => {
  const query = '/graphql?query={doi(input:"10.5555/1"){exists}}';
  expect((await exchange(gateway.url + query)).text).toContain('UPSTREAM_UNAVAILABLE');
  const asked = directory.calls.resolve.length;
  expect((await exchange(`${gateway.url}/healthz`)).status).toBe(200);
  expect(directory.calls.resolve).toHaveLength(asked);
});

test.each(['/healthz/', '/HEALTHZ', '/healthzz', '/graphql/healthz'])('it is not at %s', async (path) => {
  expect((await exchange(gateway.url + path)).status).toBe(404);
});
