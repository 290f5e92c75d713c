// Clients that send a request slowly, or only a part of it.

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../../src/config.ts';
import { createGatewayServer } from '../../../src/http/connection/gateway-server.ts';
import { createLog } from '../../../src/log.ts';
import { unlimitedAccount } from '../../support/unlimited-memory.ts';
import {
  countBytes,
  GRACE_MS,
  get,
  nextExchange,
  openClient,
  post,
  startBoundedServer,
} from './bounded-server.ts';

const MEGABYTE = 1_000_000;
const MEGABYTE_MS = GRACE_MS + MEGABYTE / 16;

/** A client that has sent the head of a request. */
async function startRequest(head: string, listener = countBytes) {
  const { server, ticker, connect } = await startBoundedServer(listener);
  const client = connect();
  void client.send(head);
  const [request, response] = await nextExchange(server);
  return { client, ticker, request, response };
}

/** Waits until this many bytes of a body have arrived. */
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
  const CHUNKED = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';

  test('that does not arrive in the time for its length is refused with 408', async () => {
    const { client, ticker } = await startRequest(post(MEGABYTE));
    ticker.advance(MEGABYTE_MS + 1_000);
    expect(await client.readAll()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\nConnection: close\r\n/);
  });

  test('that arrives in the time for its length is read', async () => {
    const { client, ticker } = await startRequest(post(MEGABYTE));
    ticker.advance(MEGABYTE_MS);
    client.socket.end(Buffer.alloc(MEGABYTE));
    expect(await client.readAll()).toContain('1000000 bytes');
  });

  test('that has arrived has no time limit, however long its response takes', async () => {
    const { client, ticker, request, response } = await startRequest(`${post(1)}x`, (received) =>
      received.resume(),
    );
    await once(request, 'end');
    ticker.advance(3_600_000);
    const text = client.readAll();
    response.end('late');
    await once(response, 'close');
    client.socket.end();
    expect(await text).toMatch(/ 200 OK\r\n.*late/s);
  });

  test('in chunks gets time only for the bytes that have arrived', async () => {
    const { client, ticker, request } = await startRequest(CHUNKED);
    for (let second = 0; second < 30; second += 1) {
      await arrive(request, client.send('1\r\nx\r\n'), 1);
      ticker.advance(1_000);
    }
    expect(request.destroyed).toBe(false);
    ticker.advance(1_000);
    expect(await client.readAll()).toContain(' 408 ');
  });

  test('that arrives slowly, but at more than 16 kB a second, is read', async () => {
    const { client, ticker, request } = await startRequest(CHUNKED);
    for (let part = 0; part < 50; part += 1) {
      await arrive(request, client.send(`4e20\r\n${'x'.repeat(20_000)}\r\n`), 20_000);
      ticker.advance(1_100);
    }
    await client.send('0\r\n\r\n');
    ticker.advance(1);
    client.socket.end();
    expect(await client.readAll()).toContain('1000000 bytes');
  });

  test('with an impossible length has no more time than the largest body', async () => {
    const { client, ticker } = await startRequest(post(99_999_999_999));
    // The default of MAX_BODY_BYTES.
    ticker.advance(GRACE_MS + 1_048_576 / 16 + 1_000);
    expect(await client.readAll()).toContain(' 408 ');
  });

  test('gets 100 Continue if the client waits for it, and then has the time for its length', async () => {
    const { client, ticker } = await startRequest(
      'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 5\r\n\r\n',
    );
    const text = client.readAll();
    ticker.advance(GRACE_MS + 2_000);
    expect(await text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 408 /);
  });

  test('that stops after its response ends without a second response', async () => {
    const { client, ticker } = await startRequest(post(MEGABYTE), (_, response) =>
      response.writeHead(413).end(),
    );
    await client.readMore();
    ticker.advance(MEGABYTE_MS + 1_000);
    expect(await client.readAll()).not.toContain('408');
  });
});

describe('while requests wait for memory', () => {
  const limits = { isMemoryScarce: () => true };

  test('a body that stops is refused, and a body that continues is read', async () => {
    const { server, ticker, connect } = await startBoundedServer(countBytes, limits);
    const [stopped, steady] = [connect(), connect()];
    const part = Buffer.alloc(MEGABYTE - 1);
    void stopped.send(post(MEGABYTE));
    await arrive((await nextExchange(server))[0], stopped.send(part), part.length);
    void steady.send(post(MEGABYTE));
    const [request] = await nextExchange(server);
    for (let second = 0; second < 10; second += 1) {
      await arrive(request, steady.send(Buffer.alloc(99_999)), 99_999);
      ticker.advance(1_000);
    }
    expect(await stopped.readAll()).toContain(' 408 ');
    steady.socket.end(Buffer.alloc(10));
    expect(await steady.readAll()).toContain('00000 bytes');
  });

  test('connections whose bodies have arrived stay open', async () => {
    const { connect, warnings, ticker } = await startBoundedServer(countBytes, limits);
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
  const createServer = () =>
    createGatewayServer(countBytes, {
      config: parseConfig({}),
      log: createLog('silent'),
      memoryAccount: unlimitedAccount(),
    });

  // The manual clock does not limit the head: Node limits it with its own clock.
  test.each([
    ['is missing', ''],
    ['is incomplete', 'GET / HTTP/1.1\r\nHost: a\r\nX-A: '],
  ])('that %s is refused with 408', async (_, sent) => {
    const server = Object.assign(createServer(), { headersTimeout: 20, connectionsCheckingInterval: 5 });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const client = openClient((server.address() as AddressInfo).port);
    void client.send(sent);
    expect(await client.readAll()).toContain(' 408 ');
  });

  test('and an idle connection have the time limits of docs/operating.md', () => {
    const { headersTimeout, keepAliveTimeout, timeout } = createServer();
    expect({ headersTimeout, keepAliveTimeout, timeout }).toEqual({
      headersTimeout: 30_000,
      keepAliveTimeout: 65_000,
      timeout: 0,
    });
  });

  test.each([
    ['that has no Host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['that has an unknown expectation', get('/', 'Expect: cake\r\n'), 417],
  ])('%s is refused', async (_, sent, status) => {
    const { connect } = await startBoundedServer(countBytes);
    const client = connect();
    void client.send(sent);
    expect(await client.readAll()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });
});
