// The process itself, started as `npm start` does it: what it says, and how it ends.

import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { exchange, valuesOf } from './http/exchange.ts';
import { bearer, createKeysFile, KEY, sha256 } from './http/request/clients/api-key-files.ts';
import { type DirectoryServer, sendJson, startDirectoryServer } from './support/directory-server.ts';
import { postQuery, start, startUp, untilConnectionsAreRefused } from './support/gateway-process.ts';
import { startTraceCollector } from './support/trace-collector.ts';

/** A directory that keeps its answers until they are released, and says when it has been asked. */
async function startHoldingDirectory(): Promise<{ server: DirectoryServer; asked: Promise<ServerResponse> }> {
  const server = await startDirectoryServer();
  onTestFinished(() => server.close());
  const asked = new Promise<ServerResponse>((resolve) => {
    server.behave((_request, response) => resolve(response));
  });
  return { server, asked };
}

async function createOperations(): Promise<{ PERSISTED_OPERATIONS: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'doi-gateway-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'operations.json');
  await writeFile(file, '{"a": "{ __typename }", "b": "{ a: __typename }"}');
  return { PERSISTED_OPERATIONS: file };
}

describe('a gateway with the embedded directory', () => {
  test('says where it listens, what answers, and how to switch to the live system; answers; ends with 0 on SIGTERM', async () => {
    const gateway = start();
    const { line, url } = await startUp(gateway);
    expect(line).toMatch(
      /^DOI gateway on http:\/\/localhost:\d+\/graphql\. The embedded directory: \d+ records held in memory, no network\. For the live system set DOI_DIRECTORY_URL=https:\/\/doi\.org\.$/,
    );
    const response = await postQuery(url, '{ doi(input: "doi:10.1000/182") { name exists } }');
    expect(await response.json()).toEqual({ data: { doi: { name: '10.1000/182', exists: true } } });
    gateway.stop();
    expect(await gateway.ended).toEqual({ code: 0, signal: null, stderr: '' });
    expect((await gateway.messages.next()).value).toBe('DOI gateway stopped.');
  });
});

describe('a gateway with an address for operators', () => {
  test('serves its pages there until it ends, and says where; no other process can listen there', async () => {
    const gateway = start({
      OPS_ADDRESS: '127.0.0.1:0',
      SHUTDOWN_DRAIN_MS: '600000',
      ...(await createOperations()),
      PERSISTED_ONLY: 'no',
    });
    const { line, url } = await startUp(gateway);
    expect(line).toContain(' 2 operations from ');
    expect(line).toContain('; others are executed too.');
    const ops = / Metrics for operators on (http:\/\/localhost:\d+)\/metrics\.$/.exec(line)?.[1] ?? '';
    expect((await exchange(`${ops}/metrics`)).text).toContain('doi_gateway_processes 1');
    expect((await exchange(`${ops}/10.1000/182`)).status).toBe(404);
    expect((await exchange(`${url}/healthz`)).status).toBe(200);
    const { code, stderr } = await start({ OPS_ADDRESS: new URL(ops).host.replace('localhost', '127.0.0.1') })
      .ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^Cannot listen: .*EADDRINUSE.* Set HOST and PORT, or OPS_ADDRESS, to another address\.\n$/,
    );
    gateway.stop('SIGTERM');
    await expect.poll(async () => (await exchange(`${ops}/readyz`)).status).toBe(503);
    expect((await exchange(`${ops}/metrics`)).status).toBe(200);
    gateway.stop('SIGINT');
    expect(await gateway.ended).toEqual({ code: 0, signal: null, stderr: '' });
  });
});

