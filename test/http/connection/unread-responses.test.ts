// Clients that do not read what they asked for, or hardly.

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { sendResponse } from '../../../src/http/response/send-response.ts';
import { GRACE_MS, get, startBoundedServer } from './bounded-server.ts';

/** More than the buffers of both ends hold. */
const LARGE = 32_000_000;
const largeText = 'x'.repeat(LARGE);
const ANSWER_MS = GRACE_MS + LARGE / 16;

const nextAnswer = async (server: Awaited<ReturnType<typeof startBoundedServer>>['server']) => {
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  return response;
};

describe('an answer', () => {
  test('that is not read is cut when its time is over', async () => {
    const { server, ticker, connect } = await startBoundedServer((_, response) => response.end(largeText));
    const client = connect();
    void client.send(get());
    const response = await nextAnswer(server);
    ticker.advance(ANSWER_MS);
    expect(response.destroyed).toBe(false);
    ticker.advance(1_000);
    await once(response, 'close');
    await client.readAll();
    expect(client.socket.bytesRead).toBeLessThan(LARGE);
  });

  test('that is long goes to the socket in parts, and still has the time of all of it', async () => {
    const answer = { status: 200, headers: [], body: largeText, bytes: LARGE };
    const { server, ticker, connect } = await startBoundedServer(
      (_, response) => void sendResponse(response, answer),
    );
    const client = connect();
    void client.send(get());
    const response = await nextAnswer(server);
    await client.readMore();
    expect(response.writableLength).toBeLessThan(200_000);
    ticker.advance(ANSWER_MS);
    expect(response.destroyed).toBe(false);
    ticker.advance(2_000);
    await once(response, 'close');
    await client.readAll();
    expect(client.socket.bytesRead).toBeLessThan(LARGE);
  });

  test('that is read too slowly is cut, steady as the reader may be', async () => {
    const { ticker, connect } = await startBoundedServer((_, response) => response.end(largeText));
    const client = connect();
    void client.send(get());
    // Four kB a second.
    for (let part = 1; part <= 10; part += 1) {
      await client.readTo(part * 1_000_000);
      ticker.advance(250_000);
    }
    await client.readAll();
    expect(client.socket.bytesRead).toBeLessThan(LARGE);
  });

  test('that is read slowly, but at more than 16 kB a second, is read to its end', async () => {
    const { ticker, connect } = await startBoundedServer((_, response) => response.end(largeText));
    const client = connect();
    void client.send(get('/', 'Connection: close\r\n'));
    for (let part = 1; part <= 32; part += 1) {
      await client.readTo(part * 1_000_000);
      ticker.advance(60_000);
    }
    await client.readAll();
    expect(client.socket.bytesRead).toBeGreaterThan(LARGE);
  });

  test('written bit by bit, as the client takes it, has the time of all of it', async () => {
    const part = Buffer.alloc(64_000);
    const { server, ticker, connect } = await startBoundedServer(async (_, response) => {
      response.on('close', () => response.emit('drain'));
      for (let sent = 0; sent < LARGE && !response.destroyed; sent += part.length) {
        if (!response.write(part)) await once(response, 'drain');
      }
      response.end();
    });
    const steady = connect();
    void steady.send(get());
    const response = await nextAnswer(server);
    for (let part = 1; part <= 24; part += 1) {
      await steady.readTo(part * 1_000_000);
      ticker.advance(60_000);
    }
    expect(response.destroyed).toBe(false);
    // Nothing more is taken.
    ticker.advance(LARGE / 16);
    await once(response, 'close');
  });

  test('in parts with nothing to send may take for ever, and so may the one behind it', async () => {
    const answers: ServerResponse[] = [];
    const { server, ticker, connect } = await startBoundedServer((_, response) => answers.push(response));
    const client = connect();
    void client.send(get());
    const response = await nextAnswer(server);
    for (let part = 0; part < 5; part += 1) {
      response.write('part');
      await client.readMore();
      ticker.advance(3_600_000);
    }
    response.end();
    await once(response, 'close');
    ticker.advance(60_000);
    void client.send(get());
    const second = await nextAnswer(server);
    ticker.advance(3_600_000);
    second.end('late');
    await once(second, 'close');
    expect(second.writableFinished).toBe(true);
    expect(answers).toHaveLength(2);
  });

  test('that was read fast gives the one behind it no time', async () => {
    const asked: ServerResponse[] = [];
    const { server, ticker, connect } = await startBoundedServer((_, response) => {
      asked.push(response);
      response.end(largeText);
    });
    const client = connect();
    void client.send(get() + get());
    await nextAnswer(server);
    // Into the second answer, so that it has begun.
    await client.readTo(LARGE + 1_000);
    expect(asked).toHaveLength(2);
    ticker.advance(ANSWER_MS + 2_000);
    await client.readAll();
    expect(client.socket.bytesRead).toBeLessThan(2 * LARGE);
  });

  test('to a client that has closed its sending half is bounded as well', async () => {
    const { server, ticker, connect } = await startBoundedServer((_, response) => response.end(largeText));
    const client = connect();
    client.socket.end(get());
    const response = await nextAnswer(server);
    ticker.advance(ANSWER_MS + 2_000);
    await once(response, 'close');
    await client.readAll();
    expect(client.socket.bytesRead).toBeLessThan(LARGE);
  });
});

describe('while requests wait for memory', () => {
  test('an answer that is not read ends, and one that is read does not', async () => {
    const answer = { status: 200, headers: [], body: largeText, bytes: LARGE };
    const { ticker, warnings, connect } = await startBoundedServer(
      (_, response) => void sendResponse(response, answer),
      { isMemoryScarce: () => true },
    );
    const [idler, reader] = [connect(), connect()];
    for (const client of [idler, reader]) {
      await client.send(get());
      await client.readMore();
    }
    await reader.readTo(LARGE);
    ticker.advance(1_000);
    ticker.advance(1_000);
    ticker.advance(1_000);
    await idler.readAll();
    expect(idler.socket.bytesRead).toBeLessThan(LARGE);
    expect(reader.socket.closed).toBe(false);
    ticker.advance(60_000);
    expect(warnings).toEqual([
      [{ ended: { unreadAnswer: 1 } }, 'Connections were ended: 1 whose client read a response too slowly.'],
    ]);
    ticker.advance(60_000);
    expect(warnings).toHaveLength(1);
  });
});
