// npm run bench: compares the gateway with bare node:http, Mercurius + JIT, Yoga and Apollo Server 5.
//   --rows 1,20,api,start   --seconds 2   --rounds 3   --against ../other-checkout
// A run that measures all rows of the chart writes docs/benchmarks.svg.

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gatewayDir } from '../node-process.ts';
import { printTable } from '../table.ts';
import { type ChartRow, chartOf } from './chart.ts';
import { type Figures, measureGrowth, measureStarts, printGoals } from './goals.ts';
import { measureRow, type RowResult, startLoad, type Turns } from './measure.ts';
import { ROWS } from './rows.ts';
import { createServers, TITLES } from './servers.ts';

const COLUMNS = ['server', '× bare', 'CPU µs', 'requests/s', 'p50 ms', 'p99 ms', 'RSS MB'];
const CHART_ROWS = ['1', '20', '1000'];
const KNOWN = [...ROWS.map(({ name }) => name), 'growth', 'start'];

const { values: flags } = parseArgs({
  options: {
    rows: { type: 'string', default: KNOWN.join() },
    seconds: { type: 'string', default: '1.5' },
    rounds: { type: 'string', default: '3' },
    against: { type: 'string' },
  },
});
const chosen = flags.rows.split(',');
const unknown = chosen.filter((row) => !KNOWN.includes(row));
if (unknown.length > 0) throw new Error(`unknown row: ${unknown.join()}; known rows: ${KNOWN.join(', ')}`);
const otherCheckout = flags.against === undefined ? null : resolve(flags.against);
const turns: Turns = {
  seconds: positive(flags.seconds),
  rounds: positive(flags.rounds),
  otherCheckout,
  connections: 16,
};

const servers = createServers(otherCheckout);
const begin = performance.now();
try {
  const load = await startLoad();
  console.log(`${gatewayDir}, Node ${process.version}, turns of ${turns.seconds} s, ${turns.rounds} rounds.`);
  console.log(
    '× bare: CPU time of the server process for one request, divided by that of bare node:http in the same round.',
  );
  const start = chosen.includes('start') ? await measureStarts(servers) : undefined;
  const rows = new Map<string, RowResult>();
  for (const row of ROWS.filter(({ name }) => chosen.includes(name))) {
    try {
      const result = await measureRow(row, servers, load, turns);
      rows.set(row.name, result);
      printRow(row.title, result);
    } catch (error) {
      console.log(`\n${row.title}\nNOT MEASURED: ${error instanceof Error ? error.message : error}`);
      process.exitCode = 1;
    }
  }
  const exponent = chosen.includes('growth') ? await measureGrowth(servers, load) : undefined;
  const figures: Figures = { rows, ...(start && { start }), ...(exponent !== undefined && { exponent }) };
  printGoals(figures);
  writeChart(rows);
  console.log(`\n${Math.round((performance.now() - begin) / 1_000)} s.`);
} finally {
  await servers.end();
}

function positive(text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`${text} is not a number above 0`);
  return number;
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
  if (charted.length < CHART_ROWS.length || otherCheckout !== null) return;
  writeFileSync(new URL('../../docs/benchmarks.svg', import.meta.url), chartOf(charted, TITLES));
}
