// How long an honest client waits beside greedy clients: one cached name and one uncached name, every 100 ms.
// `npm run fairness`, beside an older build with `-- --before=<its checkout, built>`, only some of the loads with
// `--only=<part of their names>`.

import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { SERIAL } from './compare/template.ts';
import { graphqlBytes } from './http-bytes.ts';
import type { LoadOrder, LoadResult } from './load.ts';
import {
  builtGateway,
  endServers,
  order,
  readUsage,
  startDirectory,
  startModule,
  startServer,
} from './node-process.ts';
import { type Cell, printTable, quantile } from './table.ts';

interface Load {
  readonly clients: number;
  /** of each request */
  readonly names: number;
  /** how the names begin: the directory never responds to `silent`, and resets the connections of `reset` */
  readonly kind: 'cold' | 'silent' | 'reset';
  /** with auth and cert, past the cache */
  readonly past?: boolean;
  readonly leaving?: { readonly afterMs: number; readonly everyMs: number };
  readonly env?: Readonly<Record<string, string>>;
}
const cold = (clients: number, names = 1_000): Load => ({ clients, names, kind: 'cold' });

const LOADS: Readonly<Record<string, Load>> = {
  none: cold(0),
  '1 × 1,000 cold': cold(1),
  '8 × 1,000 cold': cold(8),
  '20 × 1,000 cold': cold(20),
  '1 × 1,000 cold, DIRECTORY_RPS=50': { ...cold(1), env: { DIRECTORY_RPS: '50' } },
  '4 × 200 that hang': { clients: 4, names: 200, kind: 'silent' },
  '4 × 200 that reset': { clients: 4, names: 200, kind: 'reset' },
  '4 × 999 auth and cert': { ...cold(4, 999), past: true },
  '1,900 dropped after 150 ms, 10 a second': { ...cold(1, 1_900), leaving: { afterMs: 150, everyMs: 100 } },
};

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
const WARM_UP = 40;

/** Milliseconds until the record of a name arrives; infinite if the look-up fails. */
async function lookUp(url: string, dispatcher: Agent, input: string): Promise<number> {
  const start = performance.now();
  const query = 'query ($input: String!) { doi(input: $input) { record { status } } }';
  const body = JSON.stringify({ query, variables: { input } });
  const headers = { 'content-type': 'application/json' };
  try {
    const response = await request(`${url}/graphql`, { method: 'POST', headers, body, dispatcher });
    const { errors } = (await response.body.json()) as { errors?: unknown };
    return errors === undefined ? performance.now() - start : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** The waits for a cached name, and for uncached names. */
async function measureHonest(url: string): Promise<[cached: number[], uncached: number[]]> {
  const dispatcher = new Agent({ localAddress: '127.0.0.1', connections: 128 });
  const cached: Promise<number>[] = [];
  const uncached: Promise<number>[] = [];
  const end = performance.now() + SECONDS * 1_000;
  for (let turn = 0; performance.now() < end; turn += 1) {
    cached.push(lookUp(url, dispatcher, '10.5555/known'));
    uncached.push(lookUp(url, dispatcher, `10.5555/honest-beside-${turn}`));
    await setTimeout(EVERY_MS);
  }
  const waits = await Promise.all([Promise.all(cached), Promise.all(uncached)]);
  await dispatcher.destroy();
  return waits;
}

function describeWaits(waits: readonly number[]): Cell[] {
  const came = waits.filter(Number.isFinite).toSorted((a, b) => a - b);
  return [0.5, 0.99, 1].map((share) => (came.length === 0 ? null : Math.round(quantile(came, share))));
}

/** Of one list in a request. */
const MAX_NAMES = 1_000;

/** Names that no request has named before: each has the serial number of its request. */
function requestOf({ names, kind, past }: Load): Buffer {
  const inputs = Array.from({ length: names }, (_, index) => `10.5555/${kind}-${SERIAL}-${index}`);
  const record = past ? 'record(auth: true, cert: true)' : 'record';
  const half = Math.ceil(names / Math.ceil(names / MAX_NAMES));
  return graphqlBytes({
    query: `query ($a: [String!]!, $b: [String!]!) {
      a: dois(inputs: $a) { ${record} { status } } b: dois(inputs: $b) { ${record} { status } } }`,
    variables: { a: inputs.slice(0, half), b: inputs.slice(half) },
  });
}

async function startLoad(port: number, load: Load): Promise<() => Promise<LoadResult>> {
  const child = startModule(new URL('load.ts', import.meta.url));
  await once(child, 'message');
  child.send({
    port,
    requests: [requestOf(load).toString('base64')],
    connections: load.clients,
    seconds: 2 * SECONDS,
    atLeast: 0,
    serial: 0,
    clients: load.leaving ? { leaving: load.leaving } : {},
  } satisfies LoadOrder);
  return () => order<LoadResult>(child, 'stop');
}

/** One row: the gateway of one checkout beside one load. */
async function measure(file: string, load: Load): Promise<Cell[]> {
  const directory = await startDirectory(LATENCY_MS);
  const gateway = await startServer({
    file,
    env: { DOI_DIRECTORY_URL: directory.url, DIRECTORY_CONNECTIONS: String(CONNECTIONS), ...load.env },
  });
  const { url } = gateway;
  // So that the code is compiled, and the honest client is there before the others.
  const warm = new Agent();
  for (let turn = 0; turn < WARM_UP; turn += 1) await lookUp(url, warm, `10.5555/warm-${turn}`);
  for (const name of ['known', 'honest-before']) await lookUp(url, warm, `10.5555/${name}`);
  await warm.destroy();
  await directory.count();
  const before = readUsage(gateway.pid);
  const stopLoad = await startLoad(gateway.port, load);
  const [cached, uncached] = await measureHonest(url);
  const after = readUsage(gateway.pid);
  const seen = await directory.count();
  const { records, errors } = load.clients === 0 ? { records: 0, errors: {} } : await stopLoad();
  await endServers();
  const seconds = (key: 'cpuMs' | 'queuedMs'): number | null =>
    before && after && (after[key] - before[key]) / 1_000;
  const all = [...cached, ...uncached];
  const codes = Object.entries(errors).map(([code, count]) => `${code} ${count}`);
  return [
    ...describeWaits(cached),
    ...describeWaits(uncached),
    `${all.filter((ms) => !Number.isFinite(ms)).length} of ${all.length}`,
    seen.records,
    seen.connections,
    seconds('cpuMs'),
    seconds('queuedMs'),
    records,
    codes.join(', ') || null,
  ];
}

const builds = { now: builtGateway() };
const files = Object.entries(
  flags.before === undefined ? builds : { before: join(resolve(flags.before), 'dist/main.js'), ...builds },
);
const rows: Cell[][] = [];
for (const [name, load] of Object.entries(LOADS).filter(([name]) => name.includes(flags.only))) {
  for (const [build, file] of files) rows.push([name, build, ...(await measure(file, load))]);
  for (const row of rows.slice(-files.length)) console.log(row.join(' | '));
}
const COLUMNS =
  'beside,build,cached p50,p99,most,uncached p50,p99,most,failed,requests,connections,processor s,waited for a processor s,others answered,others failed';
printTable(
  `An honest client for ${SECONDS} s beside others: a directory that takes ${LATENCY_MS} ms, ${CONNECTIONS} connections; times in ms`,
  COLUMNS.split(','),
  rows,
);
