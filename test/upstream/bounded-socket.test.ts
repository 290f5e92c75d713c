// Limits of the bytes that undici's parser gets from a socket, with and without TLS.

import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { buildConnector, Client } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TURNS, type Turns } from '../../src/turns.ts';
import { limitSocket } from '../../src/upstream/host-connections.ts';

const pem = readFileSync(new URL('../fixtures/self-signed.pem', import.meta.url));

interface StageOptions {
  readonly scheme: 'http' | 'https';
  readonly serve: (socket: Socket) => void;
  /** default: no limit */
  readonly maxBytes?: number;
  readonly turns?: Pick<Turns, 'hasTime' | 'runLater'>;
}

/** A server that calls `serve` for each request, and a client with a limited socket. `counts`: the parsed bytes. */
async function start({ scheme, serve, maxBytes = Number.POSITIVE_INFINITY, turns = TURNS }: StageOptions) {
  const accepted: Socket[] = [];
  const onSocket = (socket: Socket): void => {
    accepted.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', () => serve(socket));
  };
  const server: Server =
    scheme === 'http' ? createServer(onSocket) : createTlsServer({ key: pem, cert: pem }, onSocket);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const connectSocket = buildConnector({ rejectUnauthorized: false });
  const limited: ReturnType<typeof limitSocket>[] = [];
  const counts: number[] = [];
  const remainingBytes = (parsedBytes: number): number => {
    counts.push(parsedBytes);
    return maxBytes - parsedBytes;
  };
  const connect: buildConnector.connector = (options, done) =>
    connectSocket(options, (...[error, socket]) => {
      if (error) return done(error, null);
      limited.push(limitSocket(socket, remainingBytes, turns));
      return done(null, socket);
    });
  const { port } = server.address() as AddressInfo;
  const client = new Client(`${scheme}://localhost:${port}`, { connect });
  onTestFinished(async () => {
    await client.destroy();
    for (const socket of accepted) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    accepted,
    limited,
    client,
    counts,
    async get() {
      const { statusCode, body } = await client.request({ path: '/', method: 'GET' });
      return { statusCode, text: await body.text() };
    },
  };
}

const response = (body: string): string => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

describe.each(['http', 'https'] as const)('over %s', (scheme) => {
  test('a large response arrives completely, in steps of at most 16,384 bytes', async () => {
    const body = 'x'.repeat(300_000);
    const { get, counts } = await start({ scheme, serve: (socket) => socket.write(response(body)) });
    expect(await get()).toEqual({ statusCode: 200, text: body });
    const steps = counts.slice(1).map((count, at) => count - (counts[at] ?? 0));
    expect(Math.max(...steps)).toBe(16_384);
  });

  test('the parser gets exactly the allowed bytes, and then the connection is closed', async () => {
    const head = `HTTP/1.1 200 OK\r\n${'a:\r\n'.repeat(10_000)}`;
    const { get, accepted, counts } = await start({
      scheme,
      serve: (socket) => socket.write(head),
      maxBytes: 1_000,
    });
    await expect(get()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect(counts.at(-1)).toBe(1_000);
    await expect.poll(() => accepted[0]?.closed).toBe(true);
  });

  test('a turn without time left leaves the socket to a later turn, even after the server ended the connection', async () => {
    let readLater = (): void => {};
    const initial = readLater;
    let hasTime = false;
    const { get } = await start({
      scheme,
      serve: (socket) => socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${'x'.repeat(50_000)}`),
      turns: {
        hasTime: () => hasTime,
        runLater(read) {
          readLater = read;
        },
      },
    });
    const got = get();
    await expect.poll(() => readLater).not.toBe(initial);
    hasTime = true;
    readLater();
    expect((await got).text).toHaveLength(50_000);
  });
});

test('the limit counts bytes once, even if the parser returns them to the socket', async () => {
  const chunked = `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(50)}0\r\n\r\n`;
  const { client, counts } = await start({ scheme: 'http', serve: (socket) => socket.write(chunked) });
  let chunks = 0;
  await new Promise<void>((resolve, reject) => {
    client.dispatch(
      { path: '/', method: 'GET' },
      {
        onRequestStart() {},
        onResponseData(controller) {
          chunks += 1;
          controller.pause();
          setImmediate(() => controller.resume());
        },
        onResponseEnd: () => resolve(),
        onResponseError: (_, error) => reject(error),
      },
    );
  });
  expect(chunks).toBe(50);
  expect(counts.length).toBeGreaterThanOrEqual(50);
  expect(Math.max(...counts)).toBeLessThan(chunked.length);
});
