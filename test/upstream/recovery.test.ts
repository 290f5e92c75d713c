import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { requestedNames, sendJson } from '../support/directory-server.ts';
import { createProxyAt, handleName } from './proxy-under-test.ts';

async function listen(port = 0): Promise<Server> {
  const server = createServer((request, response) =>
    sendJson(response, 404, { responseCode: 100, handle: requestedNames(request).names[0] }),
  );
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

test('when a directory stops under load and starts again, no look-up fails', async () => {
  let server = await listen();
  const { port } = server.address() as AddressInfo;
  const { directory } = createProxyAt(new URL(`http://127.0.0.1:${port}`), { retries: 2, random: () => 0 });
  onTestFinished(async () => {
    await directory.close();
    await stop(server);
  });
  let names = 0;
  const statuses = new Set<string>();
  const lookUpNewNames = async (count: number): Promise<void> => {
    const lookUp = async () => {
      names += 1;
      statuses.add((await directory.resolve(handleName(`10.5555/${names}`))).status);
    };
    await Promise.all(Array.from({ length: count }, lookUp));
  };
  let isLoaded = true;
  const load = Array.from({ length: 5 }, async () => {
    while (isLoaded) await lookUpNewNames(10);
  });
  await lookUpNewNames(10);
  await stop(server);
  await expect.poll(() => directory.status().available).toBe(false);
  const during = lookUpNewNames(20);
  server = await listen(port);
  await lookUpNewNames(100);
  isLoaded = false;
  await Promise.all([during, ...load]);
  expect(statuses).toEqual(new Set(['HANDLE_NOT_FOUND']));
});
