// A large job over two gateways and two workers while everything around it dies, and small jobs meanwhile. Run with
//   npm run jobs            100,000 names; NAMES=1000000 npm run jobs
// Prints what came of it, and fails where the result is another one than undisturbed, or a name was asked for again.

import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedisServer } from '../test/support/redis-server.ts';
import { builtGateway, endServers, type ServerProcess, startServer } from './node-process.ts';
import { readUsage } from './process-usage.ts';
import { endAll, startDirectory } from './stage.ts';
import { median, printTable } from './table.ts';

const NAMES = Number(process.env['NAMES'] ?? 100_000);
const PER_SECOND = Number(process.env['PER_SECOND'] ?? 2_000);
const KILL_EVERY_MS = Number(process.env['KILL_EVERY_MS'] ?? 20_000);
const DIRECTORY_MS = 20;
const SMALL_JOBS = 10;
const SMALL_NAMES = 1_000;
/** One row in so many repeats an earlier name; one in so many is no name. */
const REPEATS = 10;
const BROKEN = 100;

const HEADERS = { 'x-doi-gateway': 'jobs', 'content-type': 'text/csv' };

interface Told {
  readonly state: string;
  readonly rowsDone: number;
  readonly failed: number;
}

const folder = await mkdtemp(join(tmpdir(), 'doi-gateway-jobs-bench-'));
const cache = await startRedisServer();
const queue = await startRedisServer('--appendonly', 'yes', '--appendfsync', 'everysec');
const directory = await startDirectory({ latencyMs: DIRECTORY_MS });
const file = builtGateway();

const env = {
  DOI_DIRECTORY_URL: directory.url,
  REDIS_URL: cache.url,
  JOBS_REDIS_URL: queue.url,
  JOBS_DIR: folder,
  JOBS_LOOKUPS_PER_SECOND: String(PER_SECOND),
  LOG_LEVEL: process.env['BENCH_LOG'] ?? 'warn',
};
process.stderr.write('built\n');
const start = (role: 'gateway' | 'worker'): Promise<ServerProcess> =>
  startServer({ file, env: { ...env, ROLE: role }, onOutput: (text) => process.stderr.write(text) });

const gateways = [await start('gateway'), await start('gateway')];
const workers = [await start('worker'), await start('worker')];
let gateway = gateways[0] as ServerProcess;
let isOver = false;
let killed = 0;

