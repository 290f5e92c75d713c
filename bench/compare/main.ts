// npm run bench: compares the gateway with bare node:http, Mercurius + JIT, Yoga and Apollo Server 5.
//   --rows 1,20,api,start   --seconds 2   --rounds 3   --against ../other-checkout
// A run that measures all rows of the chart writes docs/benchmarks.svg.

import { writeFileSync } from 'node:fs';
import { readFlags, runBench } from '../command.ts';
import { gatewayDir } from '../node-process.ts';
import { printTable } from '../table.ts';
import { chartOf } from './chart.ts';
import { measureGrowth, measureStarts, printGoals } from './goals.ts';
import { measureRow, type RowResult, startLoad, type Turns } from './measure.ts';
import { ROWS } from './rows.ts';
import { createServers, TITLES } from './servers.ts';

const COLUMNS = ['server', '× bare', 'CPU µs', 'requests/s', 'p50 ms', 'p99 ms', 'RSS MB'];
const CHART_ROWS = ['1', '20', '1000'];
const KNOWN = [...ROWS.map(({ name }) => name), 'growth', 'start'];

const flags = readFlags({ rows: KNOWN.join(), seconds: 1.5, rounds: 3, against: '' });
const chosen = flags.rows.split(',');
const unknown = chosen.filter((row) => !KNOWN.includes(row));
if (unknown.length > 0) throw new Error(`unknown row: ${unknown.join()}; known rows: ${KNOWN.join(', ')}`);
const turns: Turns = {
  seconds: flags.seconds,
  rounds: flags.rounds,
  hasOtherBuild: flags.against !== '',
  connections: 16,
};

await runBench(async (folder) => {
  const servers = await createServers(folder, flags.against);
  const load = await startLoad();
  console.log(`${gatewayDir}, Node ${process.version}, turns of ${turns.seconds} s, ${turns.rounds} rounds.`);
  console.log(
    '× bare: CPU time of the server process for one request, divided by that of bare node:http in the same round.',
  );
  const start = chosen.includes('start') ? await measureStarts(servers) : undefined;
  const rows = new Map<string, RowResult>();
  const measured = ROWS.filter(({ name }) => chosen.includes(name));
  for (const row of measured) {
    try {
      const result = await measureRow(row, servers, load, turns);
      rows.set(row.name, result);
      printRow(row.title, result);
    } catch (error) {
      console.log(`\n${row.title}\nNOT MEASURED: ${error instanceof Error ? error.message : error}`);
    }
  }
  const exponent = chosen.includes('growth') ? await measureGrowth(servers, load) : undefined;
  printGoals({ rows, start, exponent });
  if (CHART_ROWS.every((name) => rows.has(name)) && !turns.hasOtherBuild) writeChart(rows);
  return rows.size === measured.length;
});

function printRow(title: string, result: RowResult): void {
  const rows = [...result].map(([name, { ratio, cpuUs, requestsPerSecond, p50Ms, p99Ms, rssMb }]) => {
    return [TITLES[name], ratio, cpuUs, Math.round(requestsPerSecond), p50Ms, p99Ms, Math.round(rssMb)];
  });
  printTable(title, COLUMNS, rows);
}

function writeChart(results: ReadonlyMap<string, RowResult>): void {
  const charted = ROWS.filter(({ name }) => CHART_ROWS.includes(name)).map(({ name, title }) => {
    return { title, result: results.get(name) ?? new Map() };
  });
  writeFileSync(new URL('../../docs/benchmarks.svg', import.meta.url), chartOf(charted, TITLES));
}
