// The gateway as a separate process, compiled and started as `npm start` does it. For *.process.test.ts only.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { inject, onTestFinished } from 'vitest';

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

export interface GatewayProcess {
  /** the logged messages; ends with the process */
  readonly messages: AsyncIterator<string>;
  /** its output so far, to stdout and stderr */
  written(): string;
  readonly ended: Promise<Ending>;
  stop(signal?: NodeJS.Signals): void;
}

interface StartParts {
  readonly main?: string;
  /** a program that runs Node, and its arguments */
  readonly before?: readonly string[];
  /** `onTestFinished` of the context of the test, for a test that runs beside other tests */
  readonly whenFinished?: (end: () => Promise<void>) => void;
}

/** Starts a gateway that stops without draining, unless the environment says otherwise. It is killed when the test ends. */
export function start(
  environment: Readonly<Record<string, string>> = {},
  { main = inject('compiledGateway'), before = [], whenFinished = onTestFinished }: StartParts = {},
): GatewayProcess {
  const [program = '', ...args] = [...before, process.execPath, main];
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'], PORT: '0', SHUTDOWN_DRAIN_MS: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = endOf(child);
  whenFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (bytes: Buffer) => {
      text += bytes;
    });
  }
  const messages = messagesOf(child);
  return { messages, written: () => text, ended, stop: (signal = 'SIGTERM') => void child.kill(signal) };
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

/** The first message, and the address in it. Throws with the exit if the process ends instead. */
export async function startUp({
  messages,
  ended,
}: GatewayProcess): Promise<{ line: string; url: string; port: number }> {
  const { value, done } = await messages.next();
  if (done) throw new Error(`ended before it listened: ${JSON.stringify(await ended)}`);
  const url = /http:\/\/\S+?:\d+/.exec(value)?.[0] ?? '';
  return { line: value, url, port: Number(new URL(url).port) };
}

export const postQuery = (url: string, query: string): Promise<Response> =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });

/** Resolves once a new connection is refused. Closes the connections that succeed before. */
export async function untilConnectionsAreRefused(port: number): Promise<void> {
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
