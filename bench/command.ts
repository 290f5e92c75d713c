// The parts that all benches share: their flags, a folder for their files, and the end of all that they started.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type RedisServer, startRedisServer, withoutRedis } from '../test/support/redis-server.ts';
import { endServers } from './node-process.ts';
import { agenciesFile, directoryFile } from './peers/data.mjs';

/** Returns the flags of the command line. A flag has the type of its default: `--name VALUE`, or `--name` if boolean. */
export function readFlags<Flags extends Readonly<Record<string, string | number | boolean>>>(
  defaults: Flags,
): Flags {
  const types = Object.entries(defaults).map(([name, value]) => {
    return [name, { type: typeof value === 'boolean' ? 'boolean' : 'string' }] as const;
  });
  const { values } = parseArgs({ options: Object.fromEntries(types) });
  const given = Object.entries(values).map(([name, value]) => {
    return [name, typeof defaults[name] === 'number' ? numberFrom(name, value) : value];
  });
  return { ...defaults, ...Object.fromEntries(given) };
}

function numberFrom(name: string, value: unknown): number {
  if (!(Number(value) >= 0)) throw new Error(`--${name} ${value}: not a number`);
  return Number(value);
}

const redisServers: RedisServer[] = [];

/** Starts a Redis for a queue of jobs. Returns null if no redis-server is installed. */
export async function startQueue(): Promise<RedisServer | null> {
  if (withoutRedis('jobs')) return null;
  const redis = await startRedisServer();
  redisServers.push(redis);
  return redis;
}

/** Runs a bench, which returns whether all is right. Then ends its servers and removes its folder. */
export async function runBench(run: (folder: string) => Promise<boolean>): Promise<void> {
  const begin = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'doi-bench-'));
  // Also runs when a signal ends the bench.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  try {
    if (!(await run(folder))) process.exitCode = 1;
    console.log(`\n${Math.round((performance.now() - begin) / 1_000)} s.`);
  } finally {
    await endServers();
    for (const redis of redisServers) await redis.close();
  }
}

/** Writes the records of the benches' names. Returns the environment of a gateway that has them in memory. */
export function embeddedEnvironment(folder: string, moreRecords = ''): Record<string, string> {
  const [records, agencies] = [join(folder, 'records.jsonl'), join(folder, 'agencies.json')];
  writeFileSync(records, directoryFile() + moreRecords);
  writeFileSync(agencies, agenciesFile());
  return { DOI_DIRECTORY_FILE: records, DOI_AGENCIES_FILE: agencies };
}
