// Uploads: bodies that the gateway reads as they arrive, without keeping them in memory.

import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { parseConfig } from '../../../src/config.ts';
import { createGatewayServer } from '../../../src/http/connection/gateway-server.ts';
import { NodeRequest } from '../../../src/http/request/node-request.ts';
import { createLog } from '../../../src/log.ts';
import { ANY_CLIENT } from '../../support/http-request.ts';
import { UNLIMITED_RESERVATION, unlimitedAccount } from '../../support/unlimited-memory.ts';
import { countBytes, GRACE_MS, nextExchange, post, startBoundedServer } from './bounded-server.ts';

const BYTES = 10_000_000;
const limits = {
  isMemoryScarce: () => true,
  uploads: {
    maxBodyBytes: BYTES,
    isUpload: ({ url }: Pick<IncomingMessage, 'url'>) => url === '/upload',
  },
};

test('while requests wait for memory, an upload may pause, but another body that pauses is refused', async () => {
  const { server, ticker, connect } = await startBoundedServer(countBytes, limits);
  const [upload, other] = [connect(), connect()];
  void upload.send(post(BYTES, '/upload'));
  const [request] = await nextExchange(server);
  await upload.send(Buffer.alloc(BYTES - 1));
  void other.send(post(BYTES));
  await nextExchange(server);
  for (let second = 0; second < 10; second += 1) ticker.advance(1_000);
  expect(await other.readAll()).toContain(' 408 ');
  expect(request.destroyed).toBe(false);
  upload.socket.end(Buffer.alloc(1));
  expect(await upload.readAll()).toContain(`${BYTES} bytes`);
});

test('an upload has the grace time and a second for each 16 kB', async () => {
  for (const [lateMs, outcome] of [
    [0, `${BYTES} bytes`],
    [1_000, ' 408 '],
  ] as const) {
    const { server, ticker, connect } = await startBoundedServer(countBytes, limits);
    const client = connect();
    void client.send(post(BYTES, '/upload'));
    await nextExchange(server);
    ticker.advance(GRACE_MS + BYTES / 16 + lateMs);
    client.socket.end(Buffer.alloc(BYTES));
    expect(await client.readAll()).toContain(outcome);
  }
});

// Some clients read the response only after they have sent the body.
test('the gateway reads an upload to its end, even if it refuses the upload after the first part', async () => {
  const { connect } = await startBoundedServer(async (request, response) => {
    const parts = new NodeRequest(request, response, ANY_CLIENT, UNLIMITED_RESERVATION).bodyParts(BYTES);
    for await (const _ of parts) break;
    response.end('refused');
  }, limits);
  const client = connect();
  await client.send(post(BYTES, '/upload'));
  await client.send(Buffer.alloc(BYTES));
  client.socket.end();
  expect(await client.readAll()).toContain('refused');
});

test('with jobs, the time limit of Node for a request is long enough for the largest upload', () => {
  const config = parseConfig({
    JOBS_REDIS_URL: 'redis://queue',
    JOBS_DIR: '/jobs',
    MAX_JOB_BYTES: '16000000',
    OPERATION_DEADLINE_MS: '30000',
  });
  const server = createGatewayServer(countBytes, {
    config,
    log: createLog('silent'),
    memoryAccount: unlimitedAccount(),
  });
  // The sum of the times for the head, for the wait for memory, and for the body.
  expect(server.requestTimeout).toBe(GRACE_MS + 30_000 + GRACE_MS + 1_000_000);
});
