// What an honest client waits for beside others that ask too much: one name that is cached and one that is not,
// every 100 ms. `npm run fairness`, beside an older build with `-- --before=<its checkout, built>`, only some of
// the loads with `--only=<part of their names>`.

import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import type { LoadOrder, LoadReport } from './fairness-load.ts';
import { builtGateway, endServers, startServer } from './node-process.ts';
import { readUsage } from './process-usage.ts';
import { endAll, startDirectory, startProcess } from './stage.ts';
import { type Cell, printTable } from './table.ts';

interface Load extends Omit<LoadOrder, 'url'> {
  readonly name: string;
  readonly env?: Readonly<Record<string, string>>;
}

const LOADS: readonly Load[] = [
  { name: 'nobody', clients: 0, names: 0, kind: 'cold' },
  { name: '1 × 1,000 cold', clients: 1, names: 1_000, kind: 'cold' },
  { name: '8 × 1,000 cold', clients: 8, names: 1_000, kind: 'cold' },
  { name: '20 × 1,000 cold', clients: 20, names: 1_000, kind: 'cold' },
  {
    name: '1 × 1,000 cold, DIRECTORY_RPS=50',
    clients: 1,
    names: 1_000,
    kind: 'cold',
    env: { DIRECTORY_RPS: '50' },
  },
  { name: '4 × 200 that hang', clients: 4, names: 200, kind: 'silent' },
  { name: '4 × 200 that reset', clients: 4, names: 200, kind: 'reset' },
  { name: '4 × 999 auth and cert', clients: 4, names: 999, kind: 'cold', past: true },
  {
    name: '1,900 dropped after 150 ms, 10 a second',
    clients: 1,
    names: 1_900,
    kind: 'cold',
    leavesAfterMs: 150,
    everyMs: 100,
  },
];

const { values: flags } = parseArgs({
  options: {
    before: { type: 'string' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '15' },
  },
});
const SECONDS = Number(flags.seconds);
const EVERY_MS = 100;
const CONNECTIONS = 64;
const LATENCY_MS = 50;

/** Milliseconds until each name's record was there; infinite where it never was. */
interface Waits {
  readonly cached: number[];
  readonly uncached: number[];
}

async function askOne(url: string, dispatcher: Agent, name: string): Promise<number> {
  const start = performance.now();
  const { body } = await request(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'query ($input: String!) { doi(input: $input) { record { status } } }',
      variables: { input: name },
    }),
    dispatcher,
  });
  const { errors } = (await body.json()) as { errors?: unknown };
  return errors === undefined ? performance.now() - start : Number.POSITIVE_INFINITY;
}

async function measureHonest(url: string, round: string): Promise<Waits> {
  const dispatcher = new Agent({ localAddress: '127.0.0.1', connections: 128 });
  const waits: Waits = { cached: [], uncached: [] };
  const asked: Promise<unknown>[] = [];
  const note = (list: number[], name: string): void => {
    const failed = (): number => Number.POSITIVE_INFINITY;
    asked.push(
      askOne(url, dispatcher, name).then(
        (ms) => list.push(ms),
        () => list.push(failed()),
      ),
    );
  };
  const end = performance.now() + SECONDS * 1_000;
  for (let turn = 0; performance.now() < end; turn += 1) {
    note(waits.cached, '10.5555/known');
    note(waits.uncached, `10.5555/honest-${round}-${turn}`);
    await new Promise((done) => setTimeout(done, EVERY_MS));
  }
  await Promise.all(asked);
  await dispatcher.destroy();
  return waits;
}

function describeWaits(waits: readonly number[]): Cell[] {
  const came = waits.filter(Number.isFinite).toSorted((a, b) => a - b);
  const at = (share: number): number | null => {
    const ms = came[Math.min(came.length - 1, Math.floor(came.length * share))];
    return ms === undefined ? null : Math.round(ms);
  };
  return [at(0.5), at(0.99), at(1), waits.length - came.length];
}

/** One row: the gateway of one checkout beside one load. */
async function measure(file: string, { name: _, env = {}, ...load }: Load): Promise<Cell[]> {
  const directory = await startDirectory({ latencyMs: LATENCY_MS });
  const gateway = await startServer({
    file,
    env: { DOI_DIRECTORY_URL: directory.url, DIRECTORY_CONNECTIONS: String(CONNECTIONS), ...env },
  });
  const { url } = gateway;
  // Until the code has been compiled, it is slower.
  const warm = new Agent();
  for (let turn = 0; turn < 40; turn += 1) await askOne(url, warm, `10.5555/warm-${turn}`);
  await askOne(url, warm, '10.5555/known');
  await warm.destroy();
  await measureHonestFor(url);
  await directory.tell({ count: true });
  const before = readUsage(gateway.pid);
  const player = startProcess('./fairness-load.ts', [], {});
  await once(player, 'message');
  player.send({ url, ...load } satisfies LoadOrder);
  const waits = await measureHonest(url, 'beside');
  const after = readUsage(gateway.pid);
  const seen = await directory.tell({ count: true });
  const reported = once(player, 'message');
  player.send('report');
  const [{ answered, errors }] = (await reported) as [LoadReport];
  const codes = Object.entries(errors).map(([code, count]) => `${code} ${count}`);
  await endServers();
  await endAll();
  const [cached50, cached99, cachedMost, cachedFailed] = describeWaits(waits.cached);
  const [uncached50, uncached99, uncachedMost, uncachedFailed] = describeWaits(waits.uncached);
  return [
    cached50 ?? null,
    cached99 ?? null,
    cachedMost ?? null,
    uncached50 ?? null,
    uncached99 ?? null,
    uncachedMost ?? null,
    `${Number(cachedFailed) + Number(uncachedFailed)} of ${waits.cached.length + waits.uncached.length}`,
    seen.records,
    seen.connections,
    secondsBetween(before?.cpuMs, after?.cpuMs),
    secondsBetween(before?.queuedMs, after?.queuedMs),
    answered,
    codes.join(', ') || null,
  ];
}

function secondsBetween(before: number | undefined, after: number | undefined): number | null {
  return before === undefined || after === undefined ? null : (after - before) / 1_000;
}

/** The honest client is there before the others. */
async function measureHonestFor(url: string): Promise<void> {
  const agent = new Agent();
  await askOne(url, agent, '10.5555/honest-before');
  await agent.destroy();
}

const builds = [
  ...(flags.before === undefined
    ? []
    : [{ build: 'before', file: join(resolve(flags.before), 'dist/main.js') }]),
  { build: 'now', file: builtGateway() },
];
const rows: Cell[][] = [];
for (const load of LOADS.filter(({ name }) => name.includes(flags.only))) {
  for (const { build, file } of builds) rows.push([load.name, build, ...(await measure(file, load))]);
  for (const row of rows.slice(-builds.length)) console.log(row.join(' | '));
}
printTable(
  `An honest client for ${SECONDS} s beside others: a directory that takes ${LATENCY_MS} ms, ${CONNECTIONS} connections; times in ms`,
  [
    'beside',
    'build',
    'cached p50',
    'p99',
    'most',
    'uncached p50',
    'p99',
    'most',
    'failed',
    'requests',
    'connections',
    'processor s',
    'waited for a processor s',
    'others answered',
    'others failed',
  ],
  rows,
);
