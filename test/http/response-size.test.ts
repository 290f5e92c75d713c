// How large a response may be: what would be too large is an error, and never more than that.

import { describe, expect, onTestFinished, test } from 'vitest';
import { askForParts, MULTIPART, SSE } from '../graphql/incremental/parts.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { startGateway } from '../support/gateway.ts';
import { graphqlResult, post } from './exchange.ts';

async function start(maxBytes: number) {
  const gateway = await startGateway({
    directory: createFakeDirectory(),
    limits: { responseBytes: maxBytes },
  });
  onTestFinished(() => gateway.close());
  return gateway;
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `10.5555/${index}`);
const alias = (length: number) => 'a'.repeat(length);

describe('an answer that would be too large', () => {
  const QUERY = `query ($inputs: [String!]!) { dois(inputs: $inputs) { ${alias(1_000)}: name } }`;

  test('is one error, that says what to do', async () => {
    const gateway = await start(100_000);
    const answer = await post(gateway, JSON.stringify({ query: QUERY, variables: { inputs: names(100) } }));
    expect(graphqlResult(answer)).toEqual({
      errors: [
        {
          message: expect.stringMatching(
            /^The response would be larger than the 100000 bytes .+ short aliases\.$/,
          ),
          extensions: { code: 'LIMIT_EXCEEDED', retryable: false },
        },
      ],
    });
  });

  test('is told from one that is just small enough', async () => {
    const gateway = await start(110_000);
    const answer = await post(gateway, JSON.stringify({ query: QUERY, variables: { inputs: names(100) } }));
    expect(graphqlResult(answer).errors).toBeUndefined();
  });

  test('counts the errors of its names', async () => {
    const gateway = await start(100_000);
    const query = `query ($inputs: [String!]!) { ${alias(2_000)}: dois(inputs: $inputs) { name } }`;
    const answer = await post(
      gateway,
      JSON.stringify({ query, variables: { inputs: Array(100).fill('bad') } }),
    );
    expect(graphqlResult(answer).errors?.map(({ extensions }) => extensions['code'])).toEqual([
      'LIMIT_EXCEEDED',
    ]);
  });
});

describe.each([MULTIPART, SSE])('an answer in parts that grows too large, as %s', (accept) => {
  test.each([
    [
      'by a label',
      `query ($inputs: [String!]!) { dois(inputs: $inputs) { ... @defer(label: "${alias(2_000)}") { name } } }`,
    ],
    [
      'by an alias',
      `query ($inputs: [String!]!) { dois(inputs: $inputs) { ... @defer { ${alias(2_000)}: name } } }`,
    ],
    [
      'by an alias of what is streamed',
      `query ($inputs: [String!]!) { dois(inputs: $inputs) @stream { ${alias(2_000)}: name } }`,
    ],
  ])('ends with an error: %s', async (_what, query) => {
    const gateway = await start(100_000);
    const answer = await askForParts(gateway, query, { variables: { inputs: names(500) }, accept });
    const parts = [];
    for (let part = await answer.next(); part !== null; part = await answer.next()) parts.push(part);
    expect(parts.at(-1)).toEqual({
      errors: [
        {
          message: expect.stringContaining('100000 bytes'),
          extensions: { code: 'LIMIT_EXCEEDED', retryable: false },
        },
      ],
      hasNext: false,
    });
    expect(answer.text().length).toBeLessThan(120_000);
    const next = await post(gateway, '{"query": "{ doiDirectory { kind } }"}');
    expect(next.status).toBe(200);
  });
});

test('a list inside the items of another is not streamed: nobody knows how long it is', async () => {
  const gateway = await start(1_000_000);
  for (const query of [
    '{ doi(input: "10.5555/1") { codePoints @stream } }',
    '{ dois(inputs: ["10.5555/1"]) { encodings @stream(initialCount: 1) { value } } }',
  ]) {
    const answer = await post(gateway, JSON.stringify({ query }), { accept: MULTIPART });
    const text = answer.text.slice(answer.text.indexOf('{'), answer.text.lastIndexOf('}') + 1);
    expect(JSON.parse(text)).toMatchObject({
      errors: [
        { message: expect.stringContaining('cannot be streamed'), extensions: { code: 'BAD_USER_INPUT' } },
      ],
    });
  }
});

test('parts that nobody could foresee are refused before there is one', async () => {
  // Two parts for each input: the members of a class are as many as its inputs, and reckoned as ten.
  const gateway = await start(10_000_000);
  const query = `query ($inputs: [String!]!) {
    doiEquivalenceClasses(inputs: $inputs) { classes { ... @defer { members { index } } members { ... @defer { input } } } }
  }`;
  const variables = { inputs: names(900) };
  const { text } = await post(gateway, JSON.stringify({ query, variables }), {
    accept: 'multipart/mixed, application/json',
  });
  expect(JSON.parse(text)).toMatchObject({
    errors: [{ extensions: { code: 'LIMIT_EXCEEDED' } }],
    data: { doiEquivalenceClasses: null },
  });
});
