// How the work grows with the names of a request: CPU a name for n = 1 … 10,000, and the exponent of n.

import { printTable } from '../table.ts';
import type { Load } from './load-process.ts';
import { measureRow } from './measure.ts';
import { doisRow } from './rows.ts';
import type { Servers } from './servers.ts';

const COUNTS = [1, 10, 100, 1_000, 3_000, 10_000];
/** Below that, what a request costs without any name hides the growth. */
const FIT_FROM = 100;
const CONNECTIONS = 4;

/** The exponent: 1 is linear. */
export async function measureGrowth(servers: Servers, load: Load): Promise<number> {
  const rows: { count: number; bareUs: number; oursUs: number; ratio: number | null }[] = [];
  for (const count of COUNTS) {
    const row = doisRow(count, ['bare', 'wide']);
    const flags = { rows: new Set<string>(), seconds: 1, rounds: 2, against: null };
    const result = await measureRow(row, servers, load, flags, CONNECTIONS);
    const ours = result.get('wide');
    rows.push({
      count,
      bareUs: result.get('bare')?.cpuUs ?? Number.NaN,
      oursUs: ours?.cpuUs ?? Number.NaN,
      ratio: ours?.ratio ?? null,
    });
  }
  printTable(
    `growth with the names of a request, ${CONNECTIONS} connections, limits raised`,
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

/** The slope of a straight line through the logarithms. */
export function fittedExponent(points: readonly (readonly [number, number])[]): number {
  const logs = points.filter(([n]) => n >= FIT_FROM).map(([n, us]) => [Math.log(n), Math.log(us)] as const);
  const mean = (of: readonly number[]): number => of.reduce((sum, x) => sum + x, 0) / of.length;
  const x = mean(logs.map(([n]) => n));
  const y = mean(logs.map(([, us]) => us));
  const covariance = logs.reduce((sum, [n, us]) => sum + (n - x) * (us - y), 0);
  return covariance / logs.reduce((sum, [n]) => sum + (n - x) ** 2, 0);
}
