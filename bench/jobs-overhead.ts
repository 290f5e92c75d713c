// What the queue costs: processor time a name of a job, gateway and worker together, beside `doi bulk` over the same
// number of names, in turn. Both read a file and write one, over the same cache, directory and number of connections,
// and both have had so many names before that their code is compiled: what a start costs is no part of it. Run with
//   npm run jobs-overhead           30,000 names four times each; NAMES=100000 PAIRS=6 npm run jobs-overhead

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startRedisServer } from '../test/support/redis-server.ts';
import { builtGateway, endServers, type ServerProcess, startServer } from './node-process.ts';
import { readUsage } from './process-usage.ts';
import { endAll, startDirectory } from './stage.ts';
import { median, printTable } from './table.ts';

const NAMES = Number(process.env['NAMES'] ?? 30_000);
const PAIRS = Number(process.env['PAIRS'] ?? 4);
/** As the directory has it: so many connections, each of which waits so long. */
const CONNECTIONS = 40;
const LATENCY_MS = 20;
const PER_SECOND = (CONNECTIONS * 1_000) / LATENCY_MS;
/** Names after which a process is as quick as it becomes. */
const WARM_NAMES = Number(process.env['WARM_NAMES'] ?? 10_000);

const folder = mkdtempSync(join(tmpdir(), 'doi-gateway-overhead-'));
const cache = await startRedisServer();
const queue = await startRedisServer();
const directory = await startDirectory({ latencyMs: LATENCY_MS });
const file = builtGateway();
const env = {
  DOI_DIRECTORY_URL: directory.url,
  REDIS_URL: cache.url,
  JOBS_REDIS_URL: queue.url,
  JOBS_DIR: join(folder, 'jobs'),
  DIRECTORY_CONNECTIONS: String(CONNECTIONS),
  // The directory is what holds both back, not the budget of jobs.
  JOBS_LOOKUPS_PER_SECOND: String(10 * PER_SECOND),
};
const headers = { 'x-doi-gateway': 'jobs', 'content-type': 'text/csv' };

try {
  const rows: [string, number, number, number][] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const gateway = await startServer({ file, env: { ...env, ROLE: 'gateway' } });
    const worker = await startServer({ file, env: { ...env, ROLE: 'worker' } });
    await job(gateway, `warm-job${pair}`, WARM_NAMES);
    const before = { gateway: cpuOf(gateway), worker: cpuOf(worker) };
    await job(gateway, `job${pair}`, NAMES);
    const ofGateway = (cpuOf(gateway) - before.gateway) / NAMES;
    const ofWorker = (cpuOf(worker) - before.worker) / NAMES;
    await endServers();
    const warm = await bulk(`warm${pair}`, WARM_NAMES);
    const ofBulk = ((await bulk(`bulk${pair}`, WARM_NAMES + NAMES)) - warm) / NAMES;
    rows.push([String(pair + 1), ofGateway * 1_000, ofWorker * 1_000, ofBulk * 1_000]);
  }
  const ratios = rows.map(([, ofGateway, ofWorker, ofBulk]) => (ofGateway + ofWorker) / ofBulk);
  printTable(
    `Processor time a name over ${NAMES} names, ${PER_SECOND} look-ups a second, in µs`,
    ['pair', 'job: gateway', 'worker', 'doi bulk', 'ratio'],
    rows.map((row, at) => [...row, ratios[at] ?? null]),
  );
  console.log(`\nmedian ratio: ${median(ratios).toFixed(3)}`);
} finally {
  await endServers();
  await cache.close();
  await queue.close();
  await endAll();
  rmSync(folder, { recursive: true, force: true });
}

async function job(gateway: ServerProcess, name: string, count: number): Promise<void> {
  const response = await fetch(`${gateway.url}/jobs?column=doi`, {
    method: 'POST',
    headers,
    body: rowsOf(name, count),
  });
  const address = `${gateway.url}${response.headers.get('location')}`;
  // The stream of events ends with the job.
  const events = await fetch(address, { headers: { accept: 'text/event-stream' } });
  if (!(await events.text()).includes('"state":"done"')) throw new Error('the job is not done');
  const { body } = await fetch(`${address}/result`);
  await writeFile(join(folder, 'result.csv'), body as unknown as AsyncIterable<Uint8Array>);
  await fetch(address, { method: 'DELETE', headers });
}

/** The processor time of one run, in milliseconds. */
async function bulk(name: string, count: number): Promise<number> {
  const input = join(folder, 'input.csv');
  writeFileSync(input, rowsOf(name, count));
  const doi = resolve(file, '..', 'tools/cli/doi.js');
  const output = join(folder, `${name}.csv`);
  const { JOBS_REDIS_URL: _, JOBS_DIR: __, JOBS_LOOKUPS_PER_SECOND: ___, ...directoryEnv } = env;
  // `times` of the shell tells what its children have used.
  const { stdout: times } = await promisify(execFile)(
    'bash',
    ['-c', 'node "$@" >/dev/null 2>&1; times', 'bash', doi, 'bulk', input, '--column', 'doi', '-o', output],
    {
      env: { ...directoryEnv, PATH: process.env['PATH'] },
    },
  );
  const [, children = ''] = times.trim().split('\n');
  return children.split(' ').reduce((sum, time) => sum + milliseconds(time), 0);
}

/** Of `0m1.234s`. */
function milliseconds(time: string): number {
  const [, minutes = 0, seconds = 0] = /^(\d+)m([\d.]+)s$/.exec(time) ?? [];
  return (Number(minutes) * 60 + Number(seconds)) * 1_000;
}

function rowsOf(name: string, count: number): string {
  return `doi\n${Array.from({ length: count }, (_, at) => `10.5555/${name}-${at}\n`).join('')}`;
}

function cpuOf({ pid }: ServerProcess): number {
  return readUsage(pid)?.cpuMs ?? 0;
}
