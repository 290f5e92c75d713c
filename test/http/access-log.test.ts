// ACCESS_LOG: one line a request, and what is in it and what never is.

import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { ConfigError, parseConfig } from '../../src/config.ts';
import { type DirectoryServer, sendJson, startDirectoryServer } from '../support/directory-server.ts';
import { type ListeningGateway, startGateway } from '../support/gateway.ts';
import { keepLog } from '../support/log-lines.ts';
import { rawRequest } from '../support/raw-http.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function startDirectory(): Promise<DirectoryServer> {
  const directory = await startDirectoryServer((request, response) =>
    sendJson(
      response,
      200,
      recordOf(decodeURIComponent((request.url ?? '').replace(/^\/api\/handles\/|\?.*/g, ''))),
    ),
  );
  closing.push(directory.close);
  return directory;
}

const recordOf = (handle: string) => ({
  responseCode: 1,
  handle,
  values: [
    {
      index: 1,
      type: 'URL',
      data: { format: 'string', value: 'https://example.org/' },
      ttl: 86_400,
      timestamp: '2026-01-01T00:00:00Z',
    },
  ],
});

async function start(env: Readonly<Record<string, string>> = {}) {
  const kept = keepLog();
  const gateway: ListeningGateway = await startGateway(
    { log: kept.log },
    { ACCESS_LOG: 'yes', LOG_LEVEL: 'info', ...env },
  );
  closing.push(gateway.close);
  const line = async (at = 0) => (await kept.until('request', at + 1))[at];
  return { ...kept, url: gateway.url, line };
}

