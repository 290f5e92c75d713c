// What a client may ask for at once: large honest queries pass, and what would cost too much is refused
// before anything is asked for, in words that say what to do instead.

import { describe, expect, onTestFinished, test } from 'vitest';
import { createFakeDirectory, urlValue } from '../support/fake-directory.ts';
import { createTestGateway, type GraphqlResult } from '../support/gateway.ts';
import { createFakeGateway, NO_CALLS } from './fake-gateway.ts';

const THOUSAND = Array.from({ length: 1000 }, (_, index) => `10.1000/${index}`);

function aliases(count: number, selection: string): string {
  return Array.from({ length: count }, (_, index) => `a${index}: ${selection}`).join(' ');
}

/** Fragments of which each spreads the next several times: what they name grows exponentially. */
function doublingFragments(depth: number, times: number): string {
  const fragments = Array.from(
    { length: depth },
    (_, index) => `fragment f${index} on DOI { ${`...f${index + 1} `.repeat(times)}}`,
  );
  return [...fragments, `fragment f${depth} on DOI { id }`].join('\n');
}

/** The operation is refused as a whole, with a code and words for the client. */
function expectRefusal(result: GraphqlResult<unknown>, advice: RegExp): void {
  const { data, errors = [] } = result;
  expect(errors.length).toBeGreaterThan(0);
  expect(Object.values(data ?? {}).every((value) => value === null)).toBe(true);
  for (const { message, extensions } of errors) {
    expect(extensions).toEqual({ code: 'LIMIT_EXCEEDED', retryable: false });
    expect(message).toMatch(advice);
  }
}

describe('a query of 1,000 DOIs', () => {
  test('with thirty fields each, record values among them, is answered', async () => {
    const records = Object.fromEntries(
      THOUSAND.map((name) => [
        name,
        [1, 2, 3, 4, 5].map((index) => urlValue(`https://x.org/${index}`, { index })),
      ]),
    );
    const { query, calls } = await createFakeGateway({ records });
    const { data, errors } = await query<{ dois: { exists: boolean; record: { values: unknown[] } }[] }>(
      `query ($inputs: [String!]!) { dois(inputs: $inputs) {
        id name canonicalName prefix suffix directoryIndicator registrantCode display uri url
        mandatory: url(encoding: MANDATORY) dxUrl urn urnUrl infoUri handleUri apiUrl whichRaUrl proxyUrl webForm
        html markdown utf8Hex warnings { code message position } exists registrationAgency { name title }
        whichRa { status message }
        record { responseCode status handle message fetchedAt freshUntil stale
          values { index type text ttl timestamp data { format ... on HandleStringData { value } } } }
      } }`,
      { inputs: THOUSAND },
    );
    expect(errors).toBeUndefined();
    expect(data.dois).toHaveLength(1000);
    expect(data.dois.every(({ exists, record }) => exists && record.values.length === 5)).toBe(true);
    expect(calls.resolve).toHaveLength(1000);
    expect(calls.whichRa).toEqual([THOUSAND]);
  });

  test('is accepted also with two fields with a look-up and the list of all encodings', async () => {
    const { query, calls } = await createFakeGateway();
    const { errors } = await query(
      'query ($inputs: [String!]!) { dois(inputs: $inputs) { id exists encodings { form label value } } }',
      { inputs: THOUSAND },
    );
    expect(errors).toBeUndefined();
    expect(calls.resolve).toHaveLength(1000);
  });
});

