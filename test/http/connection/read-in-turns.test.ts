import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { type ReadTurns, readInTurns } from '../../../src/http/connection/read-in-turns.ts';

/** This time is longer than one turn of the event loop may work. */
const LONG_MS = 15;

function fillTurn(): void {
  const end = performance.now() + LONG_MS;
  while (performance.now() < end);
}

async function connect(count: number): Promise<{ reads: ReadTurns; sockets: Socket[] }> {
  const server = createServer();
  const reads = readInTurns(server);
  const sockets = Array.from({ length: count }, () => new Socket().pause());
  for (const socket of sockets) server.emit('connection', socket);
  await expect.poll(() => sockets.every((socket) => !socket.isPaused())).toBe(true);
  return { reads, sockets };
}

test('when a turn of the event loop is full, new connections wait for the next turn', async () => {
  const { reads, sockets } = await connect(3);
  const [first, ...others] = sockets as [Socket, ...Socket[]];
  reads.onRequest(first, true);
  expect(others.map((socket) => socket.isPaused())).toEqual([false, false]);
  fillTurn();
  reads.onRequest(first, true);
  expect(sockets.map((socket) => socket.isPaused())).toEqual([false, true, true]);
  await expect.poll(() => others.map((socket) => socket.isPaused())).toEqual([false, false]);
});

test('a connection that sent a small request and waits for the response is always read', async () => {
  const { reads, sockets } = await connect(3);
  for (const socket of sockets) reads.onRequest(socket, true);
  fillTurn();
  for (const socket of sockets) reads.onRequest(socket, true);
  expect(sockets.map((socket) => socket.isPaused())).toEqual([false, false, false]);
});

test('a connection that sent a large head waits like a new connection', async () => {
  const { reads, sockets } = await connect(2);
  for (const socket of sockets) reads.onRequest(socket, true);
  const [large, small] = sockets as [Socket, Socket];
  reads.onRequest(large, false);
  fillTurn();
  reads.onRequest(small, true);
  expect(sockets.map((socket) => socket.isPaused())).toEqual([true, false]);
});
