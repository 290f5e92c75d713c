import { gzipSync } from 'node:zlib';
import { parse } from 'graphql';
import { describe, expect, onTestFinished, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { locationsOf } from '../../src/graphql/document.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { createTestGateway } from '../support/gateway.ts';
import { EXECUTIONS, posted } from './two-executions.ts';

interface Result {
  readonly data: { readonly dois: readonly unknown[] };
  readonly errors: readonly { readonly path: readonly (string | number)[] }[];
}

const FIELDS = ['record', 'exists', 'registrationAgency', 'redirect'];

describe.each(EXECUTIONS)('executed %s', (_, yogaExecutesAll) => {
  test.each([
    'UPSTREAM_UNAVAILABLE',
    'UPSTREAM_TIMEOUT',
    'UPSTREAM_RATE_LIMITED',
    'UPSTREAM_BAD_RESPONSE',
  ] as const)('4,000 errors with the code %s need at most 800 kB, and 60 kB compressed', async (code) => {
    const fail = async () => {
      throw new GatewayError(code);
    };
    const directory = {
      ...createFakeDirectory(),
      resolve: fail,
      whichRa: (names: readonly unknown[]) => names.map(fail),
    };
    const gateway = await createTestGateway({ directory, yogaExecutesAll });
    onTestFinished(gateway.close);
    const inputs = Array.from({ length: 1_000 }, (_name, index) => `10.5555/${index}`);
    const query = `query ($inputs: [String!]!) {
      dois(inputs: $inputs) { record { status } exists registrationAgency { name } redirect { url } }
    }`;
    const { method = 'POST', headers = {}, body = '' } = posted(query, { inputs });
    const response = await gateway.app.fetch(
      new Request('http://gateway.test/graphql', { method, headers, body }),
    );
    const text = await response.text();

    const { data, errors } = JSON.parse(text) as Result;
    const paths = errors.map(({ path }) => path.join('.'));
    const expected = inputs.flatMap((_doi, index) => FIELDS.map((field) => `dois.${index}.${field}`));
    expect(paths.sort()).toEqual(expected.sort());
    const nulls = Object.fromEntries(FIELDS.map((field) => [field, null]));
    expect(data.dois).toEqual(Array(1_000).fill(nulls));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(800_000);
    expect(gzipSync(text, { level: 4 }).byteLength).toBeLessThanOrEqual(60_000);
  });
});

test('the line of a node is searched once for all its errors', () => {
  const nodes = parse('\n  { dois }').definitions;
  const [first] = locationsOf(nodes);
  const [second] = locationsOf(nodes);
  expect(first).toMatchObject({ line: 2, column: 3 });
  expect(second).toBe(first);
});
