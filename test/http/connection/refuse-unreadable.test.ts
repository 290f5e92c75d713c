// The gateway refuses requests that Node cannot read with a message, and ends their connections.

import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { get, startBoundedServer } from './bounded-server.ts';

async function responseTo(sent: string) {
  const { connect } = await startBoundedServer((request) => request.resume());
  const client = connect();
  void client.send(sent);
  return client.readAll();
}

test.each([
  ['a head of 20 kB', get(`/?query=${'x'.repeat(20_000)}`), 431, /larger than 16384 bytes.* body of a POST/],
  ['a text that is not HTTP', 'what is this\r\n\r\n', 400, /cannot read this as an HTTP\/1\.1 request/],
  [
    'a chunk with a long extension',
    `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\nx\r\n`,
    413,
    /extensions of a chunk/,
  ],
])('%s is refused with a message', async (_, sent, status, text) => {
  const [head = '', body = ''] = (await responseTo(sent)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`));
  expect(head).toContain('\r\nConnection: close\r\nContent-Type: text/plain;charset=utf-8\r\n');
  expect(head).toContain(`\r\nContent-Length: ${body.length}`);
  expect(body).toMatch(text);
});

describe('the id of a request that Node cannot read', () => {
  const idIn = (response: string) => /\r\nX-Request-Id: (.*)\r\n/.exec(response)?.[1] ?? null;

  test('is new for each request without a readable head', async () => {
    const ids = [idIn(await responseTo('no HTTP\r\n\r\n')), idIn(await responseTo('no HTTP\r\n\r\n'))];
    for (const id of ids) expect(id).toMatch(/^[\w-]{8,}$/);
    expect(ids[0]).not.toBe(ids[1]);
  });

  test.each([
    ['the id of its client', 'X-Request-Id: mine-1\r\n', 'mine-1'],
    ['missing if the id of its client is invalid', 'X-Request-Id: a b\r\n', null],
    ['missing if its client sent no id', '', null],
  ])('is %s', async (_, header, id) => {
    const head = `POST / HTTP/1.1\r\nHost: a\r\n${header}Transfer-Encoding: chunked\r\n\r\n`;
    const response = await responseTo(`${head}no chunk\r\n`);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(idIn(response)).toBe(id);
  });
});

test('the gateway sends no refusal after a response that has begun', async () => {
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

test('many refusals at once take several turns of the event loop', async () => {
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

describe('a client that is refused while it sends', () => {
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

  test('receives the refusal without a reset', async () => {
    const { socket, failures, received } = await startSending();
    for (let count = 0; count < 8; count += 1) {
      await new Promise((resolve) => socket.write('x'.repeat(10_000), resolve));
    }
    socket.end();
    await once(socket, 'close');
    expect(failures).toEqual([]);
    expect(received()).toMatch(/^HTTP\/1\.1 431 .*Send a long query[^\n]*\n$/s);
  });

  test('can continue to send for at most a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { peer } = await startSending();
    vi.advanceTimersByTime(1_000);
    await once(peer, 'close');
  });

  test('can continue to send at most a megabyte', async () => {
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
