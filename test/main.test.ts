// The process itself, started as `npm run dev` does it: what it says, and how it ends.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type DirectoryServer, sendJson, startDirectoryServer } from './support/directory-server.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

interface Gateway {
  /** what is logged, message by message; ends with the process */
  readonly messages: AsyncIterator<string>;
  readonly ended: Promise<Ending>;
  stop(signal?: NodeJS.Signals): void;
}

/** Starts the process; it is killed when the test is over, whatever became of it. */
function start(environment: Readonly<Record<string, string>> = {}): Gateway {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    cwd: root,
    env: { PATH: process.env['PATH'], PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = endOf(child);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const messages = messagesOf(child);
  return { messages, ended, stop: (signal = 'SIGTERM') => void child.kill(signal) };
}

async function endOf(child: ChildProcess): Promise<Ending> {
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, stderr };
}

async function* messagesOf({ stdout }: ChildProcess): AsyncGenerator<string> {
  if (!stdout) return;
  for await (const line of createInterface({ input: stdout }))
    yield (JSON.parse(line) as { msg: string }).msg;
}

/** The first message, and the address in it. Where the process ends instead, says how. */
async function startUp({ messages, ended }: Gateway): Promise<{ line: string; url: string; port: number }> {
  const { value, done } = await messages.next();
  if (done) throw new Error(`ended before it listened: ${JSON.stringify(await ended)}`);
  const url = /http:\/\/\S+?:\d+/.exec(value)?.[0] ?? '';
  return { line: value, url, port: Number(new URL(url).port) };
}

const ask = (url: string, query: string): Promise<Response> =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });

/** A directory that keeps its answers until they are released, and says when it has been asked. */
async function startHoldingDirectory(): Promise<{ server: DirectoryServer; asked: Promise<ServerResponse> }> {
  const server = await startDirectoryServer();
  onTestFinished(() => server.close());
  const asked = new Promise<ServerResponse>((resolve) => {
    server.behave((_request, response) => resolve(response));
  });
  return { server, asked };
}

/** Resolves once a new connection is refused; until then what connects is let go again. */
async function refusesConnections(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const failure = await new Promise<string | undefined>((resolve) => {
      socket.once('connect', () => resolve(undefined));
      socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
    });
    socket.destroy();
    if (failure === 'ECONNREFUSED') return;
  }
}

