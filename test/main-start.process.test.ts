// The start of the process of the gateway: its messages, and the reason if it cannot start.

import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { exchange } from './http/exchange.ts';
import { bearer, createKeysFile, KEY, sha256 } from './http/request/clients/api-key-files.ts';
import { postQuery, start, startUp } from './support/gateway-process.ts';

/** A new folder, removed after the test. */
async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'doi-gateway-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function createOperations(): Promise<{ PERSISTED_OPERATIONS: string }> {
  const file = join(await createFolder(), 'operations.json');
  await writeFile(file, '{"a": "{ __typename }", "b": "{ a: __typename }"}');
  return { PERSISTED_OPERATIONS: file };
}

describe('a gateway with the embedded directory', () => {
  test('logs its address, its directory and how to use the live system, and stops on SIGTERM', async () => {
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
  test('logs the address, and serves the pages there until the gateway ends', async () => {
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

test('a gateway warns of wrong variables, and logs that it executes only persisted operations', async () => {
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

describe('a gateway that cannot start ends with status 1 and writes without a stack', () => {
  async function failureOf(environment: Readonly<Record<string, string>>): Promise<string> {
    const { code, stderr } = await start(environment).ended;
    expect(code).toBe(1);
    expect(stderr).not.toMatch(/^\s+at |node:internal|file:\/\/|\[?errno/m);
    return stderr;
  }

  test('every wrong variable', async () => {
    const stderr = await failureOf({ PORT: 'abc', CONTACT: 'ops', LOG_LEVEL: 'loud' });
    expect(stderr.split('\n')).toEqual([
      'The configuration cannot be used:',
      '  PORT="abc": must be a whole number',
      '  CONTACT="ops": must be a mail address',
      '  LOG_LEVEL="loud": must be trace, debug, info, warn, error, fatal or silent',
      '',
    ]);
  });

  test('the file, line and fault of an invalid record, without control characters', async () => {
    const folder = await createFolder();
    const file = join(folder, '\u001B]0;title\u0007\u009B\u202E');
    await writeFile(file, '{"handle":"10.5555/1","values":[]}\n\n{"handle":"10.5555/2"\n');
    expect(await failureOf({ DOI_DIRECTORY_FILE: file })).toBe(
      `DOI_DIRECTORY_FILE: ${folder}/\\u001B]0;title\\u0007\\u009B\\u202E:3: not JSON\n`,
    );
  });

  test('every persisted operation that is invalid', async () => {
    const folder = await createFolder();
    const file = join(folder, 'operations.json');
    await writeFile(file, '{"a": "{ nothing }", "b": "{ __typename }", "c": "{"}');
    expect(await failureOf({ PERSISTED_OPERATIONS: file })).toBe(
      `PERSISTED_OPERATIONS="${file}" cannot be used:\n` +
        '  "a": Cannot query field "nothing" on type "Query".\n' +
        '  "c": Syntax Error: Expected Name, found <EOF>.\n',
    );
  });

  test('the port that is in use', async () => {
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

  /** Waits until the file is read again, by every worker. */
  const untilAccepted = (url: string, key: string) =>
    vi.waitFor(
      async () =>
        expect(await Promise.all([1, 2, 3, 4].map(() => status(url, key)))).toEqual([200, 200, 200, 200]),
      { timeout: 15_000, interval: 20 },
    );

  test.each(['1', '2'])('reads them again on SIGHUP, with WORKERS=%s', async (workers) => {
    const file = await createFile();
    const gateway = start({ API_KEYS_FILE: file.path, PUBLIC_ACCESS: 'no', WORKERS: workers });
    const { url } = await startUp(gateway);
    expect(await status(url, KEY)).toBe(200);
    await file.write([{ name: 'acme', sha256: sha256('new') }]);
    gateway.stop('SIGHUP');
    await untilAccepted(url, 'new');
    expect(await status(url, KEY)).toBe(401);
    await file.write('[');
    gateway.stop('SIGHUP');
    const messages = new Set<string>();
    while (![...messages].some((line) => line.startsWith('The API keys stay as they were.'))) {
      messages.add((await gateway.messages.next()).value);
    }
    expect(await status(url, 'new')).toBe(200);
  });

  test('does not start with an invalid file, and writes the fault', async () => {
    const file = await createFile();
    await file.write([{ name: 'acme', sha256: KEY }]);
    const { code, stderr } = await start({ API_KEYS_FILE: file.path }).ended;
    expect(code).toBe(1);
    expect(stderr).toBe(
      `API_KEYS_FILE="${file.path}" cannot be used:\n  entry 1 ("acme"): "sha256" must be the SHA-256 of the key: 64 hexadecimal digits\n`,
    );
  });
});
