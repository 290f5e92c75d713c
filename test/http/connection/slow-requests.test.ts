// Clients that do not send what they began to send, or hardly.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../../src/config.ts';
import { createGatewayServer } from '../../../src/http/connection/gateway-server.ts';
import { createLog } from '../../../src/log.ts';
import { unlimitedAccount } from '../../support/unlimited-work.ts';
import { GRACE_MS, get, openClient, post, startBoundedServer } from './bounded-server.ts';

/** Answers how many bytes there were, once they are all there. */
const collect: RequestListener = async (request, response) => {
  const chunks: Buffer[] = [];
  request.on('error', () => undefined);
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => response.end(`${Buffer.concat(chunks).length} bytes`));
};

const MEGABYTE = 1_000_000;
const CHUNKED = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';

async function begun(
  server: Awaited<ReturnType<typeof startBoundedServer>>['server'],
): Promise<IncomingMessage> {
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  return request;
}

/** Sends some of a body, and returns when it has arrived. */
async function arrive(request: IncomingMessage, sent: Promise<void>, bytes: number): Promise<void> {
  let arrived = 0;
  const all = new Promise<void>((resolve) => {
    request.on('data', function count(chunk: Buffer) {
      arrived += chunk.length;
      if (arrived < bytes) return;
      request.off('data', count);
      resolve();
    });
  });
  await sent;
  await all;
}

describe('a body', () => {
  test('that does not come is refused with 408 when its time is over', async () => {
    const { server, ticker, connect } = await startBoundedServer(collect);
    const client = connect();
    void client.send(post(MEGABYTE));
    const request = await begun(server);
    ticker.advance(GRACE_MS + MEGABYTE / 16);
    expect(request.destroyed).toBe(false);
    ticker.advance(1_000);
    expect(await client.readAll()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\nConnection: close\r\n/);
  });

  test('has the time of the length it declares', async () => {
    const { server, ticker, connect } = await startBoundedServer(collect);
    const client = connect();
    void client.send(post(MEGABYTE));
    await begun(server);
    ticker.advance(GRACE_MS + MEGABYTE / 16);
    client.socket.end(Buffer.alloc(MEGABYTE));
    expect(await client.readAll()).toContain('1000000 bytes');
  });

  test('that has come is left alone, however long its answer takes', async () => {
    const { server, ticker, connect } = await startBoundedServer((request) => request.resume());
    const client = connect();
    void client.send(`${post(1)}x`);
    const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    await once(request, 'end');
    ticker.advance(3_600_000);
    const text = client.readAll();
    response.end('late');
    await once(response, 'close');
    client.socket.end();
    expect(await text).toMatch(/ 200 OK\r\n.*late/s);
  });

  test('that trickles in chunks is given time for what has come alone', async () => {
    const { server, ticker, connect } = await startBoundedServer(collect);
    const client = connect();
    void client.send(CHUNKED);
    const request = await begun(server);
    for (let second = 0; second < 30; second += 1) {
      await arrive(request, client.send('1\r\nx\r\n'), 1);
      ticker.advance(1_000);
    }
    expect(request.destroyed).toBe(false);
    ticker.advance(1_000);
    expect(await client.readAll()).toContain(' 408 ');
  });

  test('that comes slowly, but at more than 16 kB a second, is answered', async () => {
    const { server, ticker, connect } = await startBoundedServer(collect);
    const client = connect();
    void client.send(CHUNKED);
    const request = await begun(server);
    for (let part = 0; part < 50; part += 1) {
      await arrive(request, client.send(`4e20\r\n${'x'.repeat(20_000)}\r\n`), 20_000);
      ticker.advance(1_100);
    }
    await client.send('0\r\n\r\n');
    ticker.advance(1);
    client.socket.end();
    expect(await client.readAll()).toContain('1000000 bytes');
  });

  test('whose length lies has no more time than the largest', async () => {
    const { server, ticker, connect } = await startBoundedServer(collect);
    const client = connect();
    void client.send(post(99_999_999_999));
    await begun(server);
    // MAX_BODY_BYTES by default.
    ticker.advance(GRACE_MS + 1_048_576 / 16 + 1_000);
    expect(await client.readAll()).toContain(' 408 ');
  });

  test('is asked for where the client waits for that, and is bounded then', async () => {
    const { server, ticker, connect } = await startBoundedServer(collect);
    const client = connect();
    void client.send(
      'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 5\r\n\r\n',
    );
    await begun(server);
    const text = client.readAll();
    ticker.advance(GRACE_MS + 2_000);
    expect(await text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 408 /);
  });

  test('that goes on coming after its answer is cut without another', async () => {
    const { server, ticker, connect } = await startBoundedServer((_, response) =>
      response.writeHead(413).end(),
    );
    const client = connect();
    void client.send(post(MEGABYTE));
    await begun(server);
    await client.readMore();
    ticker.advance(GRACE_MS + MEGABYTE / 16 + 1_000);
    expect(await client.readAll()).not.toContain('408');
  });
});

