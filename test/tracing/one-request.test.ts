// The id of a request is in its response, the access log, the trace and the log of directory failures.

import { afterEach, expect, test } from 'vitest';
import { startDirectoryServer } from '../support/directory-server.ts';
import { startGateway } from '../support/gateway.ts';
import { keepLog } from '../support/log-lines.ts';
import { rawRequest } from '../support/raw-http.ts';
import { startTraceCollector } from '../support/trace-collector.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const NAME = '10.1000/followed';

test.each([
  [
    'a GraphQL request',
    'POST',
    '/graphql',
    JSON.stringify({ query: `query Find { doi(input: "${NAME}") { exists } }` }),
  ],
  ['a page of values', 'GET', `/${NAME}?noredirect`, undefined],
])('%s has its id in each log line and span', async (_, method, target, body) => {
  const collector = await startTraceCollector();
  closing.push(collector.close);
  const directory = await startDirectoryServer((_request, response) => response.writeHead(500).end());
  closing.push(directory.close);
  const { log, lines, until } = keepLog();
  const gateway = await startGateway(
    { log, limits: { retries: 0 } },
    {
      ACCESS_LOG: 'probes',
      LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      DOI_DIRECTORY_URL: directory.url.href,
    },
  );
  // A second request, whose lines have another id.
  await rawRequest(gateway.url, '/healthz');
  const response = await fetch(gateway.url + target, {
    method,
    redirect: 'manual',
    ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
  });
  await response.text();
  const id = response.headers.get('x-request-id');
  expect(id).toMatch(/^[\w.-]{8,64}$/);
  await until('request', 2);
  await gateway.close();

  const mine = lines.filter(({ requestId }) => requestId === id);
  expect(new Set(mine.map(({ msg }) => msg))).toEqual(new Set(['UPSTREAM_UNAVAILABLE', 'request']));
  expect(mine).toHaveLength(2);
  const upstream = mine.find(({ msg }) => msg === 'UPSTREAM_UNAVAILABLE');
  expect(upstream).toMatchObject({ level: 40, path: `/api/handles/${NAME}`, count: 1 });
  const access = mine.find(({ msg }) => msg === 'request');
  expect(access).toMatchObject({ method, fieldLookUps: 1, directoryRequests: 1, fromDirectory: 0 });

  const spans = collector.spans.filter(({ attributes }) => attributes['doi_gateway.request_id'] === id);
  expect(spans.map(({ name }) => name)).toEqual([
    'GET /api/handles/{name}',
    method === 'POST' ? 'POST /graphql' : 'GET /{name}',
  ]);
  expect(spans.map(({ traceId }) => traceId)).toEqual([access?.['traceId'], access?.['traceId']]);
  expect(directory.lastHeaders()['traceparent']).toBe(`00-${spans[0]?.traceId}-${spans[0]?.spanId}-01`);
});
