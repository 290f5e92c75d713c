// An operation whose price exceeds the limit is refused before any look-up. Operations that pass are in
// test/graphql/allowed-operations.test.ts. Other hostile documents are in test/abuse.

import { describe, expect, onTestFinished, test } from 'vitest';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { createTestGateway, type GraphqlResult } from '../support/gateway.ts';
import { createFakeGateway, NO_CALLS } from './fake-gateway.ts';

const THOUSAND = Array.from({ length: 1000 }, (_, index) => `10.1000/${index}`);
const IDS = 'query ($inputs: [String!]!) { dois(inputs: $inputs) { id } }';

function aliases(count: number, selection: string): string {
  return Array.from({ length: count }, (_, index) => `a${index}: ${selection}`).join(' ');
}

/** Each fragment spreads the next fragment several times, so the number of fields grows exponentially. */
function doublingFragments(depth: number, times: number): string {
  const fragments = Array.from(
    { length: depth },
    (_, index) => `fragment f${index} on DOI { ${`...f${index + 1} `.repeat(times)}}`,
  );
  return [...fragments, `fragment f${depth} on DOI { id }`].join('\n');
}

/** Expects that the whole operation is refused, with this advice. */
function expectRefusal(result: GraphqlResult<unknown>, advice: RegExp): void {
  const { data, errors = [] } = result;
  expect(errors.length).toBeGreaterThan(0);
  expect(Object.values(data ?? {}).every((value) => value === null)).toBe(true);
  for (const { message, extensions } of errors) {
    expect(extensions).toEqual({ code: 'LIMIT_EXCEEDED', retryable: false });
    expect(message).toMatch(advice);
  }
}

describe('an operation with too many possible fields', () => {
  const ADVICE =
    /more than the \d+ .*64 characters or more, each field costs several times as much\. Ask for fewer DOIs/;
  const exists = aliases(100, 'dois(inputs: $inputs) { exists }');

  test.each<[string, string, Readonly<Record<string, unknown>>?]>([
    ['1,000 names in a variable, under 100 aliases', `query ($inputs: [String!]!) { ${exists} }`],
    [
      '1,000 names for parseDois',
      `query ($inputs: [String!]!) { ${aliases(100, 'parseDois(inputs: $inputs) { form }')} }`,
    ],
    [
      '1,000 names for doiEquivalenceClasses',
      `query ($inputs: [String!]!) {
        ${aliases(100, 'doiEquivalenceClasses(inputs: $inputs) { classes { members { index } } }')} }`,
    ],
    [
      '1,000 names as the default of a variable',
      `query ($inputs: [String!]! = ${JSON.stringify(THOUSAND)}) { ${exists} }`,
      {},
    ],
    [
      'a name of 100,000 characters under many aliases',
      `query ($input: String!) {
        ${aliases(50, 'doi(input: $input) { html markdown utf8Hex codePoints encodings { value } }')} }`,
      { input: `10.1000/${'x'.repeat(100_000)}` },
    ],
    [
      'a name of 900,000 characters in all forms',
      'query ($input: String!) { doi(input: $input) { html markdown utf8Hex encodings { value } } }',
      { input: `10.1000/${'x'.repeat(900_000)}` },
    ],
    [
      'two names of 400,000 characters in all forms',
      `query ($input: String!) { doiEquivalence(a: $input, b: $input) {
        a { doi { encodings { value } } } b { doi { encodings { value } } } } }`,
      { input: `10.1000/${'x'.repeat(400_000)}` },
    ],
    [
      'all encodings of many names under many aliases',
      `query ($inputs: [String!]!) { dois(inputs: $inputs) { ${aliases(10, 'encodings { form label value }')} } }`,
    ],
    [
      'the values of many names under many aliases',
      `query ($inputs: [String!]!) { dois(inputs: $inputs) {
        ${aliases(10, 'record { values { data { format } references { handle } } }')} } }`,
    ],
    [
      'fragments that double at 25 levels',
      `{ doi(input: "10.1000/1") { ...f0 } } ${doublingFragments(25, 2)}`,
      {},
    ],
    [
      'fragments with an infinite price',
      `{ doi(input: "10.1000/1") { ...f0 } } ${doublingFragments(650, 3)}`,
      {},
    ],
    [
      'an infinite price for each name of an empty list, beside a price above the limit',
      `query ($inputs: [String!]!) { none: dois(inputs: []) { ...f0 } ${exists} } ${doublingFragments(650, 3)}`,
    ],
    ['50,000 unreadable names', IDS, { inputs: Array(50_000).fill('x') }],
  ])('is refused without a look-up: %s', async (_, text, variables = { inputs: THOUSAND }) => {
    const { query, calls } = await createFakeGateway();
    expectRefusal(await query(text, variables), ADVICE);
    expect(calls).toEqual(NO_CALLS);
  });

  test('has its price and the configured limit in its error', async () => {
    const gateway = await createTestGateway({
      directory: createFakeDirectory(),
      limits: { complexity: 200 },
    });
    onTestFinished(gateway.close);
    const resultOf = (count: number) => gateway.query(IDS, { inputs: THOUSAND.slice(0, count) });
    expect((await resultOf(5)).errors).toBeUndefined();
    expectRefusal(await resultOf(100), /\b2600\b.*\b200\b/);
  });

  test('can be a comparison of two inputs, which costs more if an input is longer', async () => {
    const gateway = await createTestGateway({ directory: createFakeDirectory(), limits: { complexity: 10 } });
    onTestFinished(gateway.close);
    const compare = (b: string) =>
      `{ doiEquivalence(a: "10.1000/1", b: "${b}") { a { input } b { input } } }`;
    expectRefusal(await gateway.query(compare('10.1000/2')), /\bcosts 54,/);
    expectRefusal(await gateway.query(compare('x'.repeat(2 * 64))), /\bcosts 62,/);
  });
});