test('the start warns of a variable that is typed wrongly, and of one that is most likely not meant; says that only persisted operations are executed', async () => {
  const gateway = start({
    MAX_LOOKUP: '4',
    REDIS_URL: 'redis://127.0.0.1:1',
    ...(await createOperations()),
    PERSISTED_ONLY: 'yes',
  });
  const warnings = [(await gateway.messages.next()).value, (await gateway.messages.next()).value];
  expect(warnings.sort()).toEqual([
    'REDIS_URL has no effect without DOI_DIRECTORY_URL: the embedded directory needs no cache.',
    'The gateway has no variable MAX_LOOKUP, and ignores it. Did you mean MAX_LOOKUPS?',
  ]);
  const { line } = await startUp(gateway);
  expect(line).toMatch(/ 2 operations from \S+; nothing else is executed\.$/);
});

describe('a gateway with a proxy', () => {
  test('names the proxy; on SIGTERM it takes no new connections, finishes the request in flight, and ends its connection', async () => {
    const { server, asked } = await startHoldingDirectory();
    const gateway = start({ DOI_DIRECTORY_URL: server.url.href });
    const { line, url, port } = await startUp(gateway);
    expect(line).toMatch(
      new RegExp(
        `^DOI gateway on http://localhost:\\d+/graphql\\. The DOI proxy at ${server.url.origin}\\.$`,
      ),
    );
    const pending = postQuery(url, '{ doi(input: "10.5555/1") { exists } }');
    const held = await asked;
    gateway.stop();
    await untilConnectionsAreRefused(port);
    sendJson(held, 404, { responseCode: 100, handle: '10.5555/1' });
    const response = await pending;
    expect(response.headers.get('connection')).toBe('close');
    expect(await response.json()).toEqual({ data: { doi: { exists: false } } });
    expect(await gateway.ended).toEqual({ code: 0, signal: null, stderr: '' });
  });

  test('waits no longer than SHUTDOWN_TIMEOUT_MS for a request that never finishes, and ends with 0', async () => {
    const { server, asked } = await startHoldingDirectory();
    const gateway = start({
      DOI_DIRECTORY_URL: server.url.href,
      SHUTDOWN_TIMEOUT_MS: '300',
    });
    const { url, port } = await startUp(gateway);
    const answer = postQuery(url, '{ doi(input: "10.5555/1") { exists } }').then(
      () => 'answered',
      () => 'cut off',
    );
    await asked;
    gateway.stop();
    await untilConnectionsAreRefused(port);
    expect(await answer).toBe('cut off');
    expect(await gateway.ended).toEqual({ code: 0, signal: null, stderr: '' });
  });

  test('does not drain on SIGINT, nor wait for clients that keep a connection: after an answer, or without a request', async () => {
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
    expect(await gateway.ended).toEqual({ code: 0, signal: null, stderr: '' });
  });
});

test('a gateway whose trace collector hangs ends within seconds', async () => {
  const collector = await startTraceCollector(() => undefined);
  onTestFinished(collector.close);
  const gateway = start({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    // Longer than the test may take: neither the stop nor the process waits for the connection.
    OTEL_EXPORTER_OTLP_TIMEOUT: '600000',
  });
  const { url } = await startUp(gateway);
  await (await postQuery(url, '{ __typename }')).text();
  gateway.stop();
  expect(await gateway.ended).toEqual({ code: 0, signal: null, stderr: '' });
  expect(collector.spans).not.toEqual([]);
}, 20_000);

