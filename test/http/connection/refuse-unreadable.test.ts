// What Node itself refuses is told in words, on a connection that ends.

import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { get, startBoundedServer } from './bounded-server.ts';

test.each([
  ['a head of 20 kB', get(`/?query=${'x'.repeat(20_000)}`), 431, /larger than 16384 bytes.* body of a POST/],
  ['no HTTP', 'what is this\r\n\r\n', 400, /cannot read this as an HTTP\/1\.1 request/],
  [
    'a chunk with a long extension',
    `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\nx\r\n`,
    413,
    /extensions of a chunk/,
  ],
])('%s', async (_, sent, status, text) => {
  const { connect } = await startBoundedServer((request) => request.resume());
  const client = connect();
  void client.send(sent);
  const [head = '', body = ''] = (await client.readAll()).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`));
  expect(head).toContain('\r\nConnection: close\r\nContent-Type: text/plain;charset=utf-8\r\n');
  expect(head).toContain(`\r\nContent-Length: ${body.length}`);
  expect(body).toMatch(text);
});

describe('the id of a request that could not be read', () => {
  const idIn = (answer: string) => /\r\nX-Request-Id: (.*)\r\n/.exec(answer)?.[1] ?? null;

  async function answerTo(sent: string) {
    const { connect } = await startBoundedServer((request) => request.resume());
    const client = connect();
    void client.send(sent);
    return client.readAll();
  }

  test('is another one each time where nothing of it could', async () => {
    const ids = [idIn(await answerTo('no HTTP\r\n\r\n')), idIn(await answerTo('no HTTP\r\n\r\n'))];
    for (const id of ids) expect(id).toMatch(/^[\w-]{8,}$/);
    expect(ids[0]).not.toBe(ids[1]);
  });

  test.each([
    ['what its client calls it', 'X-Request-Id: mine-1\r\n', 'mine-1'],
    ['none where that is not plain: the log has its own', 'X-Request-Id: a b\r\n', null],
    ['none where it brought none: the log has its own', '', null],
  ])('is %s', async (_, header, id) => {
    const head = `POST / HTTP/1.1\r\nHost: a\r\n${header}Transfer-Encoding: chunked\r\n\r\n`;
    const answer = await answerTo(`${head}no chunk\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(idIn(answer)).toBe(id);
  });
});

test('an answer that has begun is not continued with another', async () => {
  const { server, connect } = await startBoundedServer(
    (_, response) => void response.writeHead(200).write('some'),
  );
  const client = connect();
  void client.send(get());
  await client.readMore();
  void client.send('no HTTP\r\n\r\n');
  await once(server, 'clientError');
  expect(await client.readAll()).not.toContain('HTTP/1.1 400');
});

test('many clients that run out of time together get their refusals in several turns', async () => {
  const { server } = await startBoundedServer(() => undefined);
  let ended = 0;
  const destroySoon = () => {
    ended += 1;
    for (const end = performance.now() + 0.5; performance.now() < end; );
  };
  const socket = { writable: false, destroySoon } as unknown as Socket;
  for (let count = 0; count < 120; count += 1) server.emit('clientError', new Error('late'), socket);
  expect(ended).toBeLessThan(120);
  while (ended < 120) await nextTurn();
});

describe('a client that is still sending when it is refused', () => {
  async function startSending() {
    const { server } = await startBoundedServer(() => undefined);
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    const failures: Error[] = [];
    socket.on('error', (error) => failures.push(error));
    socket.write(`GET /${'x'.repeat(20_000)}`);
    const [peer] = (await once(server, 'connection')) as [Socket];
    let received = '';
    socket.setEncoding('latin1').on('data', (part) => {
      received += String(part);
    });
    await once(socket, 'end');
    return { socket, peer, failures, received: () => received };
  }

  test('has its answer, and no reset', async () => {
    const { socket, failures, received } = await startSending();
    for (let count = 0; count < 8; count += 1) {
      await new Promise((resolve) => socket.write('x'.repeat(10_000), resolve));
    }
    socket.end();
    await once(socket, 'close');
    expect(failures).toEqual([]);
    expect(received()).toMatch(/^HTTP\/1\.1 431 .*Send a long query[^\n]*\n$/s);
  });

  test('is not heard for longer than a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { peer } = await startSending();
    vi.advanceTimersByTime(1_000);
    await once(peer, 'close');
  });

  test('is not heard for more than a megabyte', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { socket } = await startSending();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const more = (): void => {
      while (socket.writable && socket.write('x'.repeat(65_536)));
    };
    socket.on('drain', more);
    more();
    await closed;
    expect(socket.bytesWritten).toBeGreaterThan(20_000);
  });
});
