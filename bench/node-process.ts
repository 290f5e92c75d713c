// Servers as processes of their own on loopback, each ended by its own handle.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const START_WITHIN_MS = 20_000;

/** The checkout whose gateway is started: the project itself, or GATEWAY_DIR. */
export const gatewayDir = resolve(process.env['GATEWAY_DIR'] ?? PROJECT);

/** `dist/main.js`, built anew where it is the project's own. */
export function builtGateway(): string {
  if (gatewayDir === resolve(PROJECT)) execFileSync('npm', ['run', '--silent', 'build'], { cwd: gatewayDir });
  const file = join(gatewayDir, 'dist/main.js');
  if (!existsSync(file)) throw new Error(`${file} is not there: run npm run build in ${gatewayDir}`);
  return file;
}

export interface StartOptions {
  readonly file: string;
  readonly nodeOptions?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** is told what it writes to stdout and stderr */
  readonly onOutput?: (text: string) => void;
}

export interface ServerProcess {
  readonly port: number;
  readonly url: string;
  readonly pid: number;
  readonly child: ChildProcess;
  /** the end of what it wrote to stderr */
  lastWords(): string;
  isAlive(): boolean;
  /** Resolves when it has ended. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

const running = new Set<ServerProcess>();

// However the bench ends, its servers end with it.
process.once('exit', () => {
  for (const { child } of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** Starts without waiting for it to listen. */
export async function spawnServer({
  file,
  nodeOptions = [],
  env = {},
  onOutput,
}: StartOptions): Promise<ServerProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, [...nodeOptions, file], {
    cwd: resolve(file, '..', '..'),
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      HOST: '127.0.0.1',
      ...env,
      PORT: String(port),
    },
    stdio: ['ignore', onOutput ? 'pipe' : 'ignore', 'pipe'],
  });
  let words = '';
  if (onOutput)
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onOutput);
  child.stderr?.on('data', (text) => {
    words = `${words}${text}`.slice(-4_000);
  });
  const ended = once(child, 'exit');
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  const server: ServerProcess = {
    port,
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? -1,
    child,
    lastWords: () => words,
    isAlive,
    async end(signal = 'SIGKILL') {
      if (isAlive()) child.kill(signal);
      await ended;
    },
  };
  running.add(server);
  ended.finally(() => running.delete(server)).catch(() => undefined);
  return server;
}

/** Starts, and resolves when it listens. */
export async function startServer(options: StartOptions): Promise<ServerProcess> {
  const server = await spawnServer(options);
  await listening(server, 20);
  return server;
}

/** Resolves as soon as a connection can be made. */
export async function listening(server: ServerProcess, everyMs: number): Promise<void> {
  const start = performance.now();
  while (!(await accepts(server.port))) {
    if (!server.isAlive()) throw new Error(`${server.child.spawnfile} ended: ${server.lastWords()}`);
    if (performance.now() - start > START_WITHIN_MS) throw new Error(`nothing listens on ${server.url}`);
    await new Promise((done) => setTimeout(done, everyMs));
  }
}

export async function endServers(): Promise<void> {
  await Promise.all([...running].map((server) => server.end()));
}

function accepts(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