describe('a gateway that drains', () => {
  const readiness = async (url: string) => {
    const answer = await exchange(`${url}/readyz`);
    const { status, stopping } = JSON.parse(answer.text) as { status: string; stopping: boolean };
    return { code: answer.status, status, stopping, connection: valuesOf(answer, 'connection') };
  };

  /** A signal is not handled before it has arrived. */
  const hasFallen = (url: string) =>
    vi.waitUntil(async () => (await readiness(url)).code === 503, { timeout: 15_000, interval: 5 });

  const DRAINING = { SHUTDOWN_DRAIN_MS: '600000' };

  test('after SIGTERM it answers, is no longer ready, and ends every connection with its answer', async () => {
    const { server, asked } = await startHoldingDirectory();
    const gateway = start({ DOI_DIRECTORY_URL: server.url.href, ...DRAINING });
    const { url } = await startUp(gateway);
    const pending = postQuery(url, '{ doi(input: "10.5555/1") { exists } }');
    const held = await asked;
    gateway.stop('SIGTERM');
    expect((await gateway.messages.next()).value).toBe('Draining for 600000 ms, 1 request in flight.');
    await hasFallen(url);
    expect(await readiness(url)).toEqual({
      code: 503,
      status: 'stopping',
      stopping: true,
      connection: ['close'],
    });
    sendJson(held, 404, { responseCode: 100, handle: '10.5555/1' });
    expect((await pending).status).toBe(200);
    const answer = await postQuery(url, '{ doi(input: "10.5555/1") { exists } }');
    expect(answer.headers.get('connection')).toBe('close');
    expect(await answer.json()).toEqual({ data: { doi: { exists: false } } });
    const page = await exchange(`${url}/10.5555/1`);
    expect([page.status, valuesOf(page, 'connection')]).toEqual([404, ['close']]);
    expect((await exchange(`${url}/healthz`)).status).toBe(200);
    gateway.stop('SIGTERM');
    // At once at the second one.
    expect(await gateway.ended).toEqual({ code: null, signal: 'SIGTERM', stderr: '' });
  });

  test('takes no new connections once the drain time is over, and ends with 0', async () => {
    const gateway = start({ SHUTDOWN_DRAIN_MS: '400' });
    const { port } = await startUp(gateway);
    gateway.stop('SIGTERM');
    await untilConnectionsAreRefused(port);
    expect(await gateway.ended).toEqual({ code: 0, signal: null, stderr: '' });
  });

  test.each([
    ['in the draining', '600000'],
    ['after it', '0'],
  ])('cuts nobody of twenty clients that ask again and again: %s', async (_, drainMs) => {
    const gateway = start({ SHUTDOWN_DRAIN_MS: drainMs });
    const { port } = await startUp(gateway);
    const clients = Array.from({ length: 20 }, () => askAgainAndAgain(port));
    await Promise.all(clients.map(({ busy }) => busy));
    gateway.stop('SIGTERM');
    const endings = await Promise.all(clients.map(({ ended }) => ended));
    expect(endings).toEqual(Array(20).fill({ error: null, last: 'close', unanswered: 0 }));
    // A draining ends with SIGINT; without it, a second signal would kill the process.
    if (drainMs !== '0') gateway.stop('SIGINT');
    expect(await gateway.ended).toEqual({ code: 0, signal: null, stderr: '' });
  });
});

/** A connection that is hardly ever idle, until an answer says that it ends. */
function askAgainAndAgain(port: number) {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let error: string | null = null;
  let last: string | undefined;
  let unanswered = 0;
  let text = '';
  const askOnce = () => {
    unanswered += 1;
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  };
  const busy = new Promise<void>((resolve) => {
    socket.on('data', (part: string) => {
      text += part;
      if (!text.endsWith('}\n')) return;
      resolve();
      last = /\r\nConnection: (\S+)/.exec(text)?.[1];
      text = '';
      unanswered -= 1;
      if (last !== 'close') askOnce();
    });
  });
  const ended = new Promise((resolve) => {
    socket.on('error', ({ message }) => {
      error = message;
    });
    socket.once('close', () => resolve({ error, last, unanswered }));
  });
  askOnce();
  return { busy, ended };
}