describe('an operation that may come to too many fields', () => {
  const ADVICE =
    /more than the \d+ .*64 characters or more, each field costs several times as much\. Ask for fewer DOIs/;

  interface Row {
    readonly what: string;
    readonly query: string;
    readonly variables?: Readonly<Record<string, unknown>>;
  }
  const rows: readonly Row[] = [
    {
      what: 'a list of 1,000 names under 100 aliases, the names in one variable',
      query: `query ($inputs: [String!]!) { ${aliases(100, 'dois(inputs: $inputs) { exists }')} }`,
      variables: { inputs: THOUSAND },
    },
    {
      what: 'the same list read by parseDois',
      query: `query ($inputs: [String!]!) { ${aliases(100, 'parseDois(inputs: $inputs) { form }')} }`,
      variables: { inputs: THOUSAND },
    },
    {
      what: 'the same list sorted into classes',
      query: `query ($inputs: [String!]!) {
        ${aliases(100, 'doiEquivalenceClasses(inputs: $inputs) { classes { members { index } } }')} }`,
      variables: { inputs: THOUSAND },
    },
    {
      what: 'the same list as the default value of the variable',
      query: `query ($inputs: [String!]! = ${JSON.stringify(THOUSAND)}) {
        ${aliases(100, 'dois(inputs: $inputs) { exists }')} }`,
    },
    {
      what: 'one name of 100,000 characters in all forms under many aliases',
      query: `query ($input: String!) {
        ${aliases(50, 'doi(input: $input) { html markdown utf8Hex codePoints encodings { value } }')} }`,
      variables: { input: `10.1000/${'x'.repeat(100_000)}` },
    },
    {
      what: 'one name of 900,000 characters in all forms',
      query: 'query ($input: String!) { doi(input: $input) { html markdown utf8Hex encodings { value } } }',
      variables: { input: `10.1000/${'x'.repeat(900_000)}` },
    },
    {
      what: 'two names of 400,000 characters compared, in all forms',
      query: `query ($input: String!) { doiEquivalence(a: $input, b: $input) {
        a { doi { encodings { value } } } b { doi { encodings { value } } } } }`,
      variables: { input: `10.1000/${'x'.repeat(400_000)}` },
    },
    {
      what: 'all encodings under many aliases of many names',
      query: `query ($inputs: [String!]!) { dois(inputs: $inputs) { ${aliases(10, 'encodings { form label value }')} } }`,
      variables: { inputs: THOUSAND },
    },
    {
      what: 'many directory fields of many names',
      query: `query ($inputs: [String!]!) { dois(inputs: $inputs) {
        ${aliases(10, 'record { values { data { format } references { handle } } }')} } }`,
      variables: { inputs: THOUSAND },
    },
    {
      what: 'fragments that double at each of 25 levels',
      query: `{ doi(input: "10.1000/1") { ...f0 } } ${doublingFragments(25, 2)}`,
    },
    {
      what: 'fragments that grow past all numbers',
      query: `{ doi(input: "10.1000/1") { ...f0 } } ${doublingFragments(650, 3)}`,
    },
    {
      what: 'an endless cost times an empty list, beside what costs too much',
      query: `query ($inputs: [String!]!) {
        none: dois(inputs: []) { ...f0 } ${aliases(100, 'dois(inputs: $inputs) { exists }')}
      } ${doublingFragments(650, 3)}`,
      variables: { inputs: THOUSAND },
    },
  ];
  for (const { what, query: text, variables } of rows) {
    test(`is refused without a look-up: ${what}`, async () => {
      const { query, calls } = await createFakeGateway();
      expectRefusal(await query(text, variables), ADVICE);
      expect(calls).toEqual(NO_CALLS);
    });
  }

  test('has an error with its cost and the limit, which the operator sets', async () => {
    const directory = createFakeDirectory();
    const gateway = await createTestGateway({ directory, limits: { complexity: 200 } });
    onTestFinished(gateway.close);
    const ask = (count: number) =>
      gateway.query('query ($inputs: [String!]!) { dois(inputs: $inputs) { id } }', {
        inputs: THOUSAND.slice(0, count),
      });
    expect((await ask(5)).errors).toBeUndefined();
    expectRefusal(await ask(100), /\b2600\b.*\b200\b/);
    expect(directory.calls).toEqual(NO_CALLS);
  });

  test('counts each selection on a pair of inputs once, and more often for the longer of them', async () => {
    const gateway = await createTestGateway({ directory: createFakeDirectory(), limits: { complexity: 10 } });
    onTestFinished(gateway.close);
    const asked = (b: string) => `{ doiEquivalence(a: "10.1000/1", b: "${b}") { a { input } b { input } } }`;
    expectRefusal(await gateway.query(asked('10.1000/2')), /\bcosts 54,/);
    expectRefusal(await gateway.query(asked('x'.repeat(2 * 64))), /\bcosts 62,/);
  });

  test('also counts names that cannot be read, because each can have an error', async () => {
    const { query, calls } = await createFakeGateway();
    const inputs = Array.from({ length: 50_000 }, () => 'x');
    expectRefusal(
      await query('query ($inputs: [String!]!) { dois(inputs: $inputs) { id } }', { inputs }),
      ADVICE,
    );
    expect(calls).toEqual(NO_CALLS);
  });
});