describe('a document that is too large', () => {
  test('because of its tokens is refused with the advice to use variables and lists', async () => {
    const { query, calls } = await createFakeGateway();
    const advice = /more than \d+ tokens.*variables.*dois\(inputs:\)/;
    expectRefusal(await query(`{ ${aliases(10_000, 'doi(input: "10.1000/1") { exists }')} }`), advice);
    expect(calls).toEqual(NO_CALLS);
  });

  test('with 1,000 names as literals is refused, and the same names in a variable pass', async () => {
    const directory = createFakeDirectory();
    const gateway = await createTestGateway({ directory, limits: { queryTokens: 500 } });
    onTestFinished(gateway.close);
    expectRefusal(
      await gateway.query(`{ dois(inputs: ${JSON.stringify(THOUSAND)}) { id } }`),
      /more than 500 tokens/,
    );
    expect((await gateway.query(IDS, { inputs: THOUSAND })).errors).toBeUndefined();
  });

  test('because of its bytes is refused before the gateway reads it', async () => {
    const directory = createFakeDirectory();
    const gateway = await createTestGateway({ directory }, { MAX_BODY_BYTES: '2000' });
    onTestFinished(gateway.close);
    const { errors } = await gateway.query('query ($input: String!) { doi(input: $input) { exists } }', {
      input: `10.1000/${'x'.repeat(2000)}`,
    });
    expect(errors).toMatchObject([{ extensions: { code: 'LIMIT_EXCEEDED', retryable: false } }]);
    expect(directory.calls).toEqual(NO_CALLS);
  });
});

test('a document that repeats a selection 900 times is refused with advice', async () => {
  const { query, calls } = await createFakeGateway();
  const advice = /repeats fields so often.*Select each field of an object only once/;
  expectRefusal(await query(`{ ${'doi(input: "10.1000/1") { exists } '.repeat(900)} }`), advice);
  expect(calls).toEqual(NO_CALLS);
});

test('a document that repeats a selection a few times has one merged result, as GraphQL specifies', async () => {
  const { query } = await createFakeGateway();
  const result = await query(`{ ${'doi(input: "10.1000/1") { id id } '.repeat(5)} }`);
  expect(result).toEqual({ data: { doi: { id: 'doi:10.1000/1' } } });
});
