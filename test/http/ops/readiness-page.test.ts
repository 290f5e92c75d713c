import { expect, onTestFinished, test } from 'vitest';
import type { Readiness } from '../../../src/http/ops/ops-pages.ts';
import { createFakeDirectory } from '../../support/fake-directory.ts';
import { createTestGateway, startGateway } from '../../support/gateway.ts';
import { testTable } from '../../support/test-table.ts';
import { exchange, get, headerValues } from '../exchange.ts';

type Shared = ReturnType<Readiness['cache']>['shared'];
type Jobs = ReturnType<Readiness['jobs']>;
type DirectoryStatus = ReturnType<Readiness['directory']>;

const REACHED: DirectoryStatus = { available: true, reached: true };

function readinessOf(
  directory: DirectoryStatus,
  entries = 0,
  shared: Shared = 'off',
  jobs: Jobs = 'off',
): Readiness {
  return { directory: () => directory, cache: () => ({ entries, shared }), jobs: () => jobs };
}

async function start(readiness: Readiness) {
  const gateway = await startGateway({ directory: createFakeDirectory(), readiness });
  onTestFinished(() => gateway.close());
  return gateway;
}

const notReached = (problem: string) => ({ available: false, reached: false, problem });

testTable<[DirectoryStatus, entries: number, Shared, Jobs, code: number, status: string]>([
  [REACHED, 0, 'off', 'off', 200, 'ready'],
  [REACHED, 0, 'up', 'off', 200, 'ready'],
  [REACHED, 7, 'full', 'off', 200, 'degraded'],
  [REACHED, 7, 'down', 'off', 200, 'degraded'],
  [{ available: false, reached: true }, 7, 'off', 'off', 200, 'degraded'],
  [{ available: false, reached: true }, 0, 'up', 'off', 200, 'degraded'],
  [{ available: false, reached: true }, 0, 'off', 'off', 200, 'degraded'],
  [{ available: true, reached: false }, 0, 'off', 'off', 503, 'unavailable'],
  [{ available: false, reached: false }, 7, 'up', 'off', 503, 'unavailable'],
  // If the gateway starts during an outage, only a shared cache can have records, and only if it responds.
  [notReached('OUTAGE'), 0, 'up', 'off', 200, 'degraded'],
  [notReached('OUTAGE'), 0, 'full', 'off', 200, 'degraded'],
  [notReached('OUTAGE'), 0, 'down', 'off', 503, 'unavailable'],
  [notReached('OUTAGE'), 0, 'off', 'off', 503, 'unavailable'],
  [notReached('HOST_NOT_FOUND'), 0, 'up', 'off', 503, 'unavailable'],
  [notReached('CERTIFICATE_REFUSED'), 0, 'up', 'off', 503, 'unavailable'],
  [notReached('NO_HANDLE_API'), 0, 'up', 'off', 503, 'unavailable'],
  // A gateway without its jobs still serves everything else.
  [REACHED, 0, 'off', 'up', 200, 'ready'],
  [REACHED, 0, 'off', 'full', 200, 'degraded'],
  [REACHED, 0, 'off', 'evicting', 200, 'degraded'],
  [REACHED, 0, 'off', 'down', 200, 'degraded'],
])(
  '/readyz reports the parts of the gateway, and its status is %j',
  async (directory, entries, shared, jobs, code, status) => {
    const { url } = await start(readinessOf(directory, entries, shared, jobs));
    const response = await exchange(`${url}/readyz`);
    expect(response.status).toBe(code);
    expect(JSON.parse(response.text)).toEqual({
      status,
      directory,
      cache: { entries, shared },
      jobs,
      stopping: false,
    });
    expect(headerValues(response, 'content-type')).toEqual(['application/json']);
    expect(headerValues(response, 'cache-control')).toEqual(['no-store']);
  },
);

test('during the stop of a gateway, /readyz fails, and /healthz responds with 200', async () => {
  const parts = { directory: createFakeDirectory(), readiness: readinessOf(REACHED) };
  const { app, close } = await createTestGateway(parts);
  onTestFinished(close);
  app.announceStop();
  const response = await app.fetch(new Request('http://gateway.test/readyz'));
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ status: 'stopping', stopping: true });
  expect((await app.fetch(new Request('http://gateway.test/healthz'))).status).toBe(200);
});

test('a gateway is not ready if a part throws, and clients do not see the error', async () => {
  const gateway = await start({
    ...readinessOf(REACHED),
    directory() {
      throw new Error('secret');
    },
  });
  const response = await get(gateway, '/readyz');
  expect([response.status, response.text]).toEqual([
    503,
    'This page has failed. The error has been logged.\n',
  ]);
});

test('HEAD of /readyz has the status without a body, and POST is refused', async () => {
  const gateway = await start(readinessOf({ available: false, reached: false }));
  const head = await get(gateway, '/readyz', { method: 'HEAD' });
  expect([head.status, head.text]).toEqual([503, '']);
  const posted = await get(gateway, '/readyz', { method: 'POST', body: '{}' });
  expect([posted.status, headerValues(posted, 'allow')]).toEqual([405, ['GET, HEAD']]);
});
