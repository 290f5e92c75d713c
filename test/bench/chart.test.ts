// The chart of docs/benchmarks.md: one bar for each server that has a ratio.

import { expect, test } from 'vitest';
import { chartOf } from '../../bench/compare/chart.ts';
import type { Result } from '../../bench/compare/measure.ts';
import { TITLES } from '../../bench/compare/servers.ts';

const resultOf = (ratio: number | null): Result => ({
  ratio,
  cpuUs: 1,
  requestsPerSecond: 1,
  p50Ms: 1,
  p99Ms: 1,
  rssMb: 1,
});

test('each server with a ratio has a bar with its name, and the lengths of the bars follow the ratios', () => {
  const result = new Map([
    ['bare', resultOf(1)],
    ['yoga', resultOf(2)],
    ['ours', resultOf(0.5)],
    ['live', resultOf(null)],
  ] as const);
  const svg = chartOf([{ title: 'dois of 1 name', result }], TITLES);
  const bars = [...svg.matchAll(/<text [^>]*text-anchor="end">([^<]+)<\/text><rect [^>]*width="([\d.]+)"/g)];
  const [, , widest = ''] = bars[1] ?? [];
  expect(bars.map(([, title, width]) => [title, Number(width) / Number(widest)])).toEqual([
    ['bare node:http', 0.5],
    ['Yoga', 1],
    ['ours', expect.closeTo(0.25, 2)],
  ]);
});
