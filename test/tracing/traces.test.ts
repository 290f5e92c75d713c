// The traces that a collector on loopback gets.

import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import type { AppParts } from '../../src/app.ts';
import { isPublicProxy } from '../../src/config.ts';
import { sendJson, startDirectoryServer } from '../support/directory-server.ts';
import { startGateway } from '../support/gateway.ts';
import { keepLog } from '../support/log-lines.ts';
import { rawRequest } from '../support/raw-http.ts';
import { type CollectedSpan, startTraceCollector } from '../support/trace-collector.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const SERVER = 2;
const CLIENT = 3;
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

async function start(env: Readonly<Record<string, string>> = {}, limits: AppParts['limits'] = {}) {
  const collector = await startTraceCollector();
  closing.push(collector.close);
  const directory = await startDirectoryServer();
  closing.push(directory.close);
  const { log, until } = keepLog();
  const gateway = await startGateway(
    { log, limits },
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, DOI_DIRECTORY_URL: directory.url.href, ...env },
  );
  let isOpen = true;
  const stop = async () => {
    if (isOpen) await gateway.close();
    isOpen = false;
  };
  closing.push(stop);
  return {
    url: gateway.url,
    directory,
    collector,
    ended: () => until('request', 1),
    /** stops the gateway, and returns the spans of the collector */
    async spans(): Promise<CollectedSpan[]> {
      await stop();
      return collector.spans;
    },
  };
}

const post = (url: string, query: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  }).then((response) => response.text());

/** Each span as `name < name of its parent < …`. */
function lines(spans: readonly CollectedSpan[]): string[] {
  const nameOf = (span: CollectedSpan): string => {
    const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
    return parent ? `${span.name} < ${nameOf(parent)}` : span.name;
  };
  return spans.map(nameOf).toSorted();
}

/** Costs one look-up: a redirect also looks up the prefix. */
const VALUES = '/10.1000/1?noredirect';

const named = (spans: readonly CollectedSpan[], name: string) => spans.filter((span) => span.name === name);

test('a GraphQL request, its operation, its batches and their directory requests are nested spans', async () => {
  const { url, spans, collector } = await start();
  const query = 'query Two { dois(inputs: ["10.1000/1", "10.1000/2"]) { exists whichRa { status } } }';
  await post(url, query, { 'x-request-id': 'this-one' });
  const all = await spans();
  const [record, agency] = ['batch of records', 'batch of agencies'].map(
    (name) => `${name} < query Two < POST /graphql`,
  );
  expect(lines(all)).toEqual([
    `GET /api/handles/{name} < ${record}`,
    `GET /api/handles/{name} < ${record}`,
    `GET /doiRA/{names} < ${agency}`,
    'POST /graphql',
    agency,
    record,
    'query Two < POST /graphql',
  ]);
  expect(new Set(all.map(({ traceId }) => traceId)).size).toBe(1);
  expect(collector.paths.every((path) => path === '/v1/traces')).toBe(true);
  expect(collector.resource).toMatchObject({ 'service.name': 'doi-gateway' });
  expect(named(all, 'POST /graphql')[0]).toMatchObject({
    kind: SERVER,
    failed: false,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/graphql',
      'http.response.status_code': 200,
      'doi_gateway.request_id': 'this-one',
      'doi_gateway.field_look_ups': 4,
      'doi_gateway.directory_requests': 3,
    },
  });
  expect(named(all, 'query Two')[0]?.attributes).toEqual({
    'graphql.operation.type': 'query',
    'graphql.operation.name': 'Two',
    'doi_gateway.outcome': 'ok',
  });
  expect(named(all, 'batch of records')[0]?.attributes).toEqual({ 'doi_gateway.names': 2 });
  expect(named(all, 'GET /doiRA/{names}')[0]).toMatchObject({
    kind: CLIENT,
    attributes: { 'http.response.status_code': 200, 'doi_gateway.request_id': 'this-one' },
  });
});

test('a record in memory makes no batch', async () => {
  const { url, spans } = await start();
  await post(url, '{ doi(input: "10.1000/1") { exists } }');
  await post(url, '{ doi(input: "10.1000/1") { exists } }');
  expect(lines(await spans())).toEqual([
    'GET /api/handles/{name} < batch of records < query < POST /graphql',
    'POST /graphql',
    'POST /graphql',
    'batch of records < query < POST /graphql',
    'query < POST /graphql',
    'query < POST /graphql',
  ]);
});

