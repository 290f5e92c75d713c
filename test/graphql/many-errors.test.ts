// Errors cost little, however many they are: few words each, and each place in the document is looked for once.

import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Directory } from '../../src/directory/directory.ts';
import { GatewayError } from '../../src/errors.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { createTestGateway } from '../support/gateway.ts';
import { EXECUTIONS, posted } from './two-executions.ts';

interface Told {
  readonly data: { readonly dois: readonly (Readonly<Record<string, unknown>> | null)[] };
  readonly errors: readonly { readonly path: readonly (string | number)[] }[];
}

const LINES = 1_500;

const FIELDS = ['record', 'exists', 'registrationAgency', 'redirect'];

/** Line ends that are looked for in this text: one after the other, wherever the line of a place is wanted. */
function countLineEnds(text: string): () => number {
  const { exec } = RegExp.prototype;
  let count = 0;
  RegExp.prototype.exec = function (this: RegExp, searched) {
    if (searched === text) count += 1;
    return exec.call(this, searched);
  };
  onTestFinished(() => {
    RegExp.prototype.exec = exec;
  });
  return () => count;
}

describe.each(EXECUTIONS)('executed %s', (_, yogaExecutesAll) => {
  async function ask(
    query: string,
    variables: object,
    directory: Directory = createFakeDirectory(),
  ): Promise<string> {
    const gateway = await createTestGateway({ directory, yogaExecutesAll });
    onTestFinished(gateway.close);
    const { method = 'POST', headers = {}, body = '' } = posted(query, variables);
    const response = await gateway.app.fetch(
      new Request('http://gateway.test/graphql', { method, headers, body }),
    );
    return response.text();
  }

  test.each([
    'UPSTREAM_UNAVAILABLE',
    'UPSTREAM_TIMEOUT',
    'UPSTREAM_RATE_LIMITED',
    'UPSTREAM_BAD_RESPONSE',
  ] as const)('a thousand names with four fields, while the directory fails with %s', async (code) => {
    const fail = async () => {
      throw new GatewayError(code);
    };
    const directory = {
      ...createFakeDirectory(),
      resolve: fail,
      whichRa: (names: readonly unknown[]) => names.map(fail),
    };
    const inputs = Array.from({ length: 1_000 }, (_name, index) => `10.5555/${index}`);
    const query = `query ($inputs: [String!]!) {
        dois(inputs: $inputs) {
          record { status }
          exists
          registrationAgency { name }
          redirect { url }
        }
      }`;
    const text = await ask(query, { inputs }, directory);
    const { data, errors } = JSON.parse(text) as Told;
    const placed = errors.map(({ path }) => path.join('.'));
    const places = data.dois.flatMap((_doi, index) => FIELDS.map((field) => `dois.${index}.${field}`));
    expect(places).toHaveLength(4_000);
    expect(placed.sort()).toEqual(places.sort());
    const nulls = Object.fromEntries(FIELDS.map((field) => [field, null]));
    expect(new Set(data.dois.map((doi) => JSON.stringify(doi)))).toEqual(new Set([JSON.stringify(nulls)]));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(800_000);
    expect(gzipSync(text, { level: 4 }).byteLength).toBeLessThanOrEqual(60_000);
  });

  test('of thousands of bad inputs none looks for its line', async () => {
    const text = `${'\n'.repeat(LINES)}query ($inputs: [String!]!) { dois(inputs: $inputs) { name } }`;
    const inputs = Array.from({ length: 9_000 }, () => 'bad');
    const lineEnds = countLineEnds(text);
    const { errors } = JSON.parse(await ask(text, { inputs })) as Told;
    expect(errors).toHaveLength(9_000);
    expect(errors[8_999]).toMatchObject({ locations: [{ line: 1_501, column: 31 }] });
    expect(lineEnds()).toBeGreaterThan(LINES);
    expect(lineEnds()).toBeLessThan(8 * LINES);
  });

  test('nor does one of thousands of fields whose argument cannot be read', async () => {
    const text = `${'\n'.repeat(LINES)}query ($inputs: [String!]!, $types: String = "URL") {
      dois(inputs: $inputs) { redirect(parameters: {types: [$types]}) { url } } }`;
    const inputs = Array.from({ length: 2_000 }, () => '10.5555/1');
    const lineEnds = countLineEnds(text);
    const { errors } = JSON.parse(await ask(text, { inputs, types: null })) as Told;
    expect(errors).toHaveLength(2_000);
    expect(errors[1_999]).toMatchObject({
      path: ['dois', 1_999, 'redirect'],
      locations: [{ line: 1_502, column: 52 }],
    });
    expect(lineEnds()).toBeGreaterThan(LINES);
    expect(lineEnds()).toBeLessThan(8 * LINES);
  });
});