describe('a document that is too long', () => {
  test('with 10,000 aliases is refused, with the advice to pass variables and lists', async () => {
    const { query, calls } = await createFakeGateway();
    const advice = /more than \d+ tokens.*variables.*dois\(inputs:\)/;
    expectRefusal(await query(`{ ${aliases(10_000, 'doi(input: "10.1000/1") { exists }')} }`), advice);
    expectRefusal(await query(`{ ${aliases(10_000, '__typename')} }`), advice);
    expectRefusal(await query(`{ doi(input: "10.1000/1") { ${aliases(10_000, 'id')} } }`), advice);
    expect(calls).toEqual(NO_CALLS);
  });

  test('with 1,000 names written into it is refused; as variables they pass', async () => {
    const directory = createFakeDirectory();
    const gateway = await createTestGateway({ directory, limits: { queryTokens: 500 } });
    onTestFinished(gateway.close);
    expectRefusal(
      await gateway.query(`{ dois(inputs: ${JSON.stringify(THOUSAND)}) { id } }`),
      /more than 500 tokens/,
    );
    const { errors } = await gateway.query('query ($inputs: [String!]!) { dois(inputs: $inputs) { id } }', {
      inputs: THOUSAND,
    });
    expect(errors).toBeUndefined();
    expect(directory.calls).toEqual(NO_CALLS);
  });

  test('in bytes is refused before it is read', async () => {
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

describe('a document that says the same again and again', () => {
  const ADVICE = /repeats fields so often.*Select each field of an object only once/;
  const rows = [
    { what: 'a field 900 times', query: `{ doi(input: "10.1000/1") { ${'exists '.repeat(900)} } }` },
    { what: 'a DOI 900 times', query: `{ ${'doi(input: "10.1000/1") { exists } '.repeat(900)} }` },
    {
      what: 'a field 900 times, in fragments',
      query: `{ doi(input: "10.1000/1") { ${'... on DOI { exists } '.repeat(900)} } }`,
    },
  ];
  for (const { what, query: text } of rows) {
    test(`is refused with the advice to say it once: ${what}`, async () => {
      const { query, calls } = await createFakeGateway();
      expectRefusal(await query(text), ADVICE);
      expect(calls).toEqual(NO_CALLS);
    });
  }

  test('a few times is merged, as GraphQL says', async () => {
    const { query, calls } = await createFakeGateway();
    const result = await query(`{ ${'doi(input: "10.1000/1") { id id } '.repeat(5)} }`);
    expect(result).toEqual({ data: { doi: { id: 'doi:10.1000/1' } } });
    expect(calls).toEqual(NO_CALLS);
  });
});

describe('a document made to be hard to read', () => {
  test('with fragments that go in a circle is no valid query', async () => {
    const { query, calls } = await createFakeGateway();
    const { errors } = await query(
      '{ doi(input: "10.1000/1") { ...A } } fragment A on DOI { ...B } fragment B on DOI { ...A }',
    );
    expect(errors?.[0]?.extensions).toEqual({ code: 'GRAPHQL_VALIDATION_FAILED', retryable: false });
    expect(calls).toEqual(NO_CALLS);
  });
});

describe('introspection', () => {
  test('that follows types in a circle is refused', async () => {
    const { query } = await createFakeGateway();
    const circle = `${'fields { type { '.repeat(10)}name${' } }'.repeat(10)}`;
    const { errors } = await query(`{ __schema { types { ${circle} } } }`);
    expect(errors?.[0]?.extensions).toMatchObject({ retryable: false });
    expect(errors?.[0]?.message).toMatch(/introspection depth/i);
  });

  test('of the whole schema under 500 aliases is refused like anything else that costs too much', async () => {
    const { query } = await createFakeGateway();
    const whole = 'types { name description fields { name description args { name description } } }';
    const result = await query(
      `{ ${aliases(500, '__schema { ...Whole }')} } fragment Whole on __Schema { ${whole} }`,
    );
    expectRefusal(result, /\w/);
  });
});
