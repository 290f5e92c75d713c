// Limits on connections, and on requests of one connection.

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  arrivals,
  type Client,
  GRACE_MS,
  get,
  nextExchange,
  post,
  startBoundedServer,
} from './bounded-server.ts';

describe('pipelined requests of one connection', () => {
  test('run one after the other, each after the response before it is sent', async () => {
    const running: [target: string, response: ServerResponse][] = [];
    const { server, connect } = await startBoundedServer((request, response) =>
      running.push([request.url ?? '', response]),
    );
    const client = connect();
    const all = arrivals(server, 3);
    void client.send(get('/1') + get('/2') + get('/3', 'Connection: close\r\n'));
    await all;
    for (const count of [1, 2, 3]) {
      await expect.poll(() => running.map(([target]) => target)).toEqual(['/1', '/2', '/3'].slice(0, count));
      const [, response] = running.at(-1) ?? [];
      response?.end(`response ${count}`);
      if (response) await once(response, 'close');
    }
    expect((await client.readAll()).match(/response \d/g)).toEqual([
      'response 1',
      'response 2',
      'response 3',
    ]);
  });

  test('hold the memory of one response while the client does not read', async () => {
    let started = 0;
    const large = 'x'.repeat(32_000_000);
    const { server, connect } = await startBoundedServer((_, response) => {
      started += 1;
      response.end(large);
    });
    const client = connect();
    const all = arrivals(server, 20);
    void client.send(get().repeat(20));
    await all;
    await client.readMore();
    expect(started).toBe(1);
    await client.readTo(40_000_000);
    expect(started).toBe(2);
  });

  test.each([
    ['requests', get()],
    ['requests without Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['requests with an expectation', get('/', 'Expect: cake\r\n')],
    ['bodies', `${post(1)}x`],
  ])('end the connection if there are thousands of them: %s', async (_, request) => {
    let started = 0;
    const { connect, ticker, warnings } = await startBoundedServer(() => {
      started += 1;
    });
    const client = connect();
    void client.send(get() + request.repeat(2_000));
    await client.readAll();
    // On a busy machine, the connection can end before its first request starts.
    expect(started).toBeLessThan(2);
    ticker.advance(60_000);
    expect(warnings).toMatchObject([[{ ended: { pipelined: 1 } }, expect.any(String)]]);
  });

  test('are no longer parsed when there are too many, and later errors keep their stack traces', async () => {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 7;
    onTestFinished(() => {
      Error.stackTraceLimit = stackTraceLimit;
    });
    let parsed = 0;
    const { server, connect } = await startBoundedServer(() => undefined);
    server.on('request', () => {
      parsed += 1;
    });
    const client = connect();
    void client.send(get().repeat(100_000));
    await client.readAll();
    // Node reads at most 64 kB at once.
    expect(parsed).toBeLessThan((2 * 65_536) / get().length);
    await expect.poll(() => Error.stackTraceLimit).toBe(7);
  });

  test('are served if there are twenty at once, again and again', async () => {
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

describe('at the limit of connections', () => {
  const limits = { maxConnections: 3 };

  async function exchangeOn(client: Client): Promise<Client> {
    await client.send(get());
    await client.readMore();
    return client;
  }

  test('the connection that is idle for the longest time ends for a new connection', async () => {
    const { ticker, warnings, connect } = await startBoundedServer(
      (_, response) => response.end('x'),
      limits,
    );
    const clients: Client[] = [];
    for (let count = 0; count < 3; count += 1) {
      clients.push(await exchangeOn(connect()));
      ticker.advance(1_000);
    }
    const [first, second, third] = clients;
    if (first) await exchangeOn(first);
    await exchangeOn(connect());
    await second?.readAll();
    expect([first, second, third].map((client) => client?.socket.closed)).toEqual([false, true, false]);
    ticker.advance(60_000);
    expect(warnings).toEqual([
      [{ ended: { idle: 1 } }, 'Connections were ended: 1 idle, to make room for new connections.'],
    ]);
  });

  test('a connection without a complete request ends for a new connection', async () => {
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
      await exchangeOn(connect());
      await client.readAll();
    }
  });

  test('a new connection is refused while all other connections have a running request', async () => {
    const { server, ticker, warnings, connect } = await startBoundedServer(() => undefined, limits);
    const running: [client: Client, response: ServerResponse][] = [];
    for (let count = 0; count < 3; count += 1) {
      const client = connect();
      void client.send(get());
      const [, response] = await nextExchange(server);
      running.push([client, response]);
    }
    ticker.advance(GRACE_MS * 10);
    await connect().readAll();
    for (const [client, response] of running) {
      response.end('late');
      await client.readMore();
      expect(client.socket.closed).toBe(false);
    }
    ticker.advance(60_000);
    expect(warnings).toMatchObject([[{ ended: { refused: 1 } }, expect.any(String)]]);
  });

  test('the client with the most connections loses a connection to another client', async () => {
    const { server, connect } = await startBoundedServer(() => undefined, limits);
    const greedy = Array.from({ length: 3 }, () => connect());
    const all = arrivals(server, 3);
    for (const client of greedy) void client.send(get());
    await all;
    const arrived = arrivals(server, 1);
    void connect('127.0.0.9').send(get());
    await arrived;
    await Promise.race(greedy.map(({ readAll }) => readAll()));
  });
});

test('a closed server has no timer left', async () => {
  const { server, ticker } = await startBoundedServer(() => undefined);
  expect(ticker.running).toBeGreaterThan(0);
  server.close();
  await once(server, 'close');
  expect(ticker.running).toBe(0);
});
