// The HTTP API and the page of jobs have the options and fields of `doi bulk`.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OUTCOMES } from '../../jobs-page/job.ts';
import { readJobQuery } from '../../src/jobs/http/job-query.ts';
import { FIELDS } from '../../src/tools/bulk/fields.ts';
import { ROW_OUTCOMES } from '../../src/tools/bulk/row-outcomes.ts';

const PAGE = readFileSync(new URL('../../jobs-page/index.html', import.meta.url), 'utf8');
const query = (text: string) => readJobQuery({ query: text, header: () => undefined });
const valuesIn = (pattern: RegExp): string[] => [...PAGE.matchAll(pattern)].map(([, value = '']) => value);

test('a job takes the delimiter, the encoding and the splitting of rows', () => {
  const { table, task } = query('delimiter=tab&encoding=windows-1252&split');
  expect(table).toMatchObject({ delimiter: '\t', encoding: 'windows-1252' });
  expect(task.split).toBe(true);
  expect(query('delimiter=%3B').table.delimiter).toBe(';');
  expect(query('').table).toMatchObject({ delimiter: undefined, encoding: undefined });
  expect(() => query('delimiter=ab')).toThrow('--delimiter must be one character');
  expect(() => query('encoding=utf-7')).toThrow('utf-8, windows-1252');
});

test('a job takes the columns of a reference, and accepts all fields together', () => {
  const fields = FIELDS.map(({ name }) => name).join();
  const { table, task } = query(`reference=author,3&fields=${fields}`);
  expect(table).toMatchObject({ reference: 'author,3', column: undefined });
  expect(task.fields).toBe(`outcome,doi,agrees,differs,candidates,${fields}`);
  expect(query('').table.reference).toBeUndefined();
});

test('the page offers only delimiters and encodings that the API takes', () => {
  const [delimiters, encodings] = ['delimiter', 'encoding'].map((id) => {
    const [, options = ''] = new RegExp(`<select id="${id}">(.*?)</select>`, 's').exec(PAGE) ?? [];
    return [...options.matchAll(/value="([^"]+)"/g)].map(([, value = '']) => value);
  });
  expect(delimiters).toHaveLength(4);
  for (const value of delimiters ?? []) query(`delimiter=${encodeURIComponent(value)}`);
  expect(encodings).toHaveLength(2);
  for (const value of encodings ?? []) query(`encoding=${value}`);
});

test('the page has a place for each outcome that a job counts', () => {
  const places = valuesIn(/<dd id="(\w+)">/g);
  expect(new Set(places)).toEqual(new Set(['rows', ...Object.keys(ROW_OUTCOMES)]));
  expect(new Set(OUTCOMES)).toEqual(new Set(Object.keys(ROW_OUTCOMES)));
});
