// How answers in parts travel: media types, headers, clients that leave, a gateway that stops, what is counted.

import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { parseConfig } from '../../../src/config.ts';
import { prepareStop } from '../../../src/http/connection/graceful-stop.ts';
import type { Log } from '../../../src/log.ts';
import { exchange, graphqlAnswer, post, valuesOf } from '../../http/exchange.ts';
import { startGateway } from '../../support/gateway.ts';
import { createHeldDirectory } from '../../support/held-directory.ts';
import { askForParts, MULTIPART, SSE } from './parts.ts';

const DEFERRED = '{ doi(input: "10.5555/1") { name ... @defer { exists } } }';
const PLAIN = '{ doi(input: "10.5555/1") { name } }';

async function startHeld() {
  const logged: unknown[] = [];
  const log: Log = { debug() {}, info() {}, warn() {}, error: (entry: unknown) => void logged.push(entry) };
  const directory = createHeldDirectory();
  const gateway = await startGateway({ directory, log });
  onTestFinished(() => gateway.close());
  return { directory, gateway, logged };
}

describe('the media type of an answer in parts', () => {
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
  ])('is, for a client that accepts "%s", %s', async (accept, type) => {
    const { directory, gateway } = await startHeld();
    directory.answer('10.5555/1');
    const answer = await askForParts(gateway, DEFERRED, { accept });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(new RegExp(`^${type}(?:;|$)`));
    expect(await answer.increments()).toEqual([{ path: ['doi'], data: { exists: false } }]);
  });

  test.each([
    'application/json',
    'application/graphql-response+json',
    'multipart/mixed;incrementalSpec=v0.2, application/json',
  ])(
    'cannot be found for a client that accepts "%s": it is told what to send, and nothing is looked up',
    async (accept) => {
      const { directory, gateway } = await startHeld();
      const answer = await post(gateway, JSON.stringify({ query: DEFERRED }), { accept });
      expect(answer.status).toBe(406);
      const [error] = graphqlAnswer(answer).errors ?? [];
      expect(error?.extensions).toEqual({ code: 'BAD_USER_INPUT', retryable: false });
      expect(error?.message).toContain(
        '"Accept: multipart/mixed;deferSpec=20220824" or "Accept: text/event-stream"',
      );
      expect(directory.calls.resolve).toEqual([]);
    },
  );

  test.each([MULTIPART, SSE])(
    'is %s for a plain query of a client that reads nothing else',
    async (accept) => {
      const { gateway } = await startHeld();
      const answer = await askForParts(gateway, PLAIN, { accept });
      expect(await answer.next()).toEqual({ data: { doi: { name: '10.5555/1' } } });
      expect(await answer.next()).toBeNull();
    },
  );

  test('is text/event-stream for a GET as well', async () => {
    const { gateway } = await startHeld();
    const url = `${gateway.url}/graphql?query=${encodeURIComponent(PLAIN)}`;
    const answer = await exchange(url, { headers: { accept: SSE } });
    expect(answer.text).toBe(
      ':\n\nevent: next\ndata: {"data":{"doi":{"name":"10.5555/1"}}}\n\nevent: complete\ndata:\n\n',
    );
  });

  test.each([MULTIPART, SSE])('%s tells of a query that cannot be run', async (accept) => {
    const { gateway } = await startHeld();
    const answer = await askForParts(gateway, '{ nothing @stream }', { accept });
    expect((await answer.next())?.errors?.[0]?.extensions['code']).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});

test.each([MULTIPART, SSE])('%s is kept by nobody, and held back by no proxy', async (accept) => {
  const { directory, gateway } = await startHeld();
  directory.answer('10.5555/1');
  const answer = await post(gateway, JSON.stringify({ query: DEFERRED }), { accept });
  expect(valuesOf(answer, 'cache-control')).toEqual(['no-store']);
  expect(valuesOf(answer, 'x-accel-buffering')).toEqual(['no']);
  expect(valuesOf(answer, 'content-encoding')).toEqual([]);
  expect(valuesOf(answer, 'access-control-allow-origin')).toEqual(['*']);
});

