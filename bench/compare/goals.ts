// The goals of the benchmark, and two measurements that are not rows of it (rows.ts): how the processor time grows with the
// number of names in a request, and how long a server takes to start.

import { setTimeout } from 'node:timers/promises';
import { exchange, requestBytes } from '../http-bytes.ts';
import { readMemory, type StartOptions, startServer } from '../node-process.ts';
import { cellText, median, printTable } from '../table.ts';
import { type Load, measureRow, type RowResult } from './measure.ts';
import { doisRow, ROWS } from './rows.ts';
import { PEERS, type ServerName, type Servers, TITLES } from './servers.ts';

interface Figures {
  readonly rows: ReadonlyMap<string, RowResult>;
  readonly exponent: number | undefined;
  readonly start: Start | undefined;
}

/** `measured` returns undefined if the figure was not measured. */
type Goal = readonly [text: string, limit: number, measured: (figures: Figures) => number | undefined];

/** the names of the rows with 1, 20 and 1,000 DOI names in a request */
const ROWS_OF_DOIS = ['1', '20', '1000'] as const;
/** Exponent 1 is linear growth. The measured exponent is not exact, because it comes from only four points. */
const LINEAR = 1.05;

const titleOf = (row: string): string => ROWS.find(({ name }) => name === row)?.title ?? row;
const comparedWithBare = (row: string, limit: number): Goal => [
  `CPU time per request, compared with bare (ratio): ${titleOf(row)}`,
  limit,
  ({ rows }) => rows.get(row)?.get('ours')?.ratio ?? undefined,
];
/** The goals for a figure of server `a`, divided by the same figure of server `b`. */
const compared = (
  text: string,
  limit: number,
  key: 'cpuUs' | 'p99Ms',
  a: ServerName,
  b: ServerName,
): Goal[] =>
  ROWS_OF_DOIS.map((row) => [
    `${text} (ratio): ${titleOf(row)}`,
    limit,
    ({ rows }) => {
      const [first, second] = [rows.get(row)?.get(a)?.[key], rows.get(row)?.get(b)?.[key]];
      return first === undefined || second === undefined ? undefined : first / second;
    },
  ]);

const GOALS: readonly Goal[] = [
  comparedWithBare('1', 1.25),
  comparedWithBare('20', 1),
  comparedWithBare('1000', 0.65),
  ...compared('CPU time per request, compared with Mercurius + JIT', 0.75, 'cpuUs', 'ours', 'mercurius'),
  ...compared('CPU time per request of "ours, live", compared with "ours"', 1.15, 'cpuUs', 'live', 'ours'),
  comparedWithBare('api', 1.3),
  comparedWithBare('redirect', 1.3),
  ...compared('p99 of the response time, compared with Mercurius + JIT', 1, 'p99Ms', 'ours', 'mercurius'),
  ['exponent of the growth with the number of names', LINEAR, ({ exponent }) => exponent],
  ['from the start of the process to its first response, ms', 700, ({ start }) => start?.firstResponseMs],
  ['idle RSS, MB', 120, ({ start }) => start?.idleRssMb],
];

/** Prints the goals that were measured. */
export function printGoals(figures: Figures): void {
  const rows = GOALS.flatMap(([text, limit, measured]) => {
    const figure = measured(figures);
    const verdict = figure !== undefined && figure <= limit ? 'reached' : 'NOT REACHED';
    return figure === undefined ? [] : [[text, cellText(limit), cellText(figure), verdict]];
  });
  if (rows.length > 0) printTable('goals', ['goal', 'at most', 'measured', ''], rows);
}

const COUNTS = [1, 10, 100, 1_000, 3_000, 10_000];
/** With fewer names, the cost of the request itself hides the growth. */
const FIT_FROM = 100;
const GROWTH = { seconds: 1, rounds: 2, hasOtherBuild: false, connections: 4 };

/**
 * Prints the processor time per name, for requests with 1 to 10,000 names. Returns the exponent with which the time per
 * request grows (LINEAR).
 */
export async function measureGrowth(servers: Servers, load: Load): Promise<number> {
  const rows: (readonly [count: number, oursUs: number, bareUs: number, ratio: number])[] = [];
  for (const count of COUNTS) {
    const result = await measureRow(doisRow(count, ['bare', 'oursWithRaisedLimits']), servers, load, GROWTH);
    const [bare, ours] = ['bare' as const, 'oursWithRaisedLimits' as const].map((name) => result.get(name));
    const { cpuUs = Number.NaN, ratio } = ours ?? {};
    rows.push([count, cpuUs / count, (bare?.cpuUs ?? Number.NaN) / count, ratio ?? Number.NaN]);
  }
  printTable(
    `growth with the number of names in a request: ${GROWTH.connections} connections, raised limits`,
    ['names', 'ours: CPU µs per name', 'bare: CPU µs per name', '× bare'],
    rows,
  );
  const exponent = fittedExponent(rows.map(([count, oursUs]) => [count, count * oursUs]));
  const bare = fittedExponent(rows.map(([count, , bareUs]) => [count, count * bareUs]));
  console.log(
    `From ${FIT_FROM} names on, CPU time per request grows as n^${exponent.toFixed(3)} (bare: n^${bare.toFixed(3)}).`,
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
  const starts = [
    ...PEERS.map((name) => ({
      title: TITLES[name],
      options: servers.startOptions[name],
      measured: [] as Start[],
    })),
    { title: 'ours, the bundled sample', options: { file: servers.startOptions.ours.file }, measured: [] },
  ];
  for (let round = 0; round < START_ROUNDS; round += 1) {
    for (const { options, measured } of starts) measured.push(await measureStart(options));
  }
  const medians = starts.map(({ measured }) => ({
    firstResponseMs: Math.round(median(measured.map((start) => start.firstResponseMs))),
    idleRssMb: median(measured.map((start) => start.idleRssMb)),
  }));
  printTable(
    `start: the medians of ${START_ROUNDS} starts`,
    ['server', 'first response ms', 'idle RSS MB'],
    starts.map(({ title }, at) => [title, ...Object.values(medians[at] as Start)]),
  );
  return medians.at(-1) as Start;
}

async function measureStart(options: StartOptions): Promise<Start> {
  const start = performance.now();
  const server = await startServer(options, POLL_MS);
  // Sends the request of the first row. A server without the record reports that, and this response counts too.
  await exchange(server.port, ROWS[0]?.requests[0] ?? requestBytes({ target: '/' }));
  const firstResponseMs = performance.now() - start;
  await setTimeout(IDLE_MS);
  const idleRssMb = (readMemory(server.pid)?.rssBytes ?? Number.NaN) / 1e6;
  await server.end();
  return { firstResponseMs, idleRssMb };
}
