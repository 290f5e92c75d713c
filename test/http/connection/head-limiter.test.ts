// The memory of request heads is counted, and limited for each client.

import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { MemoryShare } from '../../../src/memory/memory-share.ts';
import { arrivals, get, post, startBoundedServer } from './bounded-server.ts';

const headers = (count: number, length = 0): string =>
  Array.from({ length: count }, (_, n) => `h${n}: ${'x'.repeat(length)}\r\n`).join('');

/** Responds only to GET. The other requests wait for their bodies. */
const respondToGet: RequestListener = (request, response) => {
  request.on('error', () => undefined);
  if (request.method === 'GET') response.end('x');
};

test('a request with 100 headers is served, and a request with more headers is refused with 431', async () => {
  let served = 0;
  const { connect } = await startBoundedServer((_, response) => {
    served += 1;
    response.end('served');
  });
  const allowed = connect();
  void allowed.send(get('/', `${headers(98)}Connection: close\r\n`));
  expect(await allowed.readAll()).toMatch(/^HTTP\/1\.1 200 /);
  for (const count of [100, 1_000, 1_500]) {
    const refused = connect();
    void refused.send(get('/', headers(count)).repeat(4));
    refused.socket.end();
    expect(await refused.readAll()).toMatch(/^HTTP\/1\.1 431 [\s\S]*more than 100 headers/);
  }
  expect(served).toBe(1);
});

test.each([
  ['an incomplete head', `GET / HTTP/1.1\r\nHost: a\r\n${headers(50, 100)}`],
  ['a head without its body', post(10)],
  ['a complete request with an incomplete head after it', `${get()}GET / HTTP/1.1\r\n${headers(50, 100)}`],
])('%s is counted until its connection closes', async (_, text) => {
  const heads = new MemoryShare(1_000_000);
  const { server, ticker, connect } = await startBoundedServer(respondToGet, { heads });
  const client = connect();
  const [socket] = (await Promise.all([once(server, 'connection'), client.send(text)]))[0];
  socket.on('error', () => undefined);
  await expect.poll(() => socket.bytesRead).toBe(text.length);
  ticker.advance(200);
  expect(heads.usedBytes).toBeGreaterThan(text.length);
  client.socket.destroy();
  await expect.poll(() => socket.closed).toBe(true);
  expect(heads.usedBytes).toBe(0);
});

test('heads that wait for earlier responses are counted until they run', async () => {
  const heads = new MemoryShare(1_000_000);
  const { server, connect } = await startBoundedServer(
    (_, response) => setImmediate(() => response.end('x')),
    { heads },
  );
  const client = connect();
  const all = arrivals(server, 20);
  void client.send(get().repeat(19) + get('/', 'Connection: close\r\n'));
  await all;
  expect(heads.usedBytes).toBeGreaterThan(19 * 2_000);
  expect((await client.readAll()).match(/HTTP\/1\.1 200/g)).toHaveLength(20);
  expect(heads.usedBytes).toBe(0);
});

test('if heads need too much memory, only the client with the most heads loses connections', async () => {
  const heads = new MemoryShare(100_000);
  const { server, ticker, warnings, connect } = await startBoundedServer(respondToGet, { heads });
  const other = connect('127.0.0.9');
  const isOpen = once(server, 'request');
  void other.send(post(10));
  await isOpen;
  const greedy = Array.from({ length: 12 }, () => connect());
  const sent = arrivals(server, 12);
  for (const client of greedy) void client.send(post(10));
  await sent;
  expect(heads.usedBytes).toBeLessThanOrEqual(100_000);
  expect(await greedy[0]?.readAll()).toMatch(/^HTTP\/1\.1 503 [\s\S]*Retry-After: 1/);
  expect(other.socket.closed).toBe(false);
  expect(greedy.at(-1)?.socket.closed).toBe(false);
  ticker.advance(60_000);
  expect(warnings).toMatchObject([[{ ended: { heads: 3 } }, expect.any(String)]]);
});

test('at the limit, a request with a large head is refused with 503, and a small request is served', async () => {
  const { server, connect } = await startBoundedServer(() => undefined, { heads: new MemoryShare(100_000) });
  const large = get('/', headers(90, 160));
  const both = arrivals(server, 2);
  for (const client of [connect(), connect()]) void client.send(large);
  await both;
  const refused = connect();
  void refused.send(large);
  expect(await refused.readAll()).toMatch(/^HTTP\/1\.1 503 [\s\S]*Retry-After: /);
  const small = connect();
  const arrived = arrivals(server, 1);
  void small.send(get());
  await arrived;
  expect(small.socket.closed).toBe(false);
});
