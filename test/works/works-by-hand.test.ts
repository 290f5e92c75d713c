// Every field of 30 recorded works, compared with what a person read in the records of the agencies.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
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

test('the table has 30 works', () => {
  expect(BY_HAND.size).toBe(30);
});

testTable([...BY_HAND])('%s has each detail that a person read', (name, expected) => {
  const work = RECORDED_WORKS.find((recorded) => recorded.name.toLowerCase() === name);
  const abstract = expected.find((line) => line.startsWith('abstract: '));
  const read = detailLines(work?.read ?? expect.fail('no such work'), abstract);
  const without = (some: readonly string[], others: readonly string[]) =>
    some.filter((line) => !others.includes(line)).join('\n');
  expect(without(read, expected)).toBe(without(expected, read));
  expect(read).toEqual(expected);
});
