// Clients that do not read what they asked for.

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { cutUnreadAnswers } from '../../src/http/unread-answers.ts';

const TIMEOUT_MS = 50;

async function startServer(answer: (response: ServerResponse) => void) {
  const server = createServer((_request, response) => answer(response));
  cutUnreadAnswers(server, TIMEOUT_MS);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

function ask(port: number) {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return socket;
}

test('one that reads nothing is cut off', async () => {
  // More than the buffers of both ends hold.
  const answer = Buffer.alloc(64_000_000);
  let closed: Promise<unknown> = Promise.reject(new Error('nothing was asked'));
  closed.catch(() => undefined);
  const server = await startServer((response) => {
    closed = once(response, 'close');
    response.end(answer);
  });
  const socket = ask((server.address() as AddressInfo).port).pause();
  await once(server, 'request');
  await closed;
  socket.on('error', () => undefined).resume();
  await once(socket, 'close');
  expect(socket.bytesRead).toBeLessThan(answer.length);
});

test('one that waits for its answer is left alone, and so is the connection afterwards', async () => {
  let timeouts = 0;
  const server = await startServer((response) => {
    // Twice what an unread answer is given.
    response.on('timeout', () => {
      timeouts += 1;
      response.end('late');
    });
  });
  const socket = ask((server.address() as AddressInfo).port);
  const [text] = (await once(socket.setEncoding('utf8'), 'data')) as [string];
  expect(text).toContain('late');
  expect(timeouts).toBe(1);
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [again] = (await once(socket, 'data')) as [string];
  expect(again).toContain('late');
});
