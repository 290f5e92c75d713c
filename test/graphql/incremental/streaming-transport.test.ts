// Responses in parts over HTTP: media types, headers, clients that leave, a gateway that stops, and counts.

import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { parseConfig } from '../../../src/config.ts';
import { prepareStop } from '../../../src/http/connection/graceful-stop.ts';
import type { Log } from '../../../src/log.ts';
import { exchange, graphqlResult, headerValues, post } from '../../http/exchange.ts';
import { startGateway } from '../../support/gateway.ts';
import { createHeldDirectory } from '../../support/held-directory.ts';
import { MULTIPART, requestParts, SSE } from './parts.ts';

const DEFERRED = '{ doi(input: "10.5555/1") { name ... @defer { exists } } }';
const PLAIN = '{ doi(input: "10.5555/1") { name } }';
const OPERATION_COUNT = /graphql_operation_seconds_count.*/g;

async function startHeld() {
  const logged: unknown[] = [];
  const log: Log = { debug() {}, info() {}, warn() {}, error: (entry: unknown) => void logged.push(entry) };
  const directory = createHeldDirectory();
  const gateway = await startGateway({ directory, log });
  onTestFinished(() => gateway.close());
  return { directory, gateway, logged };
}

describe('the media type of a response in parts', () => {
  test.each([
    [MULTIPART, MULTIPART],
    [SSE, SSE],
    ['*/*', MULTIPART],
    [
      'multipart/mixed;deferSpec=20220824,application/graphql-response+json,application/json;q=0.9',
      MULTIPART,
    ],
    ['multipart/mixed; deferSpec=20220824, application/json', MULTIPART],
    [
      'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
      MULTIPART,
    ],
    ['application/json, text/event-stream', SSE],
  ])('for the Accept header "%s" is %s', async (accept, type) => {
    const { directory, gateway } = await startHeld();
    directory.answer('10.5555/1');
    const response = await requestParts(gateway, DEFERRED, { accept });
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toMatch(new RegExp(`^${type}(?:;|$)`));
    expect(await response.increments()).toEqual([{ path: ['doi'], data: { exists: false } }]);
  });

  test.each([
    'application/json',
    'application/graphql-response+json',
    'multipart/mixed;incrementalSpec=v0.2, application/json',
  ])('does not exist for the Accept header "%s": status 406 with advice, and no look-up', async (accept) => {
    const { directory, gateway } = await startHeld();
    const response = await post(gateway, JSON.stringify({ query: DEFERRED }), { accept });
    expect(response.status).toBe(406);
    const [error] = graphqlResult(response).errors ?? [];
    expect(error?.extensions).toEqual({ code: 'BAD_USER_INPUT', retryable: false });
    expect(error?.message).toContain(
      '"Accept: multipart/mixed;deferSpec=20220824" or "Accept: text/event-stream"',
    );
    expect(directory.calls.resolve).toEqual([]);
  });

  test.each([MULTIPART, SSE])(
    'is %s also for a plain query, if the client accepts only this media type',
    async (accept) => {
      const { gateway } = await startHeld();
      const response = await requestParts(gateway, PLAIN, { accept });
      expect(await response.next()).toEqual({ data: { doi: { name: '10.5555/1' } } });
      expect(await response.next()).toBeNull();
    },
  );

  test('is text/event-stream also for GET', async () => {
    const { gateway } = await startHeld();
    const url = `${gateway.url}/graphql?query=${encodeURIComponent(PLAIN)}`;
    const response = await exchange(url, { headers: { accept: SSE } });
    expect(response.text).toBe(
      ':\n\nevent: next\ndata: {"data":{"doi":{"name":"10.5555/1"}}}\n\nevent: complete\ndata:\n\n',
    );
  });

  test.each([MULTIPART, SSE])('is %s for the error of an invalid query', async (accept) => {
    const { gateway } = await startHeld();
    const response = await requestParts(gateway, '{ nothing @stream }', { accept });
    expect((await response.next())?.errors?.[0]?.extensions['code']).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});

test.each([MULTIPART, SSE])(
  'a response as %s has headers so that no cache keeps it and no proxy delays it',
  async (accept) => {
    const { directory, gateway } = await startHeld();
    directory.answer('10.5555/1');
    const response = await post(gateway, JSON.stringify({ query: DEFERRED }), { accept });
    expect(headerValues(response, 'cache-control')).toEqual(['no-store']);
    expect(headerValues(response, 'x-accel-buffering')).toEqual(['no']);
    expect(headerValues(response, 'content-encoding')).toEqual([]);
    expect(headerValues(response, 'access-control-allow-origin')).toEqual(['*']);
  },
);

test.each([MULTIPART, SSE])(
  'a client that leaves before the end of %s ends its look-ups and timers',
  async (accept) => {
    const setTimers = vi.spyOn(globalThis, 'setInterval');
    const clearedTimers = vi.spyOn(globalThis, 'clearInterval');
    onTestFinished(() => void vi.restoreAllMocks());
    const { directory, gateway, logged } = await startHeld();
    const inputs = ['10.5555/1', '10.5555/2', '10.5555/3'];
    const query = 'query ($inputs: [String!]!) { dois(inputs: $inputs) { name ... @defer { exists } } }';
    const response = await requestParts(gateway, query, { variables: { inputs }, accept });
    await response.next();
    directory.answer('10.5555/2');
    await response.next();
    response.leave();

    await expect.poll(() => directory.abandoned).toEqual(expect.arrayContaining(['10.5555/1', '10.5555/3']));
    const pings = setTimers.mock.results.map(({ value }) => value as unknown);
    const cleared = () => clearedTimers.mock.calls.map(([timer]) => timer as unknown);
    await expect.poll(cleared).toEqual(expect.arrayContaining(pings));
    expect(pings.length > 0).toBe(accept === SSE);
    const { text } = await exchange(`${gateway.url}/metrics`);
    expect(text.match(OPERATION_COUNT)).toEqual(['graphql_operation_seconds_count{outcome="partial"} 1']);
    expect(logged).toEqual([]);
  },
);

test.each([
  ['ok', DEFERRED],
  ['ok', '{ dois(inputs: ["10.5555/1", "10.5555/1"]) @stream { name exists } }'],
  ['partial', '{ dois(inputs: ["10.5555/1", "bad"]) @stream { name } }'],
  ['partial', '{ dois(inputs: ["10.5555/1", "bad"]) { name ... @defer { suffix } } }'],
  ['failed', '{ ... @defer { nothing } }'],
])('an operation in parts counts once, with the outcome %s: %s', async (outcome, query) => {
  const { directory, gateway } = await startHeld();
  directory.answer('10.5555/1');
  await post(gateway, JSON.stringify({ query }), { accept: MULTIPART });
  const { text } = await exchange(`${gateway.url}/metrics`);
  expect(text.match(OPERATION_COUNT)).toEqual([`graphql_operation_seconds_count{outcome="${outcome}"} 1`]);
});

describe('a gateway that stops', () => {
  async function startStopping(timeoutMs: number) {
    const directory = createHeldDirectory();
    const app = await createApp(parseConfig({ LOG_LEVEL: 'silent' }), { directory });
    const server = createServer({ keepAliveTimeout: 60_000 }, app.listener);
    // An idle connection stays open, so that only the end of the response can end it.
    const stop = prepareStop(server, { timeoutMs, lingerMs: 60_000 });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    onTestFinished(() => app.dispose());
    return { directory, url: `http://127.0.0.1:${port}`, stop };
  }

  test('waits for the end of a response in parts, and then ends its connection', async () => {
    const { directory, url, stop } = await startStopping(60_000);
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const response = await requestParts({ url }, DEFERRED, { agent });
    expect(response.headers.connection).toBe('keep-alive');
    await response.next();
    const stopped = stop(0);
    directory.answer('10.5555/1');
    expect(await response.increments()).toEqual([{ path: ['doi'], data: { exists: false } }]);
    await stopped;
  });

  test('ends a response in parts at the timeout', async () => {
    const { directory, url, stop } = await startStopping(1);
    const response = await requestParts({ url }, DEFERRED);
    await response.next();
    await stop(0);
    await expect(response.next()).rejects.toThrow();
    await expect.poll(() => directory.abandoned).toEqual(['10.5555/1']);
  });
});
