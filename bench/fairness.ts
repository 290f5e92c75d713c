// npm run fairness: measures how long an honest client waits while greedy clients put load on the gateway. Every 100 ms
// the honest client looks up one cached name and one uncached name, each second time on new connections. A liveness probe
// requests /healthz as often, each time on a new connection.
//   -- --before FOLDER  also measures an older build in this checkout
//   -- --only TEXT      runs only loads whose name contains the text
//   -- --seconds N      the duration of each measurement (15)

import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { list } from '../checks/attack/requests.ts';
import { readFlags, runBench } from './command.ts';
import { SERIAL } from './compare/template.ts';
import { graphqlBytes } from './http-bytes.ts';
import type { LoadOrder, LoadResult } from './load.ts';
import {
  buildGateway,
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
  /** the number of names in each request */
  readonly names: number;
  /** The start of the names. The directory never responds for `silent`, and resets the connection for `reset`. */
  readonly behaviour?: 'ordinary' | 'silent' | 'reset';
  /** The requests have auth and cert, which bypass the cache. */
  readonly bypassesCache?: boolean;
  readonly leaving?: { readonly afterMs: number; readonly everyMs: number };
  readonly env?: Readonly<Record<string, string>>;
}
/** The label `8 × 1,000` stands for 8 clients, which each send requests for 1,000 names. */
const LOADS: Readonly<Record<string, Load>> = {
  none: { clients: 0, names: 1_000 },
  '1 × 1,000 uncached': { clients: 1, names: 1_000 },
  '8 × 1,000 uncached': { clients: 8, names: 1_000 },
  '20 × 1,000 uncached': { clients: 20, names: 1_000 },
  '1 × 1,000 uncached, DIRECTORY_RPS=50': { clients: 1, names: 1_000, env: { DIRECTORY_RPS: '50' } },
  '4 × 200 without a response': { clients: 4, names: 200, behaviour: 'silent' },
  '4 × 200 with reset connections': { clients: 4, names: 200, behaviour: 'reset' },
  '4 × 999 auth and cert': { clients: 4, names: 999, bypassesCache: true },
  '1 × 1,900, the client leaves after 150 ms, 10 requests per second': {
    clients: 1,
    names: 1_900,
    leaving: { afterMs: 150, everyMs: 100 },
  },
};

const flags = readFlags({ before: '', only: '', seconds: 15 });
const EVERY_MS = 100;
const CONNECTIONS = 64;
const LATENCY_MS = 50;
const WARM_UP = 40;

/** Looks up a name. Returns the milliseconds until its record arrives; infinite if the look-up fails. */
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

async function probe(url: string, dispatcher: Agent): Promise<number> {
  const start = performance.now();
  const { statusCode, body } = await request(`${url}/healthz`, { dispatcher });
  await body.dump();
  return statusCode === 200 ? performance.now() - start : Number.POSITIVE_INFINITY;
}

/** In ms; infinite for a request that failed. */
interface Waits {
  readonly cached: readonly number[];
  readonly uncached: readonly number[];
  /** the cached names on new connections, which `cached` has too */
  readonly opened: readonly number[];
  readonly health: readonly number[];
}

async function measureHonest(url: string): Promise<Waits> {
  const localAddress = '127.0.0.1';
  const kept = new Agent({ localAddress, connections: 128 });
  // Without pipelining, undici closes a connection after each response.
  const opening = new Agent({ localAddress, pipelining: 0 });
  const cached: Promise<number>[] = [];
  const uncached: Promise<number>[] = [];
  const opened: Promise<number>[] = [];
  const health: Promise<number>[] = [];
  const end = performance.now() + flags.seconds * 1_000;
  for (let turn = 0; performance.now() < end; turn += 1) {
    const opens = turn % 2 === 1;
    const known = lookUp(url, opens ? opening : kept, '10.5555/known');
    cached.push(known);
    if (opens) opened.push(known);
    uncached.push(lookUp(url, opens ? opening : kept, `10.5555/honest-beside-${turn}`));
    health.push(probe(url, opening));
    await setTimeout(EVERY_MS);
  }
  const waits = {
    cached: await Promise.all(cached),
    uncached: await Promise.all(uncached),
    opened: await Promise.all(opened),
    health: await Promise.all(health),
  };
  await Promise.all([kept.destroy(), opening.destroy()]);
  return waits;
}

