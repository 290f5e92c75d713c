// Starts and ends the processes of a bench, and reads Linux's counters of a process.

import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../test/support/free-port.ts';
import { poll } from './poll.ts';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));

/** The checkout whose gateway the benches start: GATEWAY_DIR, or this project. */
export const gatewayDir = resolve(process.env['GATEWAY_DIR'] ?? PROJECT);

/** Builds this project; another checkout (GATEWAY_DIR) must be built already. Returns the path of `dist/main.js`. */
export function buildGateway(): string {
  if (gatewayDir === resolve(PROJECT)) execFileSync('npm', ['run', '--silent', 'build'], { cwd: gatewayDir });
  const file = join(gatewayDir, 'dist/main.js');
  if (!existsSync(file)) throw new Error(`${file} does not exist: run npm run build in ${gatewayDir}`);
  return file;
}

const running = new Set<ChildProcess>();

// When a bench ends for any reason, the processes that it started also end.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

function keep(child: ChildProcess): ChildProcess {
  running.add(child);
  return child.once('exit', () => running.delete(child));
}

export async function endServers(): Promise<void> {
  const ended = Array.from(running, (child) => once(child, 'exit'));
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(ended);
}

/** Starts a module of this project as a process that can exchange messages with this one. */
export function startModule(
  file: URL,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const child = fork(fileURLToPath(file), args, {
    execArgv: ['--import', 'tsx'],
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  child.stdout?.resume();
  return keep(child);
}

/** Sends a message and resolves with the next message of the process. */
export async function order<Result>(child: ChildProcess, message: object | string): Promise<Result> {
  const nextMessage = once(child, 'message');
  child.send(message);
  const [result] = (await nextMessage) as [Result];
  return result;
}

/** The directory's requests since the last count. */
export interface DirectoryCounts {
  readonly records: number;
  readonly connections: number;
}

/** @param records a file of JSON Lines with the records of some names */
export async function startDirectory(latencyMs = 0, records = '') {
  const file = new URL('directory-process.ts', import.meta.url);
  const child = startModule(file, [String(latencyMs), records]);
  const [port] = await once(child, 'message');
  return { url: `http://127.0.0.1:${port}`, count: () => order<DirectoryCounts>(child, 'count') };
}

export interface StartOptions {
  readonly file: string;
  readonly nodeOptions?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** receives the text that the server writes to stdout and stderr */
  readonly onOutput?: (text: string) => void;
}

export interface ServerProcess {
  readonly port: number;
  readonly url: string;
  readonly pid: number;
  /** Returns the end of the text on stderr. */
  lastWords(): string;
  isAlive(): boolean;
  end(): Promise<void>;
}

const PATH = process.env['PATH'];
const ENVIRONMENT = { PATH, NODE_ENV: 'production', LOG_LEVEL: 'error', HOST: '127.0.0.1' };

/** Resolves as soon as the server accepts a connection. */
export async function startServer(options: StartOptions, pollMs = 20): Promise<ServerProcess> {
  const { file, nodeOptions = [], env = {}, onOutput } = options;
  const port = await freePort();
  const child = keep(
    spawn(process.execPath, [...nodeOptions, file], {
      cwd: resolve(file, '..', '..'),
      env: { ...ENVIRONMENT, ...env, PORT: String(port) },
      stdio: ['ignore', onOutput ? 'pipe' : 'ignore', 'pipe'],
    }),
  );
  let words = '';
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  child.stderr?.on('data', (text) => {
    words = `${words}${text}`.slice(-4_000);
  });
  if (onOutput)
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onOutput);
  const ended = once(child, 'exit');
  const limits = { withinMs: 60_000, everyMs: pollMs };
  const isListening = await poll(
    () => accepts(port),
    (accepted) => accepted || !isAlive(),
    limits,
  );
  if (!isListening) throw new Error(`${file} does not listen on port ${port}: ${words}`);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? -1,
    lastWords: () => words,
    isAlive,
    async end() {
      if (isAlive()) child.kill('SIGKILL');
      await ended;
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}

/** Reads files of Linux about a process. Returns null if the process has ended. */
function ifAlive<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/**
 * Returns the time that all threads ran on a processor, in user and in system mode, and the time that the main thread
 * could run but waited for a processor. Returns null if the process has ended.
 */
export const readUsage = (pid: number) =>
  ifAlive(() => {
    const threads = readdirSync(`/proc/${pid}/task`).map((thread) => readThread(pid, thread));
    const cpuMs = threads.reduce((sum, [onCpuMs = 0]) => sum + onCpuMs, 0);
    return { cpuMs, queuedMs: readQueuedMs(pid) };
  });

/** Returns how long the main thread has waited for a processor; 0 if the process has ended. */
export const readQueuedMs = (pid: number): number => ifAlive(() => readThread(pid, String(pid))[1]) ?? 0;

/** Returns the milliseconds that a thread ran on a processor, and that it waited for one. */
function readThread(pid: number, thread: string): number[] {
  const text = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8');
  return text.split(' ').map((nanoseconds) => Number(nanoseconds) / 1e6);
}

/**
 * Returns the resident memory, and its peak since the process started or since the last `forgetPeak`. Returns null if the
 * process has ended.
 */
export const readMemory = (pid: number) =>
  ifAlive(() => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const bytes = (field: string): number =>
      Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
    return { rssBytes: bytes('VmRSS'), peakRssBytes: bytes('VmHWM') };
  });

/** Resets `peakRssBytes` of a process, if this kernel can. */
export function forgetPeak(pid: number): void {
  ifAlive(() => writeFileSync(`/proc/${pid}/clear_refs`, '5'));
}