describe.each([MULTIPART, SSE])('a client that leaves in the middle of %s', (accept) => {
  test('ends the look-ups made for it and its timers, and is no error of the gateway', async () => {
    const setTimers = vi.spyOn(globalThis, 'setInterval');
    const clearedTimers = vi.spyOn(globalThis, 'clearInterval');
    onTestFinished(() => void vi.restoreAllMocks());
    const { directory, gateway, logged } = await startHeld();
    const inputs = ['10.5555/1', '10.5555/2', '10.5555/3'];
    const query = 'query ($inputs: [String!]!) { dois(inputs: $inputs) { name ... @defer { exists } } }';
    const answer = await askForParts(gateway, query, { variables: { inputs }, accept });
    await answer.next();
    directory.answer('10.5555/2');
    await answer.next();
    answer.leave();

    // Whoever has the answer already need not be told.
    await expect.poll(() => directory.abandoned).toEqual(expect.arrayContaining(['10.5555/1', '10.5555/3']));
    const pings = setTimers.mock.results.map(({ value }) => value as unknown);
    const cleared = () => clearedTimers.mock.calls.map(([timer]) => timer as unknown);
    await expect.poll(cleared).toEqual(expect.arrayContaining(pings));
    expect(pings.length > 0).toBe(accept === SSE);
    const outcomes = await exchange(`${gateway.url}/metrics`);
    expect(outcomes.text).toContain('doi_gateway_graphql_operation_seconds_count{outcome="partial"} 1');
    expect(logged).toEqual([]);
  });
});

describe('operations in parts are counted once, by outcome', () => {
  test.each([
    ['ok', DEFERRED],
    ['ok', '{ dois(inputs: ["10.5555/1", "10.5555/1"]) @stream { name exists } }'],
    ['partial', '{ dois(inputs: ["10.5555/1", "bad"]) @stream { name } }'],
    ['partial', '{ dois(inputs: ["10.5555/1", "bad"]) { name ... @defer { suffix } } }'],
    ['failed', '{ ... @defer { nothing } }'],
  ])('%s: %s', async (outcome, query) => {
    const { directory, gateway } = await startHeld();
    directory.answer('10.5555/1');
    await post(gateway, JSON.stringify({ query }), { accept: MULTIPART });
    const { text } = await exchange(`${gateway.url}/metrics`);
    expect(text.match(/graphql_operation_seconds_count.*/g)).toEqual([
      `graphql_operation_seconds_count{outcome="${outcome}"} 1`,
    ]);
  });
});

describe('a gateway that stops', () => {
  async function startStopping(timeoutMs: number) {
    const directory = createHeldDirectory();
    const app = await createApp(parseConfig({ LOG_LEVEL: 'silent' }), { directory });
    const server = createServer({ keepAliveTimeout: 60_000 }, app.listener);
    // A connection that no request uses stays: only the end of the response ends it.
    const stop = prepareStop(server, { timeoutMs, lingerMs: 60_000 });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    onTestFinished(() => app.dispose());
    return { directory, url: `http://127.0.0.1:${port}`, stop };
  }

  test('lets an answer in parts finish, and its connection end with it', async () => {
    const { directory, url, stop } = await startStopping(60_000);
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const answer = await askForParts({ url }, DEFERRED, { agent });
    expect(answer.headers.connection).toBe('keep-alive');
    await answer.next();
    const stopped = stop(0);
    directory.answer('10.5555/1');
    expect(await answer.increments()).toEqual([{ path: ['doi'], data: { exists: false } }]);
    await stopped;
  });

  test('cuts off one that takes longer than there is time', async () => {
    const { directory, url, stop } = await startStopping(1);
    const answer = await askForParts({ url }, DEFERRED);
    await answer.next();
    await stop(0);
    await expect(answer.next()).rejects.toThrow();
    await expect.poll(() => directory.abandoned).toEqual(['10.5555/1']);
  });
});
