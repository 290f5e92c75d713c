// A client that does not wait for its answer: the work for it ends, and nobody is alarmed.

import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { HttpResponse } from '../../src/http/request/exchange.ts';
import { createRouter } from '../../src/http/request/router.ts';
import { createRestFace } from '../../src/http/rest/rest-face.ts';
import type { Log } from '../../src/log.ts';
import { createMetrics } from '../../src/metrics.ts';
import { createTurns } from '../../src/turns.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { createTestGateway, startGateway } from '../support/gateway.ts';
import { ANY_CLIENT, responseOf } from '../support/http-request.ts';
import { UNLIMITED_RESERVATION } from '../support/unlimited-memory.ts';
import { post } from './exchange.ts';

test.each(['/api/handles/10.5555/slow', '/10.5555/slow', '/doiRA/10.5555/slow'])(
  'on the REST face, too: %s',
  async (target) => {
    const logged: unknown[] = [];
    const log: Log = { debug() {}, info() {}, warn() {}, error: (entry: unknown) => void logged.push(entry) };
    const gone = new AbortController();
    const directory = createFakeDirectory();
    const wait = (signal: AbortSignal | undefined) =>
      new Promise<never>((_resolve, reject) => {
        if (signal?.aborted) reject(signal.reason);
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    const face = createRestFace({
      directory: {
        ...directory,
        resolve: async (_name, { signal } = {}) => wait(signal),
        whichRa: (names, { signal } = {}) => names.map(async () => wait(signal)),
      },
      log,
      random: () => 0,
      clock: () => 0,
      turns: createTurns(),
      maxLookups: 10,
      publicUrl: '',
      countryHeader: null,
      localServices: [],
    });
    const answer = responseOf(face, target, { signal: gone.signal });
    gone.abort();
    expect((await answer).status).toBe(500);
    expect(logged).toEqual([]);
  },
);

test('a client that goes away ends the look-ups made for it, and is no error of the gateway', async () => {
  const logged: unknown[] = [];
  const log: Log = { debug() {}, info() {}, warn() {}, error: (entry: unknown) => void logged.push(entry) };
  let tellAsked = (): void => {};
  const asked = new Promise<void>((resolve) => {
    tellAsked = resolve;
  });
  let tellAborted = (_reason: unknown): void => {};
  const aborted = new Promise<unknown>((resolve) => {
    tellAborted = resolve;
  });
  const directory = createFakeDirectory({
    records: {
      '10.5555/slow': (_name, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            tellAborted(signal.reason);
            reject(signal.reason);
          });
          tellAsked();
        }),
    },
  });
  const gateway = await startGateway({ directory, log });

  const client = request(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  client.on('error', () => undefined);
  client.end('{"query":"{ doi(input: \\"10.5555/slow\\") { exists } }"}');
  await asked;
  client.destroy();

  expect(await aborted).toBeInstanceOf(Error);
  expect((await post(gateway, '{"query":"{ __typename }"}')).status).toBe(200);
  expect(logged).toEqual([]);
  await gateway.close();
});

test('a client that goes away before its answer in parts has begun is no error of the gateway', async () => {
  const logged: unknown[] = [];
  const log: Log = { debug() {}, info() {}, warn() {}, error: (entry: unknown) => void logged.push(entry) };
  const { app } = await createTestGateway({ directory: createFakeDirectory(), log });
  const client = new AbortController();
  const query = encodeURIComponent('{ doi(input: "10.5555/1") { name ... @defer { exists } } }');
  const answer = app.fetch(
    new Request(`http://gateway.test/graphql?query=${query}`, {
      headers: { accept: 'multipart/mixed' },
      signal: client.signal,
    }),
  );
  client.abort();
  await answer;
  expect(logged).toEqual([]);
});

test('answers in parts are begun one a turn, and not for clients that are gone by then', async () => {
  const client = new AbortController();
  const directory = createFakeDirectory({
    records: {
      '10.5555/0': () => {
        client.abort();
        return Promise.reject(client.signal.reason);
      },
    },
  });
  const { app } = await createTestGateway({ directory });
  const ask = (name: string, signal?: AbortSignal) => {
    const query = encodeURIComponent(`{ doi(input: "${name}") { exists ... @defer { name } } }`);
    const init = { headers: { accept: 'multipart/mixed' }, ...(signal && { signal }) };
    return app.fetch(new Request(`http://gateway.test/graphql?query=${query}`, init));
  };
  const left = Array.from({ length: 20 }, (_, index) => ask(`10.5555/${index}`, client.signal));
  const waits = ask('10.5555/waits');
  await Promise.all(left);
  expect(await (await waits).text()).toContain('"exists":false');
  expect(directory.calls.resolve.map(({ name }) => name)).toEqual(['10.5555/0', '10.5555/waits']);
});

test('a response in parts that is ready when its client is gone releases what it has opened', async () => {
  const client = new AbortController();
  const released = new Promise<void>((resolve) => {
    async function* parts(): AsyncGenerator<Uint8Array> {
      try {
        yield Buffer.from('first');
      } finally {
        resolve();
      }
    }
    const { listener } = createRouter({
      routes: [
        {
          path: /^/,
          pattern: '/',
          face: 'other',
          methods: 'GET',
          isForClient: false,
          handler: ({ signal }) =>
            new Promise<HttpResponse>((answer) => {
              signal.addEventListener('abort', () => answer({ status: 200, headers: {}, body: parts() }));
              client.abort();
            }),
        },
      ],
      clients: ANY_CLIENT,
      memoryAccount: { open: () => UNLIMITED_RESERVATION },
      observe: null,
      metrics: createMetrics(),
      reportUnexpected: () => undefined,
    });
    const server = createServer(listener).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      void fetch(`http://127.0.0.1:${port}/`, { signal: client.signal }).catch(() => undefined);
    });
    onTestFinished(() => void server.close());
  });
  await released;
});