const post = (url: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

test('a GraphQL operation has its name, its outcome and what its look-ups were answered by', async () => {
  const directory = await startDirectory();
  const { url, line } = await start({ DOI_DIRECTORY_URL: directory.url.href });
  const query =
    'query Library($a: String!) { doi(input: $a) { exists } b: doi(input: "10.1000/2") { exists } }';
  const body = { query, variables: { a: '10.1000/1' } };
  const response = await post(url, body, { 'x-request-id': 'my-request' });
  await response.text();
  expect(await line()).toEqual({
    level: 30,
    time: expect.any(String),
    requestId: 'my-request',
    method: 'POST',
    route: '/graphql',
    path: '/graphql',
    operation: 'Library',
    outcome: 'ok',
    status: 200,
    ms: expect.any(Number),
    bytes: expect.any(Number),
    fieldLookUps: 2,
    fromMemory: 0,
    fromShared: 0,
    stale: 0,
    fromDirectory: 2,
    directoryRequests: 2,
    msg: 'request',
  });
  await (await post(url, body)).text();
  expect(await line(1)).toMatchObject({
    fieldLookUps: 2,
    fromMemory: 2,
    fromDirectory: 0,
    directoryRequests: 0,
  });
});

test('a redirect has the name it is for and nothing of its query', async () => {
  const directory = await startDirectory();
  const { url, line } = await start({ DOI_DIRECTORY_URL: directory.url.href });
  const { headers } = await rawRequest(url, '/10.1000/1?email=someone@example.org');
  const told = await line();
  expect(told).toMatchObject({
    method: 'GET',
    route: '/{name}',
    path: '/10.1000/1',
    status: 302,
    fieldLookUps: 1,
  });
  expect(told?.['requestId']).toBe(headers['x-request-id']);
  expect(JSON.stringify(told)).not.toContain('someone');
});

test.each([
  ['/api/handles/10.1000/1', '/api/handles/{name}'],
  ['/doiRA/10.1000/1,10.1000/2', '/doiRA/{names}'],
  ['/llms.txt', '/llms.txt'],
  ['/graphiql/no-such-file', '/graphiql/{file}'],
])('the route of %s is %s', async (path, route) => {
  const { url, line } = await start();
  await rawRequest(url, path);
  expect(await line()).toMatchObject({ route, path });
});

test('the bytes are those of the answer on the wire', async () => {
  const { url, line } = await start();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('GET /llms.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  let bytes = 0;
  socket.on('data', (chunk) => {
    bytes += chunk.length;
  });
  await once(socket, 'close');
  expect(await line()).toMatchObject({ bytes });
});

test('a client that hangs up has its line too', async () => {
  const directory = await startDirectoryServer((_, response) => {
    client.destroy();
    onTestFinished(() => void response.destroy());
  });
  closing.push(directory.close);
  const { url, line } = await start({ DOI_DIRECTORY_URL: directory.url.href });
  const client = connect(Number(new URL(url).port), '127.0.0.1');
  client.write('GET /10.1000/1 HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(await line()).toMatchObject({
    aborted: true,
    directoryRequests: 1,
    fieldLookUps: 1,
    fromDirectory: 0,
  });
  expect(await line()).not.toHaveProperty('status');
});

test('an answer in parts has one line, at its end', async () => {
  const { url, of, line } = await start();
  const query = 'query Parts { dois(inputs: ["10.1000/182", "10.1000/1"]) { name ... @defer { exists } } }';
  const response = await post(url, { query }, { accept: 'multipart/mixed' });
  await response.text();
  expect(await line()).toMatchObject({ operation: 'Parts', outcome: 'ok', status: 200, fieldLookUps: 2 });
  expect(of('request')).toHaveLength(1);
});

test('what no operation was found in has no operation name', async () => {
  const { url, line } = await start();
  await (await post(url, { query: 'query Fine { __typename }', operationName: 'An\nother' })).text();
  const told = await line();
  expect(told).toMatchObject({ outcome: 'failed' });
  expect(told).not.toHaveProperty('operation');
});

test('long names of operations and long paths are cut', async () => {
  const { url, line } = await start();
  await (await post(url, { query: `query ${'a'.repeat(1_000)} { __typename }` })).text();
  await rawRequest(url, `/10.1000/${'b'.repeat(8_000)}`);
  expect((await line(0))?.['operation']).toHaveLength(100);
  expect((await line(1))?.['path']).toHaveLength(500);
});

describe('who asks', () => {
  test('is not told of a client without a key', async () => {
    const { url, line } = await start();
    await rawRequest(url, '/llms.txt');
    expect(JSON.stringify(await line())).not.toContain('127.0.0.1');
  });

  test('is its address with ACCESS_LOG=addresses', async () => {
    const { url, line } = await start({ ACCESS_LOG: 'addresses' });
    await rawRequest(url, '/llms.txt');
    expect(await line()).toMatchObject({ client: '127.0.0.1' });
  });
});

describe('probes', () => {
  const PROBES = ['/healthz', '/readyz', '/metrics'];

  test('have no line', async () => {
    const { url, line, lines } = await start();
    for (const path of [...PROBES, '/llms.txt']) await rawRequest(url, path);
    expect(await line()).toMatchObject({ path: '/llms.txt' });
    expect(lines.filter(({ msg }) => msg === 'request')).toHaveLength(1);
  });

  test('have a line each with ACCESS_LOG=probes', async () => {
    const { url, until } = await start({ ACCESS_LOG: 'probes' });
    for (const path of PROBES) await rawRequest(url, path);
    expect((await until('request', PROBES.length)).map(({ path }) => path)).toEqual(PROBES);
  });
});

test('without ACCESS_LOG there is no line', async () => {
  const { url, lines } = await start({ ACCESS_LOG: 'no' });
  await rawRequest(url, '/llms.txt');
  await rawRequest(url, '/llms.txt');
  expect(lines).toEqual([]);
});

test('a level that leaves the lines out is an error of the configuration', () => {
  const parse = (level: string) => () => parseConfig({ ACCESS_LOG: 'yes', LOG_LEVEL: level });
  expect(parse('warn')).toThrow(
    new ConfigError(
      'The configuration cannot be used:\n  LOG_LEVEL="warn": the lines of ACCESS_LOG are of level info',
    ),
  );
  expect(parse('info')).not.toThrow();
});
