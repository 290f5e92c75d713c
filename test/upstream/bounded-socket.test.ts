// What undici's parser gets of a socket is bounded and counted, with and without TLS.

import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { buildConnector, Client } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TURNS, type Turns } from '../../src/turns.ts';
import { limitSocket } from '../../src/upstream/host-connections.ts';

const pem = readFileSync(new URL('../fixtures/self-signed.pem', import.meta.url));
const ALL = () => Number.POSITIVE_INFINITY;

/** A server that calls `serve` for each request, and a client whose sockets are bounded. */
async function setUp(
  scheme: 'http' | 'https',
  serve: (socket: Socket, request: number) => void,
  remainingBytes: (parsedBytes: number) => number,
  turns: Pick<Turns, 'hasTime' | 'runLater'> = TURNS,
) {
  let requests = 0;
  const accepted: Socket[] = [];
  const onSocket = (socket: Socket): void => {
    accepted.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', () => {
      requests += 1;
      serve(socket, requests);
    });
  };
  const server: Server =
    scheme === 'http' ? createServer(onSocket) : createTlsServer({ key: pem, cert: pem }, onSocket);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const connectSocket = buildConnector({ rejectUnauthorized: false });
  const bounded: ReturnType<typeof limitSocket>[] = [];
  const connect: buildConnector.connector = (options, done) =>
    connectSocket(options, (...[error, socket]) => {
      if (error) return done(error, null);
      bounded.push(limitSocket(socket, remainingBytes, turns));
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
    bounded,
    client,
    async get() {
      const { statusCode, body } = await client.request({ path: '/', method: 'GET' });
      return { statusCode, text: await body.text() };
    },
  };
}

const response = (body: string): string => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const isOpen = (socket: Socket | undefined): boolean => socket?.closed === false;

describe.each(['http', 'https'] as const)('over %s', (scheme) => {
  test('a response comes whole, and no step is longer than 16,384 bytes', async () => {
    const body = 'x'.repeat(300_000);
    const counts: number[] = [];
    const { get } = await setUp(
      scheme,
      (socket) => socket.write(response(body)),
      (parsedBytes) => {
        counts.push(parsedBytes);
        return Number.POSITIVE_INFINITY;
      },
    );
    expect(await get()).toEqual({ statusCode: 200, text: body });
    expect(counts[0]).toBe(0);
    const steps = counts.slice(1).map((count, at) => count - (counts[at] ?? 0));
    expect(Math.max(...steps)).toBe(16_384);
  });

  test('the parser gets what is allowed to the byte, and then the connection is closed', async () => {
    const counts: number[] = [];
    const { get, accepted } = await setUp(
      scheme,
      (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'a:\r\n'.repeat(10_000)}`),
      (parsedBytes) => {
        counts.push(parsedBytes);
        return 1_000 - parsedBytes;
      },
    );
    await expect(get()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect(counts.at(-1)).toBe(1_000);
    await expect.poll(() => isOpen(accepted[0])).toBe(false);
  });

  test('bytes of earlier responses of the same connection do not count', async () => {
    const counts: number[] = [];
    const { get, accepted, bounded } = await setUp(
      scheme,
      (socket) => socket.write(response('x'.repeat(600))),
      (parsedBytes) => {
        counts.push(parsedBytes);
        return 1_000 - parsedBytes;
      },
    );
    for (let at = 0; at < 5; at += 1) {
      bounded[0]?.startCount();
      expect(await get()).toMatchObject({ statusCode: 200 });
    }
    expect(accepted).toHaveLength(1);
    expect(counts).toEqual([0, 0, 0, 0, 0]);
  });

  test('a socket for which a turn has no time is read in a later turn, also when the other side has ended', async () => {
    let again = (): void => {};
    let isLate = false;
    const { get } = await setUp(
      scheme,
      (socket) => socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${'x'.repeat(50_000)}`),
      ALL,
      {
        hasTime: () => isLate,
        runLater(read) {
          again = read;
        },
      },
    );
    const got = get();
    const initial = again;
    await expect.poll(() => again).not.toBe(initial);
    isLate = true;
    again();
    expect((await got).text).toHaveLength(50_000);
  });
});

test('bytes that the parser puts back are counted once', async () => {
  const chunked = `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(50)}0\r\n\r\n`;
  const counts: number[] = [];
  const { client } = await setUp(
    'http',
    (socket) => socket.write(chunked),
    (parsedBytes) => {
      counts.push(parsedBytes);
      return Number.POSITIVE_INFINITY;
    },
  );
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