test('the span of a directory request that two requests share belongs to the first request, without links', async () => {
  const { url, spans, directory } = await start();
  let answer = () => {};
  const reached = new Promise<void>((resolve) =>
    directory.behave((_, response) => {
      answer = () => sendJson(response, 404, { responseCode: 100, handle: '10.1000/1' });
      resolve();
    }),
  );
  const first = rawRequest(url, VALUES, { headers: { 'x-request-id': 'first' } });
  await reached;
  const second = rawRequest(url, VALUES, { headers: { 'x-request-id': 'second' } });
  // The second request waits when this response arrives.
  await rawRequest(url, '/healthz');
  answer();
  await Promise.all([first, second]);
  const all = await spans();
  const sent = named(all, 'GET /api/handles/{name}');
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ links: 0, attributes: { 'doi_gateway.request_id': 'first' } });
  expect(named(all, 'batch of records')).toHaveLength(2);
});

test('the span of a failed directory request has the error code', async () => {
  const { url, spans, directory } = await start({}, { retries: 0 });
  directory.behave((_, response) => response.writeHead(500).end());
  await rawRequest(url, '/10.1000/1');
  const all = await spans();
  expect(named(all, 'GET /api/handles/{name}')[0]).toMatchObject({
    failed: true,
    attributes: { 'error.type': 'UPSTREAM_UNAVAILABLE' },
  });
  expect(named(all, 'batch of records')[0]?.attributes).toMatchObject({ 'doi_gateway.failed': 1 });
});

test('a client that hangs up ends its spans', async () => {
  const { url, spans, directory, collector, ended } = await start({ ACCESS_LOG: 'yes', LOG_LEVEL: 'info' });
  const gone = new AbortController();
  directory.behave((_, response) => {
    onTestFinished(() => void response.destroy());
    gone.abort();
  });
  const query = encodeURIComponent('query Left { doi(input: "10.1000/1") { exists } }');
  await expect(fetch(`${url}/graphql?query=${query}`, { signal: gone.signal })).rejects.toThrow();
  await ended();
  await spans();
  expect(lines(collector.spans)).toEqual([
    'GET /api/handles/{name} < batch of records < query Left < GET /graphql',
    'GET /graphql',
    'batch of records < query Left < GET /graphql',
    'query Left < GET /graphql',
  ]);
  expect(named(collector.spans, 'GET /graphql')[0]?.attributes).toMatchObject({ 'error.type': 'aborted' });
});

describe('traceparent', () => {
  const requestWith = async (headers: Readonly<Record<string, string>>) => {
    const { url, spans, directory } = await start();
    await rawRequest(url, VALUES, { headers });
    const sent = directory.lastHeaders();
    const [request] = named(await spans(), 'GET /{name}');
    return { sent, request, all: await spans() };
  };

  test('a trace that began elsewhere is continued', async () => {
    const { request, all } = await requestWith({ traceparent: `00-${TRACE}-${PARENT}-01` });
    expect(request).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
    expect(all.map(({ traceId }) => traceId)).toEqual(all.map(() => TRACE));
  });

  test('a trace that is not sampled elsewhere is not traced here', async () => {
    expect((await requestWith({ traceparent: `00-${TRACE}-${PARENT}-00` })).all).toEqual([]);
  });

  test.each([
    ['no trace', 'hello'],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['an unknown version', `ff-${TRACE}-${PARENT}-01`],
    ['capitals', `00-${TRACE.toUpperCase()}-${PARENT}-01`],
    ['a longer header', `00-${TRACE}-${PARENT}-01-x`],
    ['two headers', `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`],
  ])('%s starts a new trace', async (_, traceparent) => {
    const { request } = await requestWith({ traceparent });
    expect(request?.parentSpanId).toBeUndefined();
    expect(request?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(request?.traceId).not.toBe(TRACE);
  });

  test('of the directory request is sent to the directory', async () => {
    const { sent, all } = await requestWith({ traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'a=b' });
    const [request] = named(all, 'GET /api/handles/{name}');
    expect(sent['traceparent']).toBe(`00-${TRACE}-${request?.spanId}-01`);
    expect(sent).not.toHaveProperty('tracestate');
  });

  test('is not sent to proxies of the public DOI system', () => {
    const urls = [
      'https://doi.org/',
      'https://dx.doi.org/',
      'https://hdl.handle.net/',
      'https://my-doi.org/',
    ];
    expect(urls.map((url) => isPublicProxy(new URL(url)))).toEqual([true, true, true, false]);
  });
});

test('an API key, a cookie and the query are in no span', async () => {
  const { url, spans } = await start();
  const headers = { authorization: 'Bearer my-secret', cookie: 'a=my-secret' };
  await rawRequest(url, '/10.1000/1?x=my-secret', { headers });
  expect(JSON.stringify(await spans())).not.toContain('my-secret');
});
