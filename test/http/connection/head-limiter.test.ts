// Heads of requests that do not become requests: their memory is counted, and limited by client.

import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Part } from '../../../src/memory/account.ts';
import { arrivals, get, post, startBoundedServer } from './bounded-server.ts';

const headers = (count: number, length = 0): string =>
  Array.from({ length: count }, (_, n) => `h${n}: ${'x'.repeat(length)}\r\n`).join('');

/** A client with another address than the clients of `startBoundedServer`. */
function connectFrom(localAddress: string, port: number) {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined).resume();
  return socket;
}

test('a request with 100 headers is served, and one with more is refused with 431', async () => {
  let served = 0;
  const { connect: open } = await startBoundedServer((_, response) => {
    served += 1;
    response.end('served');
  });
  const allowed = open();
  void allowed.send(get('/', `${headers(98)}Connection: close\r\n`));
  expect(await allowed.readAll()).toMatch(/^HTTP\/1\.1 200 /);
  for (const count of [100, 1_000, 1_500]) {
    const refused = open();
    void refused.send(get('/', headers(count)).repeat(4));
    refused.socket.end();
    expect(await refused.readAll()).toMatch(/^HTTP\/1\.1 431 [\s\S]*more than 100 headers/);
  }
  expect(served).toBe(1);
});

test.each([
  ['an unfinished head', `GET / HTTP/1.1\r\nHost: a\r\n${headers(50, 100)}`],
  ['a head without its body', post(10)],
  ['a whole request, then an unfinished head', `${get()}GET / HTTP/1.1\r\n${headers(50, 100)}`],
])('%s is counted until its connection closes', async (_, text) => {
  const heads = new MemoryShare(1_000_000);
  const {
    server,
    ticker,
    connect: open,
  } = await startBoundedServer(
    (request, response) => {
      if (request.method === 'GET') response.end('x');
    },
    { heads },
  );
  const client = open();
  const [socket] = (await Promise.all([once(server, 'connection'), client.send(text)]))[0];
  socket.on('error', () => undefined);
  await expect.poll(() => socket.bytesRead).toBe(text.length);
  ticker.advance(200);
  expect(heads.usedBytes).toBeGreaterThan(text.length);
  client.socket.destroy();
  await expect.poll(() => socket.closed).toBe(true);
  expect(heads.usedBytes).toBe(0);
});

test('heads that waited for earlier responses are counted until they run', async () => {
  const heads = new Part(1_000_000);
  const { server, connect: open } = await startBoundedServer(
    (_, response) => setImmediate(() => response.end('x')),
    {
      heads,
    },
  );
  const client = open();
  const all = arrivals(server, 20);
  void client.send(get().repeat(19) + get('/', 'Connection: close\r\n'));
  await all;
  expect(heads.usedBytes).toBeGreaterThan(19 * 2_000);
  expect((await client.readAll()).match(/HTTP\/1\.1 200/g)).toHaveLength(20);
  expect(heads.usedBytes).toBe(0);
});

test('with too many heads, connections of the client with the most are ended, and no other', async () => {
  const heads = new MemoryShare(100_000);
  const {
    server,
    ticker,
    warnings,
    connect: open,
  } = await startBoundedServer(
    (request, response) => {
      request.on('error', () => undefined);
      if (request.method === 'GET') response.end('x');
    },
    { heads },
  );
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const other = connectFrom('127.0.0.9', port);
  const isOpen = once(server, 'request');
  other.write(post(10));
  await isOpen;
  const greedy = Array.from({ length: 12 }, () => open());
  const sent = arrivals(server, 12);
  for (const client of greedy) void client.send(post(10));
  await sent;
  expect(heads.usedBytes).toBeLessThanOrEqual(100_000);
  expect(await greedy[0]?.readAll()).toMatch(/^HTTP\/1\.1 503 [\s\S]*Retry-After: 1/);
  expect(other.closed).toBe(false);
  expect(greedy.at(-1)?.socket.closed).toBe(false);
  ticker.advance(60_000);
  expect(warnings).toMatchObject([[{ ended: { heads: 3 } }, expect.any(String)]]);
});

test('large heads of running requests are refused with 503 above the limit, small ones are served', async () => {
  const heads = new Part(100_000);
  const { server, connect: open } = await startBoundedServer(() => undefined, { heads });
  const large = get('/', headers(90, 160));
  const running = [open(), open()];
  const both = arrivals(server, 2);
  for (const client of running) void client.send(large);
  await both;
  const refused = open();
  void refused.send(large);
  expect(await refused.readAll()).toMatch(/^HTTP\/1\.1 503 [\s\S]*Retry-After: /);
  const small = open();
  const arrived = arrivals(server, 1);
  void small.send(get());
  await arrived;
  expect(small.socket.closed).toBe(false);
});

test('at the limit of connections, the client with the most connections gives way to another', async () => {
  const { server, connect: open } = await startBoundedServer(() => undefined, { maxConnections: 3 });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const greedy = Array.from({ length: 3 }, () => open());
  const all = arrivals(server, 3);
  for (const client of greedy) void client.send(get());
  await all;
  const arrived = arrivals(server, 1);
  connectFrom('127.0.0.9', port).write(get());
  await arrived;
  await Promise.race(greedy.map(({ readAll }) => readAll()));
});
