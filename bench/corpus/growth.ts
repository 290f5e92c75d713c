// How the time grows with a text that is all one thing.

import { findDois } from '../../src/doi/find/find-dois.ts';
import { printTable } from '../table.ts';

const UNITS = [
  '10.',
  '(',
  '.',
  'doi:',
  '&amp;',
  '10.1/',
  '{',
  '10.1/a(',
  '<',
  'https://doi.org/',
  'See 10.1000/182, p. 3. ',
];
const MEGABYTES = [1, 2, 5, 10];

export function printGrowth(): void {
  printTable(
    'findDois: milliseconds of processor time',
    ['text', ...MEGABYTES.map((size) => `${size} MB`)],
    UNITS.map((unit) => [JSON.stringify(unit), ...MEGABYTES.map((size) => processorMs(unit, size))]),
  );
}

function processorMs(unit: string, megabytes: number): number {
  const text = unit.repeat(Math.floor((megabytes * 1_000_000) / unit.length));
  const before = process.cpuUsage();
  findDois(text);
  const { user, system } = process.cpuUsage(before);
  return Math.round((user + system) / 1_000);
}
