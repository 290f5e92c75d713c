// Clients that ask for much at once, or only hold their connections.

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { arrivals, type Client, GRACE_MS, get, post, startBoundedServer } from './bounded-server.ts';

describe('requests on one connection', () => {
  test('are taken in turn, each when the answer before it has been taken', async () => {
    const asked: [string, ServerResponse][] = [];
    const { server, connect } = await startBoundedServer((request, response) =>
      asked.push([request.url ?? '', response]),
    );
    const client = connect();
    const all = arrivals(server, 3);
    void client.send(get('/1') + get('/2') + get('/3', 'Connection: close\r\n'));
    await all;
    for (const count of [1, 2, 3]) {
      await expect.poll(() => asked.map(([target]) => target)).toEqual(['/1', '/2', '/3'].slice(0, count));
      const [, response] = asked.at(-1) ?? [];
      response?.end(`answer ${count}`);
      if (response) await once(response, 'close');
    }
    expect((await client.readAll()).match(/answer \d/g)).toEqual(['answer 1', 'answer 2', 'answer 3']);
  });

  test('whose answers are not read cost one answer', async () => {
    let asked = 0;
    const large = 'x'.repeat(32_000_000);
    const { server, connect } = await startBoundedServer((_, response) => {
      asked += 1;
      response.end(large);
    });
    const client = connect();
    const all = arrivals(server, 20);
    void client.send(get().repeat(20));
    await all;
    await client.readMore();
    expect(asked).toBe(1);
    await client.readTo(40_000_000);
    expect(asked).toBe(2);
  });

  test.each([
    ['requests', get()],
    ['requests without a host', 'GET / HTTP/1.1\r\n\r\n'],
    ['requests with an expectation', get('/', 'Expect: cake\r\n')],
    ['bodies', `${post(1)}x`],
  ])('by the thousand end it: %s', async (_, request) => {
    let asked = 0;
    const { connect, ticker, warnings } = await startBoundedServer(() => {
      asked += 1;
    });
    const client = connect();
    void client.send(get() + request.repeat(2_000));
    await client.readAll();
    expect(asked).toBe(1);
    ticker.advance(60_000);
    expect(warnings).toMatchObject([[{ ended: { pipelined: 1 } }, expect.any(String)]]);
  });

  test('are not even read further once there are too many', async () => {
    let read = 0;
    const { server, connect } = await startBoundedServer(() => undefined);
    server.on('request', () => {
      read += 1;
    });
    const client = connect();
    void client.send(get().repeat(100_000));
    await client.readAll();
    // Node reads at most 64 kB at once.
    expect(read).toBeLessThan((2 * 65_536) / get().length);
  });

  test('fail without stack traces, which take long, and later errors have them again', async () => {
    const errors: Error[] = [];
    const { server, connect } = await startBoundedServer(() => undefined);
    server.on('request', (request) => request.on('error', (error: Error) => errors.push(error)));
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 7;
    onTestFinished(() => {
      Error.stackTraceLimit = stackTraceLimit;
    });
    const limits: number[] = [];
    server.on('connection', (socket) => {
      socket.once('close', () => limits.push(Error.stackTraceLimit));
    });
    const client = connect();
    void client.send(get().repeat(1_000));
    await client.readAll();
    await expect.poll(() => errors.length).toBeGreaterThan(100);
    expect(new Set(errors.map(({ stack }) => stack))).toEqual(new Set(['Error: aborted']));
    expect(limits).toEqual([7]);
  });

  test('may be a few, one behind the other, as often as one likes', async () => {
    const { connect } = await startBoundedServer((_, response) => response.end('12345'));
    const client = connect();
    void client.send(get());
    await client.readMore();
    const { bytesRead: one } = client.socket;
    for (let round = 1; round <= 50; round += 1) {
      void client.send(get().repeat(20));
      await client.readTo(one + round * 20 * one);
    }
    expect(client.socket.closed).toBe(false);
  });
});

describe('when as many connections are open as may be', () => {
  const limits = { maxConnections: 3 };

  async function answered(client: Client): Promise<Client> {
    await client.send(get());
    await client.readMore();
    return client;
  }

  test('the longest idle gives way', async () => {
    const { ticker, warnings, connect } = await startBoundedServer(
      (_, response) => response.end('x'),
      limits,
    );
    const clients: Client[] = [];
    for (let count = 0; count < 3; count += 1) {
      clients.push(await answered(connect()));
      ticker.advance(1_000);
    }
    const [first, second, third] = clients;
    if (first) await answered(first);
    await answered(connect());
    await second?.readAll();
    expect([first, second, third].map((client) => client?.socket.closed)).toEqual([false, true, false]);
    ticker.advance(60_000);
    expect(warnings).toEqual([
      [{ ended: { idle: 1 } }, 'Connections were ended: 1 idle, to make room for new connections.'],
    ]);
  });

  test('those who have sent no whole request give way to one who does', async () => {
    const { server, connect } = await startBoundedServer((request, response) => {
      request.on('error', () => undefined);
      if (request.method === 'GET') response.end('x');
    }, limits);
    const silent = connect();
    await once(server, 'connection');
    const body = connect();
    void body.send(post(10));
    await once(server, 'request');
    const head = connect();
    void head.send('GET / HTTP/1.1\r\n');
    await once(server, 'connection');
    for (const client of [silent, body, head]) {
      await answered(connect());
      await client.readAll();
    }
  });

  test('and all are being answered, a new one is refused', async () => {
    const answers: ServerResponse[] = [];
    const { server, ticker, warnings, connect } = await startBoundedServer((_, response) => {
      answers.push(response);
    }, limits);
    const clients = [connect(), connect(), connect()];
    for (const client of clients) {
      void client.send(get());
      await once(server, 'request');
    }
    ticker.advance(GRACE_MS * 10);
    const fourth = connect();
    await fourth.readAll();
    for (const [index, client] of clients.entries()) {
      answers[index]?.end('late');
      await client.readMore();
      expect(client.socket.closed).toBe(false);
    }
    ticker.advance(60_000);
    expect(warnings).toMatchObject([[{ ended: { refused: 1 } }, expect.any(String)]]);
  });
});

test('a server that has closed looks at its connections no more', async () => {
  const { server, ticker } = await startBoundedServer(() => undefined);
  expect(ticker.running).toBeGreaterThan(0);
  server.close();
  await once(server, 'close');
  expect(ticker.running).toBe(0);
});
