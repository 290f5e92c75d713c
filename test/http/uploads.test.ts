// Bodies that are taken as they come: memory does not hold them, and they have time for their size.

import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { createGatewayServer } from '../../src/http/connection/gateway-server.ts';
import { NodeRequest } from '../../src/http/request/node-request.ts';
import { createLog } from '../../src/log.ts';
import { ANY_CLIENT } from '../support/http-request.ts';
import { UNLIMITED_RESERVATION, unlimitedAccount } from '../support/unlimited-memory.ts';
import { GRACE_MS, startBounded } from './bounded-server.ts';

const BYTES = 10_000_000;
const limits = {
  isMemoryScarce: () => true,
  uploads: {
    maxBodyBytes: BYTES,
    isUpload: ({ url }: Pick<IncomingMessage, 'url'>) => url === '/upload',
  },
};

/** Takes a body as it comes, and says how much of it there was. */
const take: RequestListener = (request, response) => {
  let bytes = 0;
  request.on('error', () => undefined);
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  request.on('end', () => response.end(`${bytes} bytes`));
};

const head = (path: string, bytes: number) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n`;

test('an upload that stands still goes on while requests wait for memory', async () => {
  const { server, ticker, connect } = await startBounded(take, limits);
  const upload = connect();
  void upload.send(head('/upload', BYTES));
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  await upload.send(Buffer.alloc(BYTES - 1));
  for (let second = 0; second < 10; second += 1) ticker.advance(1_000);
  expect(request.destroyed).toBe(false);
  upload.socket.end(Buffer.alloc(1));
  expect(await upload.readAll()).toContain(`${BYTES} bytes`);

  const collected = connect();
  void collected.send(head('/', BYTES));
  const [other] = (await once(server, 'request')) as [IncomingMessage];
  for (let second = 0; second < 10; second += 1) ticker.advance(1_000);
  expect(await collected.readAll()).toContain(' 408 ');
  expect(other.complete).toBe(false);
});

test('it has a second for each 16 kB, and no more', async () => {
  const { server, ticker, connect } = await startBounded(take, limits);
  const client = connect();
  void client.send(head('/upload', BYTES));
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  ticker.advance(GRACE_MS + BYTES / 16);
  expect(request.destroyed).toBe(false);
  ticker.advance(1_000);
  expect(await client.readAll()).toContain(' 408 ');
});

test('a body that is refused after its first part is read to its end: some clients read the response only then', async () => {
  const { connect } = await startBounded(async (request, response) => {
    const asked = new NodeRequest(request, response, ANY_CLIENT, UNLIMITED_RESERVATION);
    for await (const _ of asked.bodyParts(BYTES)) break;
    response.end('refused');
  }, limits);
  const client = connect();
  await client.send(head('/upload', BYTES));
  await client.send(Buffer.alloc(BYTES));
  client.socket.end();
  expect(await client.readAll()).toContain('refused');
});

test('a gateway with jobs lets a request take as long as the largest upload may', () => {
  const config = parseConfig({
    JOBS_REDIS_URL: 'redis://queue',
    JOBS_DIR: '/jobs',
    MAX_JOB_BYTES: '16000000',
  });
  const server = createGatewayServer(take, {
    config,
    log: createLog('silent'),
    memoryAccount: unlimitedAccount(),
  });
  expect(server.requestTimeout).toBe(1_090_000);
});
