// The rules as rows: every case of test/fixtures/vectors, and real DOI names that break careless code.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compareDois } from '../../src/doi/equivalence.ts';
import { DOI_ENCODINGS } from '../../src/doi/labelled-forms.ts';
import { lookalikes } from '../../src/doi/lookalikes.ts';
import { canonicalName } from '../../src/doi/name.ts';
import { parseDoi } from '../../src/doi/parse.ts';
import { type ProxyUrlParameters, proxyUrl } from '../../src/doi/proxy-url.ts';
import type { DoiForm } from '../../src/doi/recognise.ts';
import { doiName } from '../support/doi-names.ts';
import { testTable } from '../support/test-table.ts';

interface EncodingRow extends Readonly<Record<string, string | readonly string[]>> {
  readonly name: string;
  readonly codePoints: readonly string[];
}

interface ParseRow {
  readonly input: string;
  readonly form?: DoiForm;
  readonly name?: string;
  readonly detected?: DoiForm;
  readonly error?: string;
}

interface EquivalenceRow {
  readonly a: string;
  readonly b: string;
  readonly equivalent: boolean | null;
  readonly relation: string;
}

interface ProxyUrlRow {
  readonly name: string;
  readonly parameters: ProxyUrlParameters;
  readonly proxyUrl: string;
}

const encodingRows: readonly EncodingRow[] = JSON.parse(fixture('vectors/encoding.json'));
const parseRows: readonly ParseRow[] = JSON.parse(fixture('vectors/parse.json'));
const equivalenceRows: readonly EquivalenceRow[] = JSON.parse(fixture('vectors/equivalence.json'));
const proxyUrlRows: readonly ProxyUrlRow[] = JSON.parse(fixture('vectors/proxy-url.json'));
const hardDois = fixture('hard-dois.txt').trimEnd().split('\n');

function fixture(path: string): string {
  return readFileSync(new URL(`../fixtures/${path}`, import.meta.url), 'utf8');
}

testTable(encodingRows)('encoding vectors', (row) => {
  const name = doiName(row.name);
  const { DISPLAY, URL_RECOMMENDED, CODE_POINTS, ...others } = DOI_ENCODINGS;
  const written: Record<string, string | readonly string[]> = {
    id: others.URI.encode(name),
    canonicalName: canonicalName(name),
    display: DISPLAY.encode(name),
    url: URL_RECOMMENDED.encode(name),
    codePoints: CODE_POINTS.encode(name).split(' '),
  };
  for (const [form, { encode }] of Object.entries(others)) written[camelCase(form)] = encode(name);
  expect(written).toEqual(row);
});

/** `urlMandatory` of `URL_MANDATORY` */
function camelCase(form: string): string {
  return form.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

testTable(parseRows)('parse vectors', (row) => {
  const parsed = parseDoi(row.input, row.form ?? null);
  expect(parsed.name).toBe(row.name ?? null);
  expect(parsed.problem?.code).toBe(row.error);
  if (row.detected) expect(parsed.form).toBe(row.detected);
});

testTable(equivalenceRows)('equivalence vectors', (row) => {
  const { equivalent, relation } = compareDois(parseDoi(row.a), parseDoi(row.b), lookalikes);
  expect({ equivalent, relation }).toEqual({ equivalent: row.equivalent, relation: row.relation });
});

testTable(proxyUrlRows)('proxy URL vectors', (row) => {
  expect(proxyUrl(doiName(row.name), row.parameters)).toBe(row.proxyUrl);
});

describe('real DOI names', () => {
  test('are all there', () => {
    expect(hardDois).toHaveLength(930);
  });

  testTable(hardDois)('are read from every form', (text) => {
    const name = doiName(text);
    const { DISPLAY, URL_RECOMMENDED } = DOI_ENCODINGS;
    for (const { label, encode } of Object.values(DOI_ENCODINGS).filter(({ isReadable }) => isReadable)) {
      expect(parseDoi(encode(name)), label).toMatchObject({ name, problem: null });
    }
    expect(parseDoi(DISPLAY.encode(name)).name).toBe(text.includes('%') ? null : name);
    expect(decodeURIComponent(new URL(URL_RECOMMENDED.encode(name)).pathname)).toBe(`/${text}`);
  });
});
