// How the process of the gateway ends.

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { exchange, headerValues } from './http/exchange.ts';
import { type DirectoryServer, sendJson, startDirectoryServer } from './support/directory-server.ts';
import { postQuery, start, startUp, untilConnectionsAreRefused } from './support/gateway-process.ts';
import { startTraceCollector } from './support/trace-collector.ts';

const STOPPED = { code: 0, signal: null, stderr: '' };
const QUERY = '{ doi(input: "10.5555/1") { exists } }';

/** A directory that holds its first request. `held` is the response to this request. */
async function startHoldingDirectory(): Promise<{ server: DirectoryServer; held: Promise<ServerResponse> }> {
  const server = await startDirectoryServer();
  onTestFinished(() => server.close());
  const held = new Promise<ServerResponse>((resolve) => {
    server.behave((_request, response) => resolve(response));
  });
  return { server, held };
}

describe('a gateway that stops', () => {
  test('takes no new connections on SIGTERM, finishes the running request, and closes its connection', async () => {
    const { server, held } = await startHoldingDirectory();
    const gateway = start({ DOI_DIRECTORY_URL: server.url.href });
    const { line, url, port } = await startUp(gateway);
    expect(line.replace(/\d+/, 'PORT')).toBe(
      `DOI gateway on http://localhost:PORT/graphql. The DOI proxy at ${server.url.origin}.`,
    );
    const pending = postQuery(url, QUERY);
    const upstream = await held;
    gateway.stop();
    await untilConnectionsAreRefused(port);
    sendJson(upstream, 404, { responseCode: 100, handle: '10.5555/1' });
    const response = await pending;
    expect(response.headers.get('connection')).toBe('close');
    expect(await response.json()).toEqual({ data: { doi: { exists: false } } });
    expect(await gateway.ended).toEqual(STOPPED);
  });

  test('waits at most SHUTDOWN_TIMEOUT_MS for a request that does not finish', async () => {
    const { server, held } = await startHoldingDirectory();
    const gateway = start({ DOI_DIRECTORY_URL: server.url.href, SHUTDOWN_TIMEOUT_MS: '300' });
    const { url, port } = await startUp(gateway);
    const result = postQuery(url, QUERY).then(
      () => 'response',
      () => 'connection closed',
    );
    await held;
    gateway.stop();
    await untilConnectionsAreRefused(port);
    expect(await result).toBe('connection closed');
    expect(await gateway.ended).toEqual(STOPPED);
  });

  test('does not drain on SIGINT, and does not wait for idle connections', async () => {
    const gateway = start({ SHUTDOWN_DRAIN_MS: '600000', SHUTDOWN_TIMEOUT_MS: '600000' });
    const { url, port } = await startUp(gateway);
    const ready = await exchange(`${url}/readyz`);
    expect([ready.status, JSON.parse(ready.text)]).toMatchObject([200, { status: 'ready', stopping: false }]);
    const response = await postQuery(url, '{ __typename }');
    expect(response.headers.get('connection')).toBe('keep-alive');
    await response.text();
    const silent = connect(port, '127.0.0.1');
    onTestFinished(() => void silent.destroy());
    await once(silent, 'connect');
    gateway.stop('SIGINT');
    expect(await gateway.ended).toEqual(STOPPED);
  });
});

test('a gateway stops although its trace collector hangs', async () => {
  const collector = await startTraceCollector(() => undefined);
  onTestFinished(collector.close);
  const gateway = start({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    // Longer than the timeout of the test, so neither the stop nor the process waits for the collector.
    OTEL_EXPORTER_OTLP_TIMEOUT: '600000',
  });
  const { url } = await startUp(gateway);
  await (await postQuery(url, '{ __typename }')).text();
  gateway.stop();
  expect(await gateway.ended).toEqual(STOPPED);
  expect(collector.spans).not.toEqual([]);
}, 20_000);

describe('a gateway that drains', () => {
  const readiness = async (url: string) => {
    const response = await exchange(`${url}/readyz`);
    const { status, stopping } = JSON.parse(response.text) as { status: string; stopping: boolean };
    return { code: response.status, status, stopping, connection: headerValues(response, 'connection') };
  };

  /** The signal reaches the gateway later than `stop` returns. */
  const isNotReady = (url: string) =>
    vi.waitUntil(async () => (await readiness(url)).code === 503, { timeout: 15_000, interval: 5 });

  test('sends responses, is not ready, and closes each connection after a response', async () => {
    const { server, held } = await startHoldingDirectory();
    const gateway = start({ DOI_DIRECTORY_URL: server.url.href, SHUTDOWN_DRAIN_MS: '600000' });
    const { url } = await startUp(gateway);
    const pending = postQuery(url, QUERY);
    const upstream = await held;
    gateway.stop('SIGTERM');
    expect((await gateway.messages.next()).value).toBe('Draining for 600000 ms, 1 request in flight.');
    await isNotReady(url);
    const draining = { code: 503, status: 'stopping', stopping: true, connection: ['close'] };
    expect(await readiness(url)).toEqual(draining);
    sendJson(upstream, 404, { responseCode: 100, handle: '10.5555/1' });
    expect((await pending).status).toBe(200);
    const response = await postQuery(url, QUERY);
    expect(response.headers.get('connection')).toBe('close');
    expect(await response.json()).toEqual({ data: { doi: { exists: false } } });
    const page = await exchange(`${url}/10.5555/1`);
    expect([page.status, headerValues(page, 'connection')]).toEqual([404, ['close']]);
    expect((await exchange(`${url}/healthz`)).status).toBe(200);
    // A second signal ends the process at once.
    gateway.stop('SIGTERM');
    expect(await gateway.ended).toEqual({ code: null, signal: 'SIGTERM', stderr: '' });
  });

  test('takes no new connections after the drain time', async () => {
    const gateway = start({ SHUTDOWN_DRAIN_MS: '400' });
    const { port } = await startUp(gateway);
    gateway.stop('SIGTERM');
    await untilConnectionsAreRefused(port);
    expect(await gateway.ended).toEqual(STOPPED);
  });

  test.each(['600000', '0'])(
    'sends each of twenty busy clients a last response, with a drain time of %s ms',
    async (drainMs) => {
      const gateway = start({ SHUTDOWN_DRAIN_MS: drainMs });
      const { port } = await startUp(gateway);
      const clients = Array.from({ length: 20 }, () => connectBusyClient(port));
      await Promise.all(clients.map(({ busy }) => busy));
      gateway.stop('SIGTERM');
      const endings = await Promise.all(clients.map(({ ended }) => ended));
      expect(endings).toEqual(Array(20).fill({ error: null, last: 'close', pending: 0 }));
      // SIGINT ends the drain. Without a drain, a second signal would kill the process.
      if (drainMs !== '0') gateway.stop('SIGINT');
      expect(await gateway.ended).toEqual(STOPPED);
    },
  );
});

/** Sends a request after each response, until a response closes the connection. */
function connectBusyClient(port: number) {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let error: string | null = null;
  let last: string | undefined;
  let pending = 0;
  let text = '';
  const send = () => {
    pending += 1;
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  };
  const busy = new Promise<void>((resolve) => {
    socket.on('data', (part: string) => {
      text += part;
      if (!text.endsWith('}\n')) return;
      resolve();
      last = /\r\nConnection: (\S+)/.exec(text)?.[1];
      text = '';
      pending -= 1;
      if (last !== 'close') send();
    });
  });
  const ended = new Promise((resolve) => {
    socket.on('error', ({ message }) => {
      error = message;
    });
    socket.once('close', () => resolve({ error, last, pending }));
  });
  send();
  return { busy, ended };
}
