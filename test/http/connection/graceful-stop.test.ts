// A stop waits for running and arriving requests, and then ends all connections.

import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { prepareStop } from '../../../src/http/connection/graceful-stop.ts';
import { arrivals, get, startBoundedServer } from './bounded-server.ts';

const respond: RequestListener = (_, response) => response.end('12345');

/** A client with an open connection. The client has sent nothing, or has received its first response. */
async function startWithClient(has: 'nothing' | 'a response', timeoutMs = 60_000, lingerMs = 60_000) {
  const { server, connect } = await startBoundedServer(respond);
  const stop = prepareStop(server, { timeoutMs, lingerMs });
  const client = connect();
  await once(server, 'connection');
  if (has === 'a response') {
    void client.send(get());
    await client.readMore();
  }
  return { server, client, stop };
}

test('the requests of a client that has aborted, also pipelined requests, are not in flight', async () => {
  const { server, connect } = await startBoundedServer(() => undefined);
  const inFlight: number[] = [];
  const stop = prepareStop(server, { timeoutMs: 1, onStopping: (_, count) => inFlight.push(count) });
  const client = connect();
  void client.send(get().repeat(3));
  const [{ socket }] = await once(server, 'request');
  client.socket.destroy();
  await once(socket, 'close');
  await stop(0);
  expect(inFlight).toEqual([0]);
});

test.each(['nothing', 'a response'] as const)(
  'a request gets a response after the server stops listening, from a client that had %s before',
  async (has) => {
    const { server, client, stop } = await startWithClient(has);
    const stopped = stop(0);
    await expect.poll(() => server.listening, { interval: 1 }).toBe(false);
    void client.send(get());
    expect(await client.readAll()).toMatch(/\r\nConnection: close\r\n.*12345$/s);
    await stopped;
  },
);

test('clients whose connections wait in the kernel when the stop begins get a response', async () => {
  const { server, connect } = await startBoundedServer(respond);
  const stop = prepareStop(server, { timeoutMs: 60_000, lingerMs: 60_000 });
  let accepted = 0;
  server.on('connection', () => {
    accepted += 1;
  });
  const listening: boolean[] = [];
  server.on('request', () => listening.push(server.listening));
  const clients = Array.from({ length: 30 }, connect);
  // In one turn all clients are connected, and Node has accepted one.
  await Promise.all(clients.map(({ socket }) => once(socket, 'connect')));
  for (const client of clients) void client.send(get());
  const texts = Promise.all(clients.map((client) => client.readAll()));
  const before = accepted;
  await stop(0);
  expect((await texts).filter((text) => text.endsWith('12345'))).toHaveLength(30);
  // Each response ends a connection, and many clients would connect again.
  expect(listening.filter(Boolean).length).toBeLessThanOrEqual(before);
});

test('the server stops listening also during a flood of connections', async () => {
  const { server } = await startBoundedServer(respond);
  const waitForAccept = async () => {
    server.emit('connection', new Socket().destroy());
    await nextTurn();
  };
  const stop = prepareStop(server, { timeoutMs: 60_000, lingerMs: 1, waitForAccept });
  await stop(0);
  expect(server.listening).toBe(false);
});

test.each(['nothing', 'a response'] as const)(
  'the idle connection of a client that had %s before ends without a reset',
  async (has) => {
    const { client, stop } = await startWithClient(has, 60_000, 1);
    const errors: Error[] = [];
    client.socket.on('error', (error) => errors.push(error)).resume();
    await Promise.all([stop(0), once(client.socket, 'end')]);
    expect(errors).toEqual([]);
  },
);

test('a stop does not wait for a client that does not end its side of the connection', async () => {
  const { server, connect } = await startBoundedServer(respond);
  const stop = prepareStop(server, { timeoutMs: 60_000, lingerMs: 1 });
  const client = connect();
  client.socket.allowHalfOpen = true;
  await once(server, 'connection');
  client.socket.resume();
  await stop(0);
});

test.each([
  ['before the stop', 0],
  ['while the server drains', 600_000],
])('all pipelined requests that arrive %s get a response', async (_, drainMs) => {
  let first = () => {};
  let started = 0;
  const { server, connect } = await startBoundedServer((_request, response) => {
    started += 1;
    if (started === 1) first = () => response.end('12345');
    else response.end('12345');
  });
  const stop = prepareStop(server, { timeoutMs: 60_000, lingerMs: 60_000 });
  const client = connect();
  const text = client.readAll();
  const stopped = drainMs > 0 ? stop(drainMs) : undefined;
  const all = arrivals(server, 3);
  void client.send(get().repeat(3));
  await all;
  const ended = stop(0);
  first();
  expect((await text).match(/12345/g)).toHaveLength(3);
  await Promise.all([stopped, ended]);
});

test('a finished stop leaves no timer that would keep the process alive', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const cleared = vi.spyOn(globalThis, 'clearTimeout');
  const { server } = await startBoundedServer(respond);
  await prepareStop(server, { timeoutMs: 60_001, lingerMs: 60_002 })(0);
  const own = timers.mock.results.filter((_, call) => Number(timers.mock.calls[call]?.[1]) > 60_000);
  const ended = cleared.mock.calls.map(([timer]) => timer);
  expect(own.length).toBeGreaterThan(0);
  for (const { value } of own) expect(ended).toContain(value);
});
