// A directory that is stopped under load and started again: nobody who can wait hears of it.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { askedNames, sendJson } from '../support/directory-server.ts';
import { createProxyAt, handleName } from './proxy-under-test.ts';

async function listen(port = 0): Promise<Server> {
  const server = createServer((request, response) =>
    sendJson(response, 404, { responseCode: 100, handle: askedNames(request).names[0] }),
  );
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

test('the first hundred new names after its return are all answered, and so is what waited', async () => {
  let server = await listen();
  const { port } = server.address() as AddressInfo;
  const { directory } = createProxyAt(new URL(`http://127.0.0.1:${port}`), { retries: 2, random: () => 0 });
  onTestFinished(async () => {
    await directory.close();
    await stop(server);
  });
  let names = 0;
  const ask = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        names += 1;
        return (await directory.resolve(handleName(`10.5555/${names}`))).status;
      }),
    );
  const loaded = new AbortController();
  const load = Array.from({ length: 5 }, async () => {
    const statuses = new Set<string>();
    while (!loaded.signal.aborted) for (const status of await ask(10)) statuses.add(status);
    return statuses;
  });
  await ask(10);

  await stop(server);
  await expect.poll(() => directory.status().available).toBe(false);
  const during = ask(20);
  server = await listen(port);
  expect(new Set(await ask(100))).toEqual(new Set(['HANDLE_NOT_FOUND']));
  loaded.abort();
  expect(new Set(await during)).toEqual(new Set(['HANDLE_NOT_FOUND']));
  for (const statuses of await Promise.all(load)) expect(statuses).toEqual(new Set(['HANDLE_NOT_FOUND']));
});