/** The median, p99 and the maximum of the successful look-ups. */
function quantilesOf(waits: readonly number[]): Cell[] {
  const successful = waits.filter(Number.isFinite).toSorted((a, b) => a - b);
  return [0.5, 0.99, 1].map((share) =>
    successful.length === 0 ? null : Math.round(quantile(successful, share)),
  );
}

/** the number of names that one list in a request may have */
const MAX_NAMES = 1_000;

/** A request for names that no earlier request has. Each name contains the serial number of its request. */
function requestOf({ names, behaviour = 'ordinary', bypassesCache }: Load): Buffer {
  const inputs = list(names, (index) => `10.5555/${behaviour}-${SERIAL}-${index}`);
  const record = bypassesCache ? 'record(auth: true, cert: true)' : 'record';
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
    seconds: 2 * flags.seconds,
    minRequests: 0,
    serial: 0,
    clients: load.leaving ? { leaving: load.leaving } : {},
  } satisfies LoadOrder);
  return () => order<LoadResult>(child, 'stop');
}

/** Measures one row of the table: the gateway of one checkout under one load. */
async function measure(file: string, load: Load): Promise<Cell[]> {
  const directory = await startDirectory(LATENCY_MS);
  const env = { DOI_DIRECTORY_URL: directory.url, DIRECTORY_CONNECTIONS: String(CONNECTIONS), ...load.env };
  const { url, port, pid } = await startServer({ file, env });
  // Look-ups before the measurement let V8 compile the code, and make the honest client known before the others.
  const warm = new Agent();
  const warmNames = [...list(WARM_UP, (turn) => `warm-${turn}`), 'known', 'honest-before'];
  for (const name of warmNames) await lookUp(url, warm, `10.5555/${name}`);
  await warm.destroy();
  await directory.count();
  const before = readUsage(pid);
  const stopLoad = await startLoad(port, load);
  const { cached, uncached, opened, health } = await measureHonest(url);
  const after = readUsage(pid);
  const counts = await directory.count();
  const { records, errors } = load.clients === 0 ? { records: 0, errors: {} } : await stopLoad();
  await endServers();
  const seconds = (key: 'cpuMs' | 'queuedMs'): number | null =>
    before && after && (after[key] - before[key]) / 1_000;
  const all = [...cached, ...uncached, ...health];
  const codes = Object.entries(errors).map(([code, count]) => `${code} ${count}`);
  return [
    ...quantilesOf(cached),
    ...quantilesOf(uncached),
    quantilesOf(opened)[2] ?? null,
    quantilesOf(health)[2] ?? null,
    `${all.filter((ms) => !Number.isFinite(ms)).length} of ${all.length}`,
    counts.records,
    counts.connections,
    seconds('cpuMs'),
    seconds('queuedMs'),
    records,
    codes.join(', ') || null,
  ];
}

const COLUMNS =
  'load,build,cached p50,p99,longest,uncached p50,p99,longest,new connections: longest,/healthz: longest,failed,directory requests,directory connections,CPU s,wait for a CPU in s,others’ records,others’ errors';

await runBench(async () => {
  const builds = { now: buildGateway() };
  const files = { ...(flags.before && { before: resolve(flags.before, 'dist/main.js') }), ...builds };
  const rows: Cell[][] = [];
  for (const [name, load] of Object.entries(LOADS).filter(([name]) => name.includes(flags.only))) {
    for (const [build, file] of Object.entries(files)) {
      const row = [name, build, ...(await measure(file, load))];
      rows.push(row);
      console.log(row.join(' | '));
    }
  }
  printTable(
    `An honest client and other clients for ${flags.seconds} s: the directory's latency is ${LATENCY_MS} ms, ${CONNECTIONS} connections; times in ms`,
    COLUMNS.split(','),
    rows,
  );
  return true;
});
