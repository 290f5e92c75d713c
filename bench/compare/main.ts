// npm run bench: the gateway beside bare node:http, Mercurius + JIT, Yoga and Apollo Server 5, as ratios.
// A run that measures all rows of the chart writes docs/benchmarks.svg.

import { writeFileSync } from 'node:fs';
import { gatewayDir } from '../node-process.ts';
import { printTable } from '../table.ts';
import { type ChartRow, chartOf } from './chart.ts';
import { readFlags } from './flags.ts';
import { type Figures, printGoals } from './goals.ts';
import { measureGrowth } from './growth.ts';
import { startLoad } from './load-process.ts';
import { measureRow, type RowResult } from './measure.ts';
import { ROWS } from './rows.ts';
import { createServers, TITLES } from './servers.ts';
import { measureStarts } from './start.ts';

const COLUMNS = ['server', '× bare', 'CPU µs', 'requests/s', 'p50 ms', 'p99 ms', 'RSS MB'];

const CHART_ROWS = ['1', '20', '1000'];

const flags = readFlags();
const servers = createServers(flags.against);
const load = startLoad();
const begin = performance.now();
try {
  console.log(`${gatewayDir}, Node ${process.version}, turns of ${flags.seconds} s, ${flags.rounds} rounds.`);
  console.log(
    '× bare: CPU time of the server process a request, over that of bare node:http in the same round.',
  );
  const start = flags.rows.has('start') ? await measureStarts(servers) : undefined;
  const rows = new Map<string, RowResult>();
  for (const row of ROWS.filter(({ name }) => flags.rows.has(name))) {
    try {
      const result = await measureRow(row, servers, load, flags);
      rows.set(row.name, result);
      printRow(row.title, result);
    } catch (error) {
      console.log(`\n${row.title}\nNOT MEASURED: ${error instanceof Error ? error.message : error}`);
      process.exitCode = 1;
    }
  }
  const exponent = flags.rows.has('growth') ? await measureGrowth(servers, load) : undefined;
  const figures: Figures = { rows, ...(start && { start }), ...(exponent !== undefined && { exponent }) };
  printGoals(figures);
  writeChart(rows);
  console.log(`\n${Math.round((performance.now() - begin) / 1_000)} s.`);
} finally {
  load.end();
  await servers.end();
}

function printRow(title: string, result: RowResult): void {
  const rows = [...result].map(([name, { ratio, cpuUs, requestsPerSecond, p50Ms, p99Ms, rssMb }]) => {
    return [TITLES[name], ratio, cpuUs, Math.round(requestsPerSecond), p50Ms, p99Ms, Math.round(rssMb)];
  });
  printTable(title, COLUMNS, rows);
}

function writeChart(results: ReadonlyMap<string, RowResult>): void {
  const charted = ROWS.flatMap(({ name, title }): ChartRow[] => {
    const result = results.get(name);
    return result && CHART_ROWS.includes(name) ? [{ title, result }] : [];
  });
  if (charted.length < CHART_ROWS.length || flags.against !== null) return;
  writeFileSync(new URL('../../docs/benchmarks.svg', import.meta.url), chartOf(charted, TITLES));
}