try {
  const lonely: number[] = [];
  process.stderr.write('started\n');
  for (let at = 0; at < 3; at += 1) lonely.push(await small(`lonely${at}`));

  await directory.tell({ count: true });
  const cpuBefore = cpuOf(workers);
  const startMs = performance.now();
  const job = await putIn(rowsOf('big', NAMES));
  const uploadedMs = performance.now() - startMs;
  const disturbing = [killWorkers(), restartRedisOnce(), stopGatewayOnce()];
  const beside = putSmallJobs();
  await untilDone(job, true);
  const tookMs = performance.now() - startMs;
  isOver = true;
  const besideMs = await beside;
  await Promise.all(disturbing);
  const { records: asked } = await directory.tell({ count: true });
  const disturbed = await digestOf(job);

  // The cache is warm: what is compared is what is written.
  const again = await putIn(rowsOf('big', NAMES));
  await untilDone(again, false);
  const undisturbed = await digestOf(again);

  const distinct = distinctOf(NAMES) + besideMs.length * distinctOf(SMALL_NAMES);
  printTable(
    `A job of ${NAMES} names, ${PER_SECOND} look-ups a second allowed; ${killed} workers killed, Redis restarted, a gateway stopped`,
    ['', 'value'],
    [
      ['put in, s', uploadedMs / 1_000],
      ['done, s', tookMs / 1_000],
      ['names/s', (NAMES / tookMs) * 1_000],
      ['directory look-ups', asked],
      ['distinct names', distinct],
      ['look-ups / distinct', asked / distinct],
      ['bytes of the result', disturbed.bytes],
      ['lines', disturbed.lines],
      ['equal to the undisturbed', disturbed.sha256 === undisturbed.sha256 ? 'yes' : 'NO'],
      ['a small job alone, ms', median(lonely)],
      ['a small job beside, median ms', median(besideMs)],
      ['a small job beside, slowest ms', Math.max(...besideMs)],
      ['all small jobs beside / alone', sum(besideMs) / (besideMs.length * median(lonely))],
      ['CPU of the workers that lived, ms', cpuOf(workers) - cpuBefore],
    ],
  );
  const faults = [
    disturbed.sha256 === undisturbed.sha256 ? '' : 'the results differ',
    asked <= distinct * 1.02 ? '' : 'names were asked for again',
    disturbed.lines === NAMES + 1 ? '' : 'lines are missing or too many',
    median(besideMs) <= 3 * median(lonely) ? '' : 'small jobs had to wait',
  ].filter((fault) => fault !== '');
  console.log(faults.length === 0 ? '\nAll held.' : `\nNOT HELD: ${faults.join('; ')}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  isOver = true;
  await endServers();
  await cache.close();
  await queue.close();
  await endAll();
  await rm(folder, { recursive: true, force: true });
}

async function killWorkers(): Promise<void> {
  for (let at = 0; ; at += 1) {
    await sleepUnlessOver(KILL_EVERY_MS);
    if (isOver) return;
    const victim = at % workers.length;
    await workers[victim]?.end('SIGKILL');
    killed += 1;
    workers[victim] = await start('worker');
  }
}

async function restartRedisOnce(): Promise<void> {
  await sleepUnlessOver(KILL_EVERY_MS * 1.3);
  if (!isOver) await queue.restart();
}

async function stopGatewayOnce(): Promise<void> {
  await sleepUnlessOver(KILL_EVERY_MS * 1.6);
  if (isOver) return;
  const [first, second] = gateways;
  gateway = second as ServerProcess;
  await first?.end('SIGTERM');
}

async function sleepUnlessOver(ms: number): Promise<void> {
  for (const end = Date.now() + ms; Date.now() < end && !isOver; ) await sleep(100);
}

async function putSmallJobs(): Promise<readonly number[]> {
  const took: number[] = [];
  while (took.length < SMALL_JOBS && !isOver) took.push(await small(`beside${took.length}`));
  return took;
}

async function small(name: string): Promise<number> {
  const startMs = performance.now();
  const job = await putIn(rowsOf(name, SMALL_NAMES));
  await untilDone(job, false);
  const tookMs = performance.now() - startMs;
  await fetch(gateway.url + job, { method: 'DELETE', headers: HEADERS });
  return tookMs;
}

async function putIn(rows: Iterable<string>): Promise<string> {
  for (;;) {
    try {
      const response = await fetch(`${gateway.url}/jobs?column=doi`, {
        method: 'POST',
        headers: HEADERS,
        body: Readable.toWeb(Readable.from(inPieces(rows))) as unknown as ReadableStream,
        duplex: 'half',
      } as RequestInit);
      if (response.status === 201) return response.headers.get('location') ?? '';
      if (response.status < 500) throw new Error(`${response.status} ${await response.text()}`);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    await sleep(200);
  }
}

async function untilDone(job: string, tells: boolean): Promise<void> {
  let told = 0;
  for (;;) {
    await sleep(tells ? 500 : 20);
    const response = await fetch(gateway.url + job).catch(() => null);
    if (response === null || response.status >= 500) continue;
    const { state, rowsDone, failed } = (await response.json()) as Told;
    if (tells && Date.now() - told > 10_000) {
      told = Date.now();
      process.stderr.write(`${rowsDone} of ${NAMES}, ${failed} failed, ${killed} workers killed\n`);
    }
    if (state === 'failed') throw new Error('the job failed');
    if (state === 'done') return;
  }
}

async function digestOf(job: string) {
  const hash = createHash('sha256');
  let bytes = 0;
  let lines = 0;
  const response = await fetch(`${gateway.url}${job}/result`);
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    hash.update(part);
    bytes += part.length;
    for (const byte of part) if (byte === 10) lines += 1;
  }
  return { sha256: hash.digest('hex'), bytes, lines };
}

function* rowsOf(name: string, count: number): Generator<string> {
  yield 'id,doi\n';
  for (let at = 0; at < count; at += 1) {
    if (at % BROKEN === BROKEN - 1) yield `${at},no name ${at}\n`;
    else yield `${at},10.5555/${name}-${at % REPEATS === 1 ? at - 1 : at}\n`;
  }
}

function distinctOf(count: number): number {
  return count - Math.floor((count + REPEATS - 2) / REPEATS) - Math.floor(count / BROKEN);
}

function* inPieces(rows: Iterable<string>): Generator<Buffer> {
  let piece = '';
  for (const row of rows) {
    piece += row;
    if (piece.length < 64_000) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  yield Buffer.from(piece);
}

function cpuOf(servers: readonly ServerProcess[]): number {
  return servers.reduce((sum, { pid }) => sum + (readUsage(pid)?.cpuMs ?? 0), 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
