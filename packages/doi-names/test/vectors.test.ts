// The published vectors, and real DOI names that break careless code.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readVectors } from '../../../checks/conformance/run/vectors.ts';
import { doiName, READABLE_ENCODINGS } from '../../../test/support/doi-names.ts';
import { testTable } from '../../../test/support/test-table.ts';
import { DOI_ENCODINGS, type ProxyUrlParameters, proxyQuery, recommendedUrl } from '../src/encoding-forms.ts';
import { compareDois } from '../src/equivalence.ts';
import { findDois } from '../src/find/find-dois.ts';
import { lookalikes } from '../src/lookalikes.ts';
import { canonicalName } from '../src/name.ts';
import { parseDoi } from '../src/parse.ts';

interface ProxyUrlRow {
  readonly name: string;
  readonly parameters: ProxyUrlParameters;
  readonly proxyUrl: string;
}

const proxyUrlRows: readonly ProxyUrlRow[] = JSON.parse(fixture('vectors/proxy-url.json'));
const hardDois = fixture('hard-dois.txt').trimEnd().split('\n');

function fixture(path: string): string {
  return readFileSync(new URL(`../../../test/fixtures/${path}`, import.meta.url), 'utf8');
}

/** The vectors write URL_MANDATORY as `urlMandatory`. */
const ENCODERS = new Map(
  Object.entries(DOI_ENCODINGS).map(([form, { encode }]) => [
    form === 'URL_RECOMMENDED' ? 'url' : camelCase(form),
    encode,
  ]),
);

function camelCase(form: string): string {
  return form.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

testTable(readVectors('encode').cases)('the encoding vectors hold', ({ input: { name, form }, expected }) => {
  const encode = form === 'canonicalName' ? canonicalName : ENCODERS.get(form);
  expect(encode?.(doiName(name))).toBe(expected.text);
});

test('every form has encoding vectors, and a name without `url` has the mandatory URL', () => {
  const { cases } = readVectors('encode');
  const forms = new Set(cases.map(({ input }) => input.form));
  expect(new Set([...forms, 'name'])).toEqual(new Set([...ENCODERS.keys(), 'canonicalName']));

  const withUrl = new Set(cases.filter(({ input }) => input.form === 'url').map(({ input }) => input.name));
  for (const { input, expected } of cases.filter((each) => each.input.form === 'urlMandatory')) {
    const url = DOI_ENCODINGS.URL_RECOMMENDED.encode(doiName(input.name));
    expect(url === expected.text).toBe(!withUrl.has(input.name));
  }
});

testTable(readVectors('parse').cases)('the parse vectors hold', ({ input, expected, details }) => {
  const parsed = parseDoi(input.text, input.form);
  expect(parsed.name).toBe(expected.name);
  expect(parsed.problem?.code).toBe(details?.problem);
  if (details?.form) expect(parsed.form).toBe(details.form);
});

testTable(readVectors('equivalence').cases)(
  'the equivalence vectors hold',
  ({ input, expected, details }) => {
    const { equivalent, relation } = compareDois(parseDoi(input.a), parseDoi(input.b), lookalikes);
    expect({ equivalent, relation }).toEqual({ ...expected, ...details });
  },
);

testTable(readVectors('find').cases)('the find vectors hold', ({ input, expected, details }) => {
  const found = findDois(input.text);
  expect(found.map(({ name }) => name)).toEqual(expected.names);
  // The vectors have the places of the names. A match can begin earlier, with a label or an address.
  for (const [at, [start, end]] of (details?.places ?? []).entries())
    expect([found[at]?.end, (found[at]?.start ?? end) <= start]).toEqual([end, true]);
});

testTable(proxyUrlRows)('the proxy URL vectors hold', (row) => {
  expect(recommendedUrl(doiName(row.name)) + proxyQuery(row.parameters)).toBe(row.proxyUrl);
});

testTable(hardDois)('real DOI names are read from every form', (text) => {
  const name = doiName(text);
  const { DISPLAY, URL_RECOMMENDED } = DOI_ENCODINGS;
  for (const { label, encode } of Object.values(READABLE_ENCODINGS)) {
    expect(parseDoi(encode(name)), label).toMatchObject({ name, problem: null });
  }
  expect(parseDoi(DISPLAY.encode(name)).name).toBe(text.includes('%') ? null : name);
  expect(decodeURIComponent(new URL(URL_RECOMMENDED.encode(name)).pathname)).toBe(`/${text}`);
});
