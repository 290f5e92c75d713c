// The goals of the benchmark, and the figures that belong to no row: growth with the number of names, and the start.

import { setTimeout } from 'node:timers/promises';
import { exchange, requestBytes } from '../http-bytes.ts';
import { readMemory, type StartOptions, startServer } from '../node-process.ts';
import { cellText, median, printTable } from '../table.ts';
import { type Load, measureRow, type RowResult } from './measure.ts';
import { doisRow, ROWS } from './rows.ts';
import { PEERS, type ServerName, type Servers, TITLES } from './servers.ts';

export interface Figures {
  readonly rows: ReadonlyMap<string, RowResult>;
  readonly exponent?: number;
  readonly start?: Start;
}

/** A goal's text, its limit, and its measured figure; undefined: not measured. */
type Goal = readonly [text: string, limit: number, read: (figures: Figures) => number | undefined];

const DOIS = ['1', '20', '1000'] as const;
/** Measurement errors let a fit of four points differ from exactly 1. */
const LINEAR = 1.05;

const overBare = (row: string, limit: number): Goal => [
  `CPU a request over bare, ${row}`,
  limit,
  ({ rows }) => rows.get(row)?.get('ours')?.ratio ?? undefined,
];
const over = (text: string, limit: number, key: 'cpuUs' | 'p99Ms', a: ServerName, b: ServerName): Goal[] =>
  DOIS.map((row) => [
    `${text}, ${row}`,
    limit,
    ({ rows }) => {
      const [first, second] = [rows.get(row)?.get(a)?.[key], rows.get(row)?.get(b)?.[key]];
      return first === undefined || second === undefined ? undefined : first / second;
    },
  ]);

const GOALS: readonly Goal[] = [
  overBare('1', 1.3),
  overBare('20', 1.1),
  overBare('1000', 0.85),
  ...over('CPU a request over Mercurius + JIT', 0.75, 'cpuUs', 'ours', 'mercurius'),
  ...over('CPU a request, live over embedded', 1.15, 'cpuUs', 'live', 'ours'),
  overBare('api', 1.3),
  overBare('redirect', 1.3),
  ...over('p99 over Mercurius + JIT', 1, 'p99Ms', 'ours', 'mercurius'),
  ['exponent of growth', LINEAR, ({ exponent }) => exponent],
  ['start to first response, ms', 700, ({ start }) => start?.firstResponseMs],
  ['idle RSS, MB', 120, ({ start }) => start?.idleRssMb],
];

/** Prints the goals that were measured. */
export function printGoals(figures: Figures): void {
  const rows = GOALS.flatMap(([text, limit, read]) => {
    const measured = read(figures);
    const verdict = measured !== undefined && measured <= limit ? 'reached' : 'NOT REACHED';
    return measured === undefined ? [] : [[text, cellText(limit), cellText(measured), verdict]];
  });
  if (rows.length > 0) printTable('goals', ['goal', 'at most', 'measured', ''], rows);
}

const COUNTS = [1, 10, 100, 1_000, 3_000, 10_000];
/** With fewer names, the cost of the request itself hides the growth. */
const FIT_FROM = 100;
const GROWTH = { seconds: 1, rounds: 2, against: null, connections: 4 };

/** Prints the processor time a name for 1 to 10,000 names. Returns the exponent of the growth: 1 is linear. */
export async function measureGrowth(servers: Servers, load: Load): Promise<number> {
  const rows: { count: number; bareUs: number; oursUs: number; ratio: number | null }[] = [];
  for (const count of COUNTS) {
    const result = await measureRow(doisRow(count, ['bare', 'wide']), servers, load, GROWTH);
    const [bare, ours] = [result.get('bare'), result.get('wide')];
    const { cpuUs: oursUs = Number.NaN, ratio = null } = ours ?? {};
    rows.push({ count, bareUs: bare?.cpuUs ?? Number.NaN, oursUs, ratio });
  }
  printTable(
    `growth with the names of a request, ${GROWTH.connections} connections, limits raised`,
    ['names', 'ours: CPU µs a name', 'bare: CPU µs a name', '× bare'],
    rows.map(({ count, oursUs, bareUs, ratio }) => [count, oursUs / count, bareUs / count, ratio]),
  );
  const exponent = fittedExponent(rows.map(({ count, oursUs }) => [count, oursUs]));
  const bare = fittedExponent(rows.map(({ count, bareUs }) => [count, bareUs]));
  console.log(
    `CPU a request grows as n^${exponent.toFixed(3)} from ${FIT_FROM} names on (bare n^${bare.toFixed(3)}).`,
  );
  return exponent;
}

/** Fits a straight line to the logarithms of the points, and returns its slope. */
function fittedExponent(points: readonly (readonly [number, number])[]): number {
  const logs = points.filter(([n]) => n >= FIT_FROM).map(([n, us]) => [Math.log(n), Math.log(us)] as const);
  const x = logs.reduce((sum, [n]) => sum + n, 0) / logs.length;
  const covariance = logs.reduce((sum, [n, us]) => sum + (n - x) * us, 0);
  return covariance / logs.reduce((sum, [n]) => sum + (n - x) ** 2, 0);
}

const START_ROUNDS = 5;
const POLL_MS = 4;
const IDLE_MS = 1_000;

interface Start {
  readonly firstResponseMs: number;
  readonly idleRssMb: number;
}

/** Measures the time from the start of a process to its first response, and its memory without requests. */
export async function measureStarts(servers: Servers): Promise<Start> {
  const peers = PEERS.map(async (name) => [TITLES[name], await servers.startOptions(name)] as const);
  const { file } = await servers.startOptions('ours');
  const started = [...(await Promise.all(peers)), ['ours, the bundled sample', { file }] as const];
  const starts = started.map(([title, options]) => ({ title, options, measured: [] as Start[] }));
  for (let round = 0; round < START_ROUNDS; round += 1) {
    for (const { options, measured } of starts) measured.push(await measureStart(options));
  }
  const rows = starts.map(({ title, measured }) => ({
    title,
    firstResponseMs: Math.round(median(measured.map((start) => start.firstResponseMs))),
    idleRssMb: median(measured.map((start) => start.idleRssMb)),
  }));
  printTable(
    `start, the median of ${START_ROUNDS}`,
    ['server', 'first response ms', 'idle RSS MB'],
    rows.map(({ title, firstResponseMs, idleRssMb }) => [title, firstResponseMs, idleRssMb]),
  );
  return rows.at(-1) as Start;
}

async function measureStart(options: StartOptions): Promise<Start> {
  const start = performance.now();
  const server = await startServer(options, POLL_MS);
  // The request is that of the first row. If the server has no such record, its response counts too.
  await exchange(server.port, ROWS[0]?.requests[0] ?? requestBytes({ target: '/' }));
  const firstResponseMs = performance.now() - start;
  await setTimeout(IDLE_MS);
  const idleRssMb = (readMemory(server.pid)?.rssBytes ?? Number.NaN) / 1e6;
  await server.end();
  return { firstResponseMs, idleRssMb };
}
