// The inspector parses inputs as the gateway does, so that its page does not change with the response.

import { readFileSync } from 'node:fs';
import { isAscii } from 'doi-names/parts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readVectors } from '../../../checks/conformance/run/vectors.ts';
import { readAtOnce } from '../../../inspector/read-at-once.ts';
import { createTestGateway, type TestGateway } from '../../support/gateway.ts';

const hard = readFileSync(new URL('../../fixtures/hard-dois.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const INPUTS = [
  ...readVectors('parse').cases.map(({ input }) => input.text),
  ...readVectors('warnings').cases.map(({ input }) => input.name),
  ...hard.slice(0, 100).map((name) => `https://doi.org/${encodeURI(name)}?noredirect#top`),
  ...['See 10.1000/1.', 'arXiv:2101.00001', 'ISBN 978-3-16-148410-0', '10.1000/a 10.1000/b', 'hdl:2381/1'],
].filter((input) => input.isWellFormed());

const QUERY = `query ($inputs: [String!]!) { parseDois(inputs: $inputs) {
  form fragment proxyParameters { name value } problem { code message position looksLike }
  meant { doi { id name } }
  doi {
    id name canonicalName prefix suffix directoryIndicator registrantCode
    warnings { code message position repaired { id name } }
  }
} }`;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await createTestGateway();
});
afterAll(() => gateway.close());

interface ParsedInput {
  readonly doi: { readonly name: string } | null;
  readonly problem: { readonly code: string } | null;
}

test('readAtOnce agrees with the gateway, except that it skips shortDOIs and names outside ASCII', async () => {
  const { data } = await gateway.query<{ parseDois: readonly ParsedInput[] }>(QUERY, { inputs: INPUTS });
  const differing = INPUTS.filter((input, at) => {
    const parsed = data?.parseDois[at];
    const isSkipped = parsed?.problem?.code === 'SHORT_DOI' || !isAscii(parsed?.doi?.name ?? '');
    return JSON.stringify(isSkipped ? null : parsed) !== JSON.stringify(readAtOnce(input));
  });
  expect(differing).toEqual([]);
  expect(INPUTS.filter((input) => readAtOnce(input) !== null).length).toBeGreaterThan(150);
});
