// A separate Redis on a free port of the loopback address, without persistence.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';

const executablePath = process.env['REDIS_SERVER_PATH'] ?? '/usr/bin/redis-server';
const cliPath = executablePath.replace(/server$/, 'cli');

/**
 * Whether to skip a suite that needs Redis: `describe.skipIf(withoutRedis('the cache'))`.
 * Writes one line about it. In CI nothing is skipped: there the start fails.
 */
export function withoutRedis(suite: string): boolean {
  if (existsSync(executablePath) || process.env['CI']) return false;
  process.stderr.write(`skipped: ${suite}: no redis-server at ${executablePath} (set REDIS_SERVER_PATH)\n`);
  return true;
}

export interface RedisServer {
  readonly port: number;
  /** `redis://127.0.0.1:…` */
  readonly url: string;
  /** a client for the test, which retries until it gets a reply */
  readonly client: Redis;
  /** Ends the server at once, as a crash does. */
  kill(): Promise<void>;
  /** Starts the server again on its port, without data. */
  restart(): Promise<void>;
  /** The server stays connected but does nothing until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** number of runs of a command, such as `mget`, since the last `CONFIG RESETSTAT` */
  calls(command: string): Promise<number>;
  /** Ends the server and removes its files. */
  close(): Promise<void>;
}

export async function startRedisServer(...options: readonly string[]): Promise<RedisServer> {
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), 'doi-gateway-redis-'));
  const fixed = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory];
  const start = () => runRedis([...fixed, '--save', '', '--appendonly', 'no', ...options]);
  let running = await start();
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on('error', () => undefined);

  async function end(): Promise<void> {
    if (running.exitCode !== null || running.signalCode !== null) return;
    const exited = once(running, 'exit');
    running.kill('SIGKILL');
    await exited;
  }

  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    client,
    kill: end,
    async restart() {
      await end();
      running = await start();
    },
    freeze: () => void running.kill('SIGSTOP'),
    thaw: () => void running.kill('SIGCONT'),
    async calls(command) {
      const stats = await client.info('commandstats');
      return Number(new RegExp(`^cmdstat_${command}:calls=(\\d+)`, 'm').exec(stats)?.[1] ?? 0);
    },
    async close() {
      client.disconnect();
      await end();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export interface RedisCluster {
  /** `redis+cluster://127.0.0.1:…,127.0.0.1:…` */
  readonly url: string;
  readonly nodes: readonly RedisServer[];
  close(): Promise<void>;
}

/** Three masters, without replicas. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const options = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '500'];
  const start = async () => {
    // Nodes talk to each other over a second port, the first and 10000 by default.
    const busPort = await freePort();
    return startRedisServer(...options, '--cluster-port', String(busPort));
  };
  const nodes = await Promise.all([start(), start(), start()]);
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  await promisify(execFile)(cliPath, ['--cluster', 'create', ...addresses, '--cluster-yes']);
  await Promise.all(nodes.map(({ client }) => untilClusterIsUp(client)));
  return {
    url: `redis+cluster://${addresses.join(',')}`,
    nodes,
    async close() {
      await Promise.all(nodes.map((node) => node.close()));
    },
  };
}

async function untilClusterIsUp(client: Redis): Promise<void> {
  while (!String(await client.cluster('INFO')).includes('cluster_state:ok')) await pause(20);
}

async function runRedis(options: readonly string[]) {
  const running = spawn(executablePath, options, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    running.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      if (output.includes('Ready to accept connections')) resolve();
    });
    running.once('error', reject);
    running.once('exit', () => reject(new Error(`redis-server ended:\n${output}`)));
  });
  output = '';
  running.stdout.removeAllListeners('data').resume();
  return running;
}

/** Checks a condition every few milliseconds. Fails with its words after fifteen seconds. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 15_000;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
    await pause(5);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
