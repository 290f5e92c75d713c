// A person read every field of 30 recorded works. The gateway must read the same.

import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { testTable } from '../support/test-table.ts';
import { detailLines } from './detail-lines.ts';
import { RECORDED_WORKS } from './recorded-works.ts';

/** The lines of each work, by its name. */
const BY_HAND: ReadonlyMap<string, readonly string[]> = new Map(
  readFileSync(new URL('../fixtures/works-by-hand.txt', import.meta.url), 'utf8')
    .split(/^# /m)
    .slice(1)
    .map((text) => text.trim().split('\n'))
    .map(([name = '', ...lines]) => [name, lines]),
);

testTable([...BY_HAND])('a work has each detail that a person read', (name, expected) => {
  expect(BY_HAND.size).toBe(30);
  const work = RECORDED_WORKS.find((recorded) => recorded.name.toLowerCase() === name);
  const abstract = expected.find((line) => line.startsWith('abstract: '));
  const read = detailLines(work?.read ?? expect.fail('no such work'), abstract);
  const without = (some: readonly string[], others: readonly string[]) =>
    some.filter((line) => !others.includes(line)).join('\n');
  expect(without(read, expected)).toBe(without(expected, read));
  expect(read).toEqual(expected);
});
