// The streams, signals, exit code and gateway of `doi` as a process.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { sendJson, startDirectoryServer } from '../../support/directory-server.ts';
import { start, startUp } from '../../support/gateway-process.ts';
import { folderWith } from './run-cli.ts';

const command = () => join(inject('compiledGateway'), '..', 'tools', 'cli', 'doi.js');

function spawnDoi(args: readonly string[], environment: Readonly<Record<string, string>> = {}): ChildProcess {
  const child = spawn(process.execPath, [command(), ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: 'pipe',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function textOf(stream: ChildProcess['stdout']): Promise<string> {
  let text = '';
  for await (const piece of stream ?? []) text += piece;
  return text;
}

async function doi(
  args: readonly string[],
  { stdin = '', environment = {} }: { stdin?: string; environment?: Readonly<Record<string, string>> } = {},
) {
  const child = spawnDoi(args, environment);
  const ended = once(child, 'close');
  child.stdin?.end(stdin);
  const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  const [code] = (await ended) as [number | null];
  return { code, stdout, stderr };
}

describe('the command', () => {
  test('uses the bundled sample, and writes "cannot tell" for names that the sample lacks', async () => {
    const ended = await doi(['check'], { stdin: '10.1000/182 and 10.5555/unknown\n' });
    expect(ended).toEqual({
      code: 3,
      stdout:
        '-:1:1: found: 10.1000/182\n-:1:17: cannot tell: 10.5555/unknown (Not among the records of the bundled sample.)\n',
      stderr: expect.stringContaining('doi check --live'),
    });
  });

  test('uses DOI_DIRECTORY_FILE as a complete directory', async () => {
    const folder = await folderWith({ 'records.jsonl': '{"handle":"10.5555/1","values":[]}\n' });
    const environment = { DOI_DIRECTORY_FILE: join(folder, 'records.jsonl') };
    const { code, stdout } = await doi(['check'], { stdin: '10.5555/1 10.5555/2', environment });
    expect(code).toBe(1);
    expect(stdout).toBe('-:1:1: found: 10.5555/1\n-:1:11: absent: 10.5555/2\n');
  });

  test('uses the gateway of --gateway', async () => {
    const { url } = await startUp(start());
    const { code, stdout } = await doi(['show', '--json', '10.1000/182', '--gateway', url]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ name: '10.1000/182', outcome: 'found' });
  });

  test('sends its API key to a running gateway', async () => {
    const server = await startDirectoryServer();
    onTestFinished(() => server.close());
    const keys: unknown[] = [];
    server.behave((request, response) => {
      keys.push(request.headers.authorization);
      sendJson(response, 200, { data: null, errors: [{ message: 'No.', extensions: { code: 'X' } }] });
    });
    const environment = { DOI_API_KEY: 'secret-key' };
    const { code, stdout, stderr } = await doi(['show', '10.1/1', '--gateway', server.url.href], {
      environment,
    });
    expect({ code, stdout, stderr }).toEqual({ code: 3, stdout: '', stderr: 'doi: No.\n' });
    expect(keys).toEqual(['Bearer secret-key']);
  });

  test.each([
    [['show', '10.1/1', '--live'], {}, 'set CONTACT to your mail address'],
    [['show', '10.1/1', '--live', '--gateway', 'https://x.test'], {}, 'Give only one.'],
    [['show', '10.1/1', '--gateway', 'ftp://x.test'], {}, '--gateway must be an http or https URL'],
    [['show', '10.1/1'], { MAX_LOOKUPS: 'many' }, 'MAX_LOOKUPS="many"'],
    [['show', '10.1/1'], { DOI_DIRECTORY_FILE: '/nowhere' }, 'DOI_DIRECTORY_FILE: /nowhere'],
  ])('names the mistake and its remedy: %j with %j', async (args, environment, message) => {
    const ended = await doi(args, { environment });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(message);
    expect(ended.stderr).not.toContain('    at ');
  });

  test('exits with 70 after a fault outside a command, and its message has no control characters', async () => {
    const script =
      'process.stdout.write = () => setImmediate(() => { throw new Error(String.fromCharCode(27) + "[2J") })';
    const environment = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
    const { code, stderr } = await doi(['--version'], { environment });
    expect(code).toBe(70);
    expect(stderr).toContain('doi: Error: \\u001B[2J');
    expect(stderr).not.toContain('\u001B');
  });

  test('ignores the environment variables that limit the clients of a gateway', async () => {
    const environment = {
      API_KEYS_FILE: '/nowhere',
      PUBLIC_ACCESS: 'no',
      ACCESS_LOG: 'yes',
      PERSISTED_ONLY: 'yes',
    };
    expect(await doi(['show', '10.1000/182'], { environment })).toMatchObject({ code: 0, stderr: '' });
  });

  test('ends when the reader of its output closes the pipe', async () => {
    const child = spawnDoi(['find']);
    const ended = once(child, 'close');
    child.stdin?.on('error', () => undefined).end('10.1000/182\n'.repeat(200_000));
    child.stdout?.once('data', () => child.stdout?.destroy());
    const stderr = await textOf(child.stderr);
    expect(await ended).toEqual([141, null]);
    expect(stderr).toBe('');
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends on %s while it waits for a directory', async (signal, expected) => {
    const server = await startDirectoryServer();
    onTestFinished(() => server.close());
    const child = spawnDoi(['check'], { DOI_DIRECTORY_URL: server.url.href });
    const ended = once(child, 'close');
    // The directory never responds. A second signal would end the process at once.
    const reached = new Promise<void>((resolve) => server.behave(() => resolve()));
    child.stdin?.end('10.1000/182');
    await reached;
    child.kill(signal);
    const stderr = await textOf(child.stderr);
    expect(await ended).toEqual([expected, null]);
    expect(stderr).toBe('doi check: interrupted. 0 references: 0 found, 0 absent, 0 cannot tell\n');
  });
});