describe('while requests wait for memory', () => {
  const limits = { isMemoryScarce: () => true };

  test('a body that stands still ends, and one that goes on does not', async () => {
    const { server, ticker, connect } = await startBoundedServer(collect, limits);
    const [held, steady] = [connect(), connect()];
    const part = Buffer.alloc(MEGABYTE - 1);
    void held.send(post(MEGABYTE));
    await arrive(await begun(server), held.send(part), part.length);
    void steady.send(post(MEGABYTE));
    const request = await begun(server);
    for (let second = 0; second < 10; second += 1) {
      await arrive(request, steady.send(Buffer.alloc(99_999)), 99_999);
      ticker.advance(1_000);
    }
    expect(await held.readAll()).toContain(' 408 ');
    steady.socket.end(Buffer.alloc(10));
    expect(await steady.readAll()).toContain('00000 bytes');
  });

  test('bodies that have come hold nothing', async () => {
    const { connect, warnings, ticker } = await startBoundedServer(collect, limits);
    for (let count = 0; count < 5; count += 1) {
      const client = connect();
      void client.send(post(MEGABYTE));
      void client.send(Buffer.alloc(MEGABYTE));
      await client.readMore();
      expect(client.socket.closed).toBe(false);
    }
    ticker.advance(60_000);
    expect(warnings).toEqual([]);
  });
});

describe('the head of a request', () => {
  /** Node's own clock counts here. */
  async function startWithHeadersTimeout(headersTimeout: number) {
    const server = createGatewayServer(collect, {
      config: parseConfig({}),
      log: createLog('silent'),
      memoryAccount: unlimitedAccount(),
    });
    Object.assign(server, { headersTimeout, connectionsCheckingInterval: 5 });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return openClient((server.address() as AddressInfo).port);
  }

  test.each([
    ['does not come', ''],
    ['stops', 'GET / HTTP/1.1\r\nHost: a\r\nX-A: '],
  ])('that %s is refused with 408', async (_, sent) => {
    const client = await startWithHeadersTimeout(20);
    void client.send(sent);
    expect(await client.readAll()).toContain(' 408 ');
  });

  test('has 30 seconds, and the whole request as long as the largest may take after it has waited', () => {
    const server = createGatewayServer(collect, {
      config: parseConfig({}),
      log: createLog('silent'),
      memoryAccount: unlimitedAccount(),
    });
    const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = server;
    expect({ headersTimeout, requestTimeout, keepAliveTimeout, timeout }).toEqual({
      headersTimeout: 30_000,
      requestTimeout: 155_536,
      keepAliveTimeout: 65_000,
      timeout: 0,
    });
  });
});

describe('what Node itself refuses without telling', () => {
  test.each([
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['another expectation', get('/', 'Expect: cake\r\n'), 417],
  ])('%s', async (_, sent, status) => {
    const { connect } = await startBoundedServer(collect);
    const client = connect();
    void client.send(sent);
    expect(await client.readAll()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test('is as Node does it', async () => {
    const plain = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
    await once(plain, 'listening');
    onTestFinished(() => void plain.close());
    const client = openClient((plain.address() as AddressInfo).port);
    void client.send('GET / HTTP/1.1\r\n\r\n');
    expect(await client.readAll()).toMatch(/^HTTP\/1\.1 400 /);
  });
});
