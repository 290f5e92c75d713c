// Clients that read their responses slowly, or not at all.

import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { sendResponse } from '../../../src/http/response/send-response.ts';
import { GRACE_MS, get, nextExchange, startBoundedServer } from './bounded-server.ts';

/** These bytes are more than the buffers of both ends hold. */
const LARGE = 32_000_000;
const largeText = 'x'.repeat(LARGE);
const LARGE_MS = GRACE_MS + LARGE / 16;

const sendLarge: RequestListener = (_, response) => response.end(largeText);
const sendLargeInParts: RequestListener = (_, response) =>
  void sendResponse(response, { status: 200, headers: [], body: largeText, bytes: LARGE });

describe('a response', () => {
  test.each([
    ['at once', sendLarge, false],
    ['in parts', sendLargeInParts, false],
    ['to a client that has ended its side', sendLarge, true],
  ])(
    'sent %s ends after the time for its size if the client does not read it',
    async (_, listener, isHalfClosed) => {
      const { server, ticker, connect } = await startBoundedServer(listener);
      const client = connect();
      if (isHalfClosed) client.socket.end(get());
      else void client.send(get());
      const [, response] = await nextExchange(server);
      if (listener === sendLargeInParts) {
        await client.readMore();
        expect(response.writableLength).toBeLessThan(200_000);
      }
      ticker.advance(LARGE_MS);
      expect(response.destroyed).toBe(false);
      ticker.advance(2_000);
      await once(response, 'close');
      await client.readAll();
      expect(client.socket.bytesRead).toBeLessThan(LARGE);
    },
  );

  test('that the client reads slowly, but at more than 16 kB a second, is sent whole', async () => {
    const { ticker, connect } = await startBoundedServer(sendLarge);
    const client = connect();
    void client.send(get('/', 'Connection: close\r\n'));
    for (let part = 1; part <= 32; part += 1) {
      await client.readTo(part * 1_000_000);
      ticker.advance(60_000);
    }
    await client.readAll();
    expect(client.socket.bytesRead).toBeGreaterThan(LARGE);
  });

  test('that is written as fast as the client reads has the time for its whole size', async () => {
    const part = Buffer.alloc(64_000);
    const { server, ticker, connect } = await startBoundedServer(async (_, response) => {
      response.on('close', () => response.emit('drain'));
      for (let sent = 0; sent < LARGE && !response.destroyed; sent += part.length) {
        if (!response.write(part)) await once(response, 'drain');
      }
      response.end();
    });
    const client = connect();
    void client.send(get());
    const [, response] = await nextExchange(server);
    for (let part = 1; part <= 24; part += 1) {
      await client.readTo(part * 1_000_000);
      ticker.advance(60_000);
    }
    expect(response.destroyed).toBe(false);
    // Now the client stops reading.
    ticker.advance(LARGE / 16);
    await once(response, 'close');
  });

  test('that waits for the gateway has no time limit, and the next response has no limit either', async () => {
    const { server, ticker, connect } = await startBoundedServer(() => undefined);
    const client = connect();
    void client.send(get());
    const [, first] = await nextExchange(server);
    for (let part = 0; part < 5; part += 1) {
      first.write('part');
      await client.readMore();
      ticker.advance(3_600_000);
    }
    first.end();
    await once(first, 'close');
    ticker.advance(60_000);
    void client.send(get());
    const [, second] = await nextExchange(server);
    ticker.advance(3_600_000);
    second.end('late');
    await once(second, 'close');
    expect(second.writableFinished).toBe(true);
  });

  test('that the client read fast leaves no extra time for the next response', async () => {
    let started = 0;
    const { server, ticker, connect } = await startBoundedServer((_, response) => {
      started += 1;
      response.end(largeText);
    });
    const client = connect();
    void client.send(get() + get());
    await nextExchange(server);
    // The second response has begun.
    await client.readTo(LARGE + 1_000);
    expect(started).toBe(2);
    ticker.advance(LARGE_MS + 2_000);
    await client.readAll();
    expect(client.socket.bytesRead).toBeLessThan(2 * LARGE);
  });
});

test('while requests wait for memory, a response ends if its client does not read, and only then', async () => {
  const { ticker, warnings, connect } = await startBoundedServer(sendLargeInParts, {
    isMemoryScarce: () => true,
  });
  const [idle, reading] = [connect(), connect()];
  for (const client of [idle, reading]) {
    await client.send(get());
    await client.readMore();
  }
  await reading.readTo(LARGE);
  for (let second = 0; second < 3; second += 1) ticker.advance(1_000);
  await idle.readAll();
  expect(idle.socket.bytesRead).toBeLessThan(LARGE);
  expect(reading.socket.closed).toBe(false);
  ticker.advance(60_000);
  expect(warnings).toEqual([
    [{ ended: { unreadAnswer: 1 } }, 'Connections were ended: 1 whose client read a response too slowly.'],
  ]);
  ticker.advance(60_000);
  expect(warnings).toHaveLength(1);
});