describe('a gateway that cannot start ends with 1 and says why, without a stack', () => {
  async function failureOf(environment: Readonly<Record<string, string>>): Promise<string> {
    const { code, stderr } = await start(environment).ended;
    expect(code).toBe(1);
    expect(stderr).not.toMatch(/^\s+at |node:internal|file:\/\/|\[?errno/m);
    return stderr;
  }

  test('all that is wrong with the configuration', async () => {
    const stderr = await failureOf({ PORT: 'abc', CONTACT: 'ops', LOG_LEVEL: 'loud' });
    expect(stderr.split('\n')).toEqual([
      'The configuration cannot be used:',
      '  PORT="abc": must be a whole number',
      '  CONTACT="ops": must be a mail address',
      '  LOG_LEVEL="loud": must be trace, debug, info, warn, error, fatal or silent',
      '',
    ]);
  });

  test('the file, the line and the reason where a record cannot be read, without anything that steers a terminal', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'doi-gateway-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, '\u001B]0;title\u0007\u009B\u202E');
    await writeFile(file, '{"handle":"10.5555/1","values":[]}\n\n{"handle":"10.5555/2"\n');
    expect(await failureOf({ DOI_DIRECTORY_FILE: file })).toBe(
      `DOI_DIRECTORY_FILE: ${folder}/\\u001B]0;title\\u0007\\u009B\\u202E:3: not JSON\n`,
    );
  });

  test('every operation of the manifest that cannot be executed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'doi-gateway-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'operations.json');
    await writeFile(file, '{"a": "{ nothing }", "b": "{ __typename }", "c": "{"}');
    expect(await failureOf({ PERSISTED_OPERATIONS: file })).toBe(
      `PERSISTED_OPERATIONS="${file}" cannot be used:\n` +
        '  "a": Cannot query field "nothing" on type "Query".\n' +
        '  "c": Syntax Error: Expected Name, found <EOF>.\n',
    );
  });

  test('that the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    expect(await failureOf({ PORT: port })).toMatch(
      new RegExp(
        `^Cannot listen: .*EADDRINUSE.*127\\.0\\.0\\.1:${port}\\. Set HOST and PORT, or OPS_ADDRESS, to another address\\.\\n$`,
      ),
    );
  });
});

describe('a gateway with API keys', () => {
  const QUERY = '/graphql?query={__typename}';
  const status = async (url: string, key: string) =>
    (await exchange(url + QUERY, { headers: bearer(key) })).status;

  async function createFile() {
    const file = await createKeysFile();
    onTestFinished(() => file.remove());
    return file;
  }

  /** Until the file has been read anew, and then by whichever process answers. */
  const untilLetIn = (url: string, key: string) =>
    vi.waitFor(
      async () =>
        expect(await Promise.all([1, 2, 3, 4].map(() => status(url, key)))).toEqual([200, 200, 200, 200]),
      { timeout: 15_000, interval: 20 },
    );

  test.each(['1', '2'])('reads them anew on SIGHUP, with WORKERS=%s', async (workers) => {
    const file = await createFile();
    const gateway = start({ API_KEYS_FILE: file.path, PUBLIC_ACCESS: 'no', WORKERS: workers });
    const { url } = await startUp(gateway);
    expect(await status(url, KEY)).toBe(200);
    await file.write([{ name: 'acme', sha256: sha256('new') }]);
    gateway.stop('SIGHUP');
    await untilLetIn(url, 'new');
    expect(await status(url, KEY)).toBe(401);
    await file.write('[');
    gateway.stop('SIGHUP');
    const told = new Set<string>();
    while (![...told].some((line) => line.startsWith('The API keys stay as they were.'))) {
      told.add((await gateway.messages.next()).value);
    }
    expect(await status(url, 'new')).toBe(200);
  });

  test('does not start with a file that cannot be used, and says what is wrong with it', async () => {
    const file = await createFile();
    await file.write([{ name: 'acme', sha256: KEY }]);
    const { code, stderr } = await start({ API_KEYS_FILE: file.path }).ended;
    expect(code).toBe(1);
    expect(stderr).toBe(
      `API_KEYS_FILE="${file.path}" cannot be used:\n  entry 1 ("acme"): "sha256" must be the SHA-256 of the key: 64 hexadecimal digits\n`,
    );
  });
});
