// Whether requests should come here, for balancers that ask every second.

import { describe, expect, onTestFinished, test } from 'vitest';
import type { Readiness } from '../../../src/http/ops/ops-pages.ts';
import { createFakeDirectory } from '../../support/fake-directory.ts';
import { createTestGateway, startGateway } from '../../support/gateway.ts';
import { exchange, headerValues } from '../exchange.ts';

function readinessOf(
  reached: boolean,
  available: boolean,
  entries: number,
  shared: ReturnType<Readiness['cache']>['shared'],
  jobs: ReturnType<Readiness['jobs']> = 'off',
): Readiness {
  return { directory: () => ({ available, reached }), cache: () => ({ entries, shared }), jobs: () => jobs };
}

async function gatewayWith(readiness: Readiness) {
  const gateway = await startGateway({ directory: createFakeDirectory(), readiness });
  onTestFinished(() => gateway.close());
  return gateway;
}

describe.each([
  // reached, available, entries, shared → status
  [true, true, 0, 'off', 200, 'ready'],
  [true, true, 0, 'up', 200, 'ready'],
  [true, true, 7, 'full', 200, 'degraded'],
  [true, true, 7, 'down', 200, 'degraded'],
  [true, false, 7, 'off', 200, 'degraded'],
  [true, false, 0, 'up', 200, 'degraded'],
  [true, false, 0, 'off', 200, 'degraded'],
  [false, true, 0, 'off', 503, 'unavailable'],
  [false, false, 7, 'up', 503, 'unavailable'],
] as const)(
  'directory reached: %s, available: %s, %i in memory, shared cache %s',
  (reached, available, entries, shared, code, status) => {
    test(`is ${code}, ${status}`, async () => {
      const { url } = await gatewayWith(readinessOf(reached, available, entries, shared));
      const answer = await exchange(`${url}/readyz`);
      expect(answer.status).toBe(code);
      expect(JSON.parse(answer.text)).toEqual({
        status,
        directory: { available, reached },
        cache: { entries, shared },
        jobs: 'off',
        stopping: false,
      });
      expect(headerValues(answer, 'content-type')).toEqual(['application/json']);
      expect(headerValues(answer, 'cache-control')).toEqual(['no-store']);
    });
  },
);

test.each([
  ['OUTAGE', 'up', 200, 'degraded'],
  ['OUTAGE', 'full', 200, 'degraded'],
  ['OUTAGE', 'down', 503, 'unavailable'],
  ['OUTAGE', 'off', 503, 'unavailable'],
  ['HOST_NOT_FOUND', 'up', 503, 'unavailable'],
  ['CERTIFICATE_REFUSED', 'up', 503, 'unavailable'],
  ['NO_HANDLE_API', 'up', 503, 'unavailable'],
] as const)('after a start with %s, shared cache %s, it is %i, %s', async (problem, shared, code, status) => {
  const directory = { available: false, reached: false, problem };
  const { url } = await gatewayWith({
    ...readinessOf(false, false, 0, shared),
    directory: () => directory,
  });
  const answer = await exchange(`${url}/readyz`);
  expect(answer.status).toBe(code);
  expect(JSON.parse(answer.text)).toMatchObject({ status, directory });
});

test.each([
  ['up', 'ready'],
  ['full', 'degraded'],
  ['evicting', 'degraded'],
  ['down', 'degraded'],
] as const)('with the Redis of the jobs %s it is 200, %s: the rest works', async (jobs, status) => {
  const { url } = await gatewayWith(readinessOf(true, true, 0, 'off', jobs));
  const answer = await exchange(`${url}/readyz`);
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.text)).toMatchObject({ status, jobs });
});

test('a gateway that stops is not ready, and its other answers stay as they are', async () => {
  const readiness = readinessOf(true, true, 0, 'off');
  const { app, close } = await createTestGateway({ directory: createFakeDirectory(), readiness });
  onTestFinished(close);
  app.announceStop();
  const answer = await app.fetch(new Request('http://gateway.test/readyz'));
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ status: 'stopping', stopping: true });
  expect((await app.fetch(new Request('http://gateway.test/healthz'))).status).toBe(200);
});

test('a part that fails to say how it is makes the gateway not ready, and tells clients nothing', async () => {
  const { url } = await gatewayWith({
    ...readinessOf(true, true, 0, 'off'),
    directory() {
      throw new Error('secret');
    },
  });
  const answer = await exchange(`${url}/readyz`);
  expect([answer.status, answer.text]).toEqual([503, 'This page has failed. The error has been logged.\n']);
});

test('HEAD has the status and no body, and POST is not for it', async () => {
  const { url } = await gatewayWith(readinessOf(false, false, 0, 'off'));
  const head = await exchange(`${url}/readyz`, { method: 'HEAD' });
  expect([head.status, head.text]).toEqual([503, '']);
  const post = await exchange(`${url}/readyz`, { method: 'POST', body: '{}' });
  expect([post.status, headerValues(post, 'allow')]).toEqual([405, ['GET, HEAD']]);
});
