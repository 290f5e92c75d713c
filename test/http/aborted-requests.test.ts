// If a client aborts its request, the gateway stops the work for the request, and logs no error.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { HttpResponse } from '../../src/http/request/exchange.ts';
import { createRouter } from '../../src/http/request/router.ts';
import type { Log } from '../../src/log.ts';
import { createMetrics } from '../../src/metrics.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { createTestGateway } from '../support/gateway.ts';
import { createHeldDirectory } from '../support/held-directory.ts';
import { ANY_CLIENT } from '../support/http-request.ts';
import { UNLIMITED_RESERVATION } from '../support/unlimited-memory.ts';

function createErrorLog(): { log: Log; errors: unknown[] } {
  const errors: unknown[] = [];
  return {
    errors,
    log: { debug() {}, info() {}, warn() {}, error: (entry: unknown) => void errors.push(entry) },
  };
}

const partsRequest = (name: string, signal: AbortSignal | null = null) => {
  const query = encodeURIComponent(`{ doi(input: "${name}") { exists ... @defer { name } } }`);
  const headers = { accept: 'multipart/mixed' };
  return new Request(`http://gateway.test/graphql?query=${query}`, { headers, signal });
};

test.each(['/api/handles/10.5555/slow', '/10.5555/slow', '/doiRA/10.5555/slow'])(
  'an aborted request to the REST face ends its look-up: %s',
  async (target) => {
    const { log, errors } = createErrorLog();
    const directory = createHeldDirectory();
    const { app, close } = await createTestGateway({ directory, log });
    onTestFinished(close);
    const client = new AbortController();
    const response = app.fetch(new Request(`http://gateway.test${target}`, { signal: client.signal }));
    const { resolve, whichRa } = directory.calls;
    await expect.poll(() => [...resolve, ...whichRa.flat()]).toContain('10.5555/slow');
    client.abort();
    expect((await response).status).toBe(500);
    expect(directory.abandoned).toContain('10.5555/slow');
    expect(errors).toEqual([]);
  },
);

test('a request that is aborted before its response in parts begins is not logged as an error', async () => {
  const { log, errors } = createErrorLog();
  const { app, close } = await createTestGateway({ directory: createFakeDirectory(), log });
  onTestFinished(close);
  const client = new AbortController();
  const response = app.fetch(partsRequest('10.5555/1', client.signal));
  client.abort();
  await response;
  expect(errors).toEqual([]);
});

test('a request for a response in parts looks up nothing if its client aborts before its turn', async () => {
  const client = new AbortController();
  const directory = createFakeDirectory({
    records: {
      '10.5555/0': () => {
        client.abort();
        return Promise.reject(client.signal.reason);
      },
    },
  });
  const { app, close } = await createTestGateway({ directory });
  onTestFinished(close);
  const names = Array.from({ length: 20 }, (_, index) => `10.5555/${index}`);
  const aborted = names.map((name) => app.fetch(partsRequest(name, client.signal)));
  const other = await app.fetch(partsRequest('10.5555/other'));
  await Promise.all(aborted);
  expect(await other.text()).toContain('"exists":false');
  expect(directory.calls.resolve.map(({ name }) => name)).toEqual(['10.5555/0', '10.5555/other']);
});

test('the metrics count an invalid request also if its client aborts', async () => {
  const { app, close } = await createTestGateway({ directory: createFakeDirectory() });
  onTestFinished(close);
  const client = new AbortController();
  const url = 'http://gateway.test/graphql?query={unknown}';
  const init = { headers: { accept: 'multipart/mixed' }, signal: client.signal };
  const response = app.fetch(new Request(url, init));
  client.abort();
  await response;
  const metrics = await (await app.fetch(new Request('http://gateway.test/metrics'))).text();
  expect(metrics).toContain('doi_gateway_graphql_operation_seconds_count{outcome="failed"} 1');
});

test('if the client aborts before a response in parts is ready, the response frees its resources', async () => {
  const client = new AbortController();
  const freed = new Promise<void>((resolve) => {
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
            new Promise<HttpResponse>((respond) => {
              signal.addEventListener('abort', () => respond({ status: 200, headers: {}, body: parts() }));
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
  await freed;
});
