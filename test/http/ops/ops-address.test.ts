// OPS_ADDRESS: a second address for the pages of operators.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFakeDirectory } from '../../support/fake-directory.ts';
import { createTestGateway } from '../../support/gateway.ts';
import { exchange } from '../exchange.ts';

/** Starts the public address and the address for operators, on free ports. */
async function start(env: Readonly<Record<string, string>> = {}) {
  const { app, close } = await createTestGateway({ directory: createFakeDirectory() }, env);
  onTestFinished(close);
  const urls = [app.listener, app.opsListener].map(async (listener) => {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  const [url = '', ops = ''] = await Promise.all(urls);
  return { url, ops };
}

const PATHS = ['/healthz', '/readyz', '/metrics'];
const statuses = async (url: string, paths = PATHS) =>
  (await Promise.all(paths.map((path) => exchange(url + path)))).map(({ status }) => status);

/** The links to these pages in the index for programs. */
const indexedPages = async (url: string) =>
  (JSON.parse((await exchange(url)).text) as { health: object }).health;

describe('with OPS_ADDRESS', () => {
  const OPS = { OPS_ADDRESS: '127.0.0.1:0' };

  test('the public address has /healthz and /readyz, and no /metrics', async () => {
    const { url, ops } = await start(OPS);
    expect(await statuses(url)).toEqual([200, 200, 404]);
    expect(await statuses(ops)).toEqual([200, 200, 200]);
    expect(await indexedPages(url)).toEqual({ alive: '/healthz', ready: '/readyz' });
  });

  test('the address for operators has no other page', async () => {
    const { ops } = await start(OPS);
    expect(await statuses(ops, ['/', '/graphql', '/10.1000/182', '/mcp'])).toEqual([404, 404, 404, 404]);
  });
});

test('without OPS_ADDRESS, the public address has /healthz, /readyz and /metrics', async () => {
  const { url } = await start();
  expect(await statuses(url)).toEqual([200, 200, 200]);
  expect(await indexedPages(url)).toMatchObject({ metrics: '/metrics' });
});
