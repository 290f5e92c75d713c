// The process that makes the load, and what a server used under it.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ServerProcess } from '../node-process.ts';
import { readMemory, readUsage } from '../process-usage.ts';
import type { LoadOrder, LoadResult } from './load.ts';

export interface Measured {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** of the server, a request */
  readonly cpuUs: number;
  readonly rssMb: number;
  readonly requests: number;
}

export interface Run {
  readonly requests: readonly Buffer[];
  readonly connections: number;
  /** It ends when so much time is over and so many requests are answered. */
  readonly seconds: number;
  readonly atLeast: number;
}

export interface Load {
  run(server: ServerProcess, run: Run): Promise<Measured>;
  end(): void;
}

export function startLoad(): Load {
  const child = fork(fileURLToPath(new URL('./load.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let serial = Date.now() % 1e8;
  return {
    async run(server, { requests, ...run }) {
      const texts = requests.map((bytes) => bytes.toString('base64'));
      const before = readUsage(server.pid);
      const result = await ask(child, { ...run, port: server.port, requests: texts, serial });
      const after = readUsage(server.pid);
      serial += result.requests + run.connections;
      if (!before || !after) throw new Error(`a server ended: ${server.lastWords()}`);
      if (result.failure !== null) {
        const { failures, failure } = result;
        throw new Error(`${server.url}: ${failures} of ${result.requests} requests failed: ${failure}`);
      }
      return {
        requestsPerSecond: result.requests / result.seconds,
        p50Ms: result.p50Ms,
        p99Ms: result.p99Ms,
        cpuUs: ((after.cpuMs - before.cpuMs) * 1_000) / result.requests,
        rssMb: (readMemory(server.pid)?.rssBytes ?? 0) / 1e6,
        requests: result.requests,
      };
    },
    end: () => child.disconnect(),
  };
}

async function ask(child: ChildProcess, order: LoadOrder): Promise<LoadResult> {
  child.send(order);
  const [result] = (await once(child, 'message')) as [LoadResult];
  return result;
}