describe('a gateway with the embedded directory', () => {
  test('says where it listens, what answers, and how to switch to the live system', async () => {
    const { line } = await startUp(start());
    expect(line).toMatch(
      /^DOI gateway on http:\/\/localhost:\d+\/graphql\. The embedded directory: \d+ records held in memory, no network\. For the live system set DOI_DIRECTORY_URL=https:\/\/doi\.org\.$/,
    );
  });

  test('answers a query', async () => {
    const { url } = await startUp(start());
    const response = await ask(url, '{ doi(input: "doi:10.1000/182") { name exists } }');
    expect(await response.json()).toEqual({ data: { doi: { name: '10.1000/182', exists: true } } });
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'ends with 0 on %s when it is idle, and says so',
    async (signal) => {
      const gateway = start();
      await startUp(gateway);
      gateway.stop(signal);
      expect(await gateway.ended).toEqual({ code: 0, signal: null, stderr: '' });
      expect((await gateway.messages.next()).value).toBe('DOI gateway stopped.');
    },
  );
});

describe('a gateway with a proxy', () => {
  test('names the proxy and gives no advice', async () => {
    const { server } = await startHoldingDirectory();
    const { line } = await startUp(start({ DOI_DIRECTORY_URL: server.url.href }));
    expect(line).toMatch(
      new RegExp(
        `^DOI gateway on http://localhost:\\d+/graphql\\. The DOI proxy at ${server.url.origin}\\.$`,
      ),
    );
  });

  test('lets a request in flight finish on SIGTERM, takes no new connections, and ends with 0', async () => {
    const { server, asked } = await startHoldingDirectory();
    const gateway = start({ DOI_DIRECTORY_URL: server.url.href });
    const { url, port } = await startUp(gateway);
    const answer = ask(url, '{ doi(input: "10.5555/1") { exists } }');
    const held = await asked;
    gateway.stop();
    await refusesConnections(port);
    sendJson(held, 404, { responseCode: 100, handle: '10.5555/1' });
    expect(await (await answer).json()).toEqual({ data: { doi: { exists: false } } });
    expect(await gateway.ended).toEqual({ code: 0, signal: null, stderr: '' });
  });

  test('tells a client in its last answer that the connection ends, and so does not wait for the next request', async () => {
    const { server, asked } = await startHoldingDirectory();
    const gateway = start({ DOI_DIRECTORY_URL: server.url.href });
    const { url, port } = await startUp(gateway);
    const answer = ask(url, '{ doi(input: "10.5555/1") { exists } }');
    const held = await asked;
    gateway.stop();
    await refusesConnections(port);
    sendJson(held, 404, { responseCode: 100, handle: '10.5555/1' });
    expect((await answer).headers.get('connection')).toBe('close');
  });

  test('waits no longer than SHUTDOWN_TIMEOUT_MS for a request that never finishes, and ends with 0', async () => {
    const { server, asked } = await startHoldingDirectory();
    const gateway = start({
      DOI_DIRECTORY_URL: server.url.href,
      DIRECTORY_TIMEOUT_MS: '600000',
      SHUTDOWN_TIMEOUT_MS: '300',
    });
    const { url, port } = await startUp(gateway);
    const answer = ask(url, '{ doi(input: "10.5555/1") { exists } }').then(
      () => 'answered',
      () => 'cut off',
    );
    await asked;
    gateway.stop();
    await refusesConnections(port);
    expect(await answer).toBe('cut off');
    expect(await gateway.ended).toEqual({ code: 0, signal: null, stderr: '' });
  });

  test('does not wait on SIGTERM for a client that keeps its connection after an answer', async () => {
    const gateway = start({ SHUTDOWN_TIMEOUT_MS: '600000' });
    const { url } = await startUp(gateway);
    await (await ask(url, '{ __typename }')).text();
    gateway.stop();
    expect((await gateway.ended).code).toBe(0);
  });

  test('does not wait on SIGTERM for a client that has connected and asked nothing', {
    timeout: 10_000,
  }, async () => {
    const gateway = start({ SHUTDOWN_TIMEOUT_MS: '600000' });
    const { port } = await startUp(gateway);
    const silent = connect(port, '127.0.0.1');
    onTestFinished(() => void silent.destroy());
    await once(silent, 'connect');
    gateway.stop();
    expect((await gateway.ended).code).toBe(0);
  });
});

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
      expect.stringContaining('  LOG_LEVEL="loud": '),
      '',
    ]);
  });

  test('the file, the line and the reason where a record cannot be read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'doi-gateway-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'records.jsonl');
    await writeFile(file, '{"handle":"10.5555/1","values":[]}\n\n{"handle":"10.5555/2"\n');
    expect(await failureOf({ DOI_DIRECTORY_FILE: file })).toBe(`${file}:3: not JSON\n`);
  });

  test.each(['DOI_DIRECTORY_FILE', 'DOI_AGENCIES_FILE'])('that %s is not there', async (name) => {
    const file = join(tmpdir(), 'doi-gateway-no-such-file');
    expect(await failureOf({ [name]: file })).toBe(`${file}: cannot be read (ENOENT)\n`);
  });

  test.each(['DOI_DIRECTORY_FILE', 'DOI_AGENCIES_FILE'])('that %s is a folder', async (name) => {
    expect(await failureOf({ [name]: tmpdir() })).toBe(`${tmpdir()}: cannot be read (EISDIR)\n`);
  });

  test('that the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    expect(await failureOf({ PORT: port })).toMatch(
      new RegExp(
        `^Cannot listen: .*EADDRINUSE.*127\\.0\\.0\\.1:${port}\\. Set HOST or PORT to another address\\.\\n$`,
      ),
    );
  });
});
