// With ACCESS_LOG, the log has one line for each request.

import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ConfigError, parseConfig } from '../../src/config.ts';
import {
  type Behaviour,
  requestedNames,
  sendJson,
  startDirectoryServer,
} from '../support/directory-server.ts';
import { urlValue } from '../support/fake-directory.ts';
import { startGateway } from '../support/gateway.ts';
import { keepLog } from '../support/log-lines.ts';
import { rawRequest } from '../support/raw-http.ts';

const found: Behaviour = (request, response) =>
  sendJson(response, 200, {
    responseCode: 1,
    handle: requestedNames(request).names[0],
    values: [urlValue('https://example.org/')],
  });

async function start(env: Readonly<Record<string, string>> = {}, behaviour = found) {
  const directory = await startDirectoryServer(behaviour);
  const kept = keepLog();
  const gateway = await startGateway(
    { log: kept.log },
    { DOI_DIRECTORY_URL: directory.url.href, ACCESS_LOG: 'yes', LOG_LEVEL: 'info', ...env },
  );
  onTestFinished(async () => {
    await gateway.close();
    await directory.close();
  });
  const line = async (at = 0) => (await kept.until('request', at + 1))[at];
  const openSocket = () => connect(Number(new URL(gateway.url).port), '127.0.0.1');
  const post = async (body: object, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    await response.text();
  };
  return { ...kept, url: gateway.url, line, post, openSocket };
}

test('the line of an operation has its name, its outcome and the sources of its look-ups', async () => {
  const { post, line } = await start();
  const query =
    'query Library($a: String!) { doi(input: $a) { exists } b: doi(input: "10.1000/2") { exists } }';
  const body = { query, variables: { a: '10.1000/1' } };
  await post(body, { 'x-request-id': 'my-request' });
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
  await post(body);
  const fromMemory = { fieldLookUps: 2, fromMemory: 2, fromDirectory: 0, directoryRequests: 0 };
  expect(await line(1)).toMatchObject(fromMemory);
});

test('the line of a redirect has the path with the name, but not the query', async () => {
  const { url, line } = await start();
  const { headers } = await rawRequest(url, '/10.1000/1?email=someone@example.org');
  const logged = await line();
  expect(logged).toMatchObject({
    method: 'GET',
    route: '/{name}',
    path: '/10.1000/1',
    status: 302,
    fieldLookUps: 1,
  });
  expect(logged?.['requestId']).toBe(headers['x-request-id']);
  expect(JSON.stringify(logged)).not.toContain('someone');
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

test('the line counts the bytes of the response on the wire', async () => {
  const { line, openSocket } = await start();
  const socket = openSocket();
  socket.write('GET /llms.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  let bytes = 0;
  socket.on('data', (chunk) => {
    bytes += chunk.length;
  });
  await once(socket, 'close');
  expect(await line()).toMatchObject({ bytes });
});

test('a request that its client aborts has a line without a status', async () => {
  const { line, openSocket } = await start({}, (_, response) => {
    client.destroy();
    onTestFinished(() => void response.destroy());
  });
  const client = openSocket();
  client.write('GET /10.1000/1 HTTP/1.1\r\nHost: a\r\n\r\n');
  const aborted = { aborted: true, directoryRequests: 1, fieldLookUps: 1, fromDirectory: 0 };
  expect(await line()).toMatchObject(aborted);
  expect(await line()).not.toHaveProperty('status');
});

test('a response in parts has one line, at its end', async () => {
  const { of, post, line } = await start();
  const query = 'query Parts { dois(inputs: ["10.1000/182", "10.1000/1"]) { name ... @defer { exists } } }';
  await post({ query }, { accept: 'multipart/mixed' });
  expect(await line()).toMatchObject({ operation: 'Parts', outcome: 'ok', status: 200, fieldLookUps: 2 });
  expect(of('request')).toHaveLength(1);
});

test('a request whose operation is not found has no operation name', async () => {
  const { post, line } = await start();
  await post({ query: 'query Fine { __typename }', operationName: 'An\nother' });
  expect(await line()).toMatchObject({ outcome: 'failed' });
  expect(await line()).not.toHaveProperty('operation');
});

test('the line has only the beginning of a long path or of a long operation name', async () => {
  const { url, post, line } = await start();
  await post({ query: `query ${'a'.repeat(1_000)} { __typename }` });
  await rawRequest(url, `/10.1000/${'b'.repeat(1_000)}`);
  expect((await line(0))?.['operation']).toHaveLength(100);
  expect((await line(1))?.['path']).toHaveLength(500);
});

test('only ACCESS_LOG=addresses logs the address of a client without a key', async () => {
  const plain = await start();
  await rawRequest(plain.url, '/llms.txt');
  expect(JSON.stringify(await plain.line())).not.toContain('127.0.0.1');
  const withAddresses = await start({ ACCESS_LOG: 'addresses' });
  await rawRequest(withAddresses.url, '/llms.txt');
  expect(await withAddresses.line()).toMatchObject({ client: '127.0.0.1' });
});

const PROBES = ['/healthz', '/readyz', '/metrics'];

test.each([
  ['yes', []],
  ['probes', PROBES],
])('with ACCESS_LOG=%s, the log has lines for the probes %j', async (ACCESS_LOG, logged) => {
  const { url, until } = await start({ ACCESS_LOG });
  for (const path of [...PROBES, '/llms.txt']) await rawRequest(url, path);
  const lines = await until('request', logged.length + 1);
  expect(lines.map(({ path }) => path)).toEqual([...logged, '/llms.txt']);
});

test('without ACCESS_LOG, the log has no lines for requests', async () => {
  const { url, lines } = await start({ ACCESS_LOG: 'no' });
  await rawRequest(url, '/llms.txt');
  await rawRequest(url, '/llms.txt');
  expect(lines).toEqual([]);
});

test('ACCESS_LOG with a LOG_LEVEL above info is a configuration error', () => {
  const parse = (level: string) => () => parseConfig({ ACCESS_LOG: 'yes', LOG_LEVEL: level });
  expect(parse('warn')).toThrow(
    new ConfigError(
      'The configuration cannot be used:\n  LOG_LEVEL="warn": the lines of ACCESS_LOG are of level info',
    ),
  );
  expect(parse('info')).not.toThrow();
});
