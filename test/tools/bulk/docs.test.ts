// The tables of docs/bulk.md are complete.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FIELDS } from '../../../src/tools/bulk/fields.ts';
import { ROW_PROBLEMS } from '../../../src/tools/bulk/row.ts';

const PAGE = readFileSync(new URL('../../../docs/bulk.md', import.meta.url), 'utf8');

test('docs/bulk.md lists the fields', () => {
  const rows = FIELDS.map(({ name, meaning }) => `| \`${name}\` | ${meaning} |`);
  expect(PAGE).toContain(`| field | what it is |\n|---|---|\n${rows.join('\n')}\n\n`);
  const lookedUpFrom = FIELDS.findIndex(({ isLookUp }) => isLookUp);
  expect(FIELDS.slice(lookedUpFrom).every(({ isLookUp }) => isLookUp)).toBe(true);
  expect(PAGE).toContain(`The fields from \`${FIELDS[lookedUpFrom]?.name}\` on need look-ups:`);
});

test('docs/bulk.md lists the problems of rows', () => {
  const [, table = ''] = /\| `error` \| what is wrong \|\n((?:\|.*\n)+)/.exec(PAGE) ?? [];
  const codes = [...table.matchAll(/`([A-Z_0-9]+)`/g)].map(([, code]) => code);
  expect(new Set(codes)).toEqual(new Set(Object.keys(ROW_PROBLEMS)));
});
