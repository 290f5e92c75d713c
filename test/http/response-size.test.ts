// The gateway ends a response in parts that grows larger than the limit.

import { expect, onTestFinished, test } from 'vitest';
import { MULTIPART, requestParts, SSE } from '../graphql/incremental/parts.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { startGateway } from '../support/gateway.ts';
import { post } from './exchange.ts';

async function start(responseBytes: number) {
  const gateway = await startGateway({ directory: createFakeDirectory(), limits: { responseBytes } });
  onTestFinished(() => gateway.close());
  return gateway;
}

const LONG = 'a'.repeat(2_000);
const QUERIES = [
  ['a long label', `... @defer(label: "${LONG}") { name } }`],
  ['a long alias', `... @defer { ${LONG}: name } }`],
  ['a long alias in a stream', `${LONG}: name }`],
] as const;

test.each(
  [MULTIPART, SSE].flatMap((accept) => QUERIES.map(([what, fields]) => [accept, what, fields] as const)),
)('a response of the type %s that grows too large by %s ends with an error', async (accept, what, fields) => {
  const gateway = await start(100_000);
  const stream = what.endsWith('stream') ? '@stream' : '';
  const query = `query ($inputs: [String!]!) { dois(inputs: $inputs) ${stream} { ${fields} }`;
  const inputs = Array.from({ length: 500 }, (_, index) => `10.5555/${index}`);
  const response = await requestParts(gateway, query, { variables: { inputs }, accept });
  const parts = [];
  for (let part = await response.next(); part !== null; part = await response.next()) parts.push(part);
  expect(parts.at(-1)).toEqual({
    errors: [
      {
        message: expect.stringMatching(/100000 bytes .+ short aliases\.$/),
        extensions: { code: 'LIMIT_EXCEEDED', retryable: false },
      },
    ],
    hasNext: false,
  });
  expect(response.text().length).toBeLessThan(120_000);
  expect((await post(gateway, '{"query": "{ doiDirectory { kind } }"}')).status).toBe(200);
});

test.each([
  '{ doi(input: "10.5555/1") { codePoints @stream } }',
  '{ dois(inputs: ["10.5555/1"]) { encodings @stream(initialCount: 1) { value } } }',
])('a list of unknown length inside another list is not streamed: %s', async (query) => {
  const gateway = await start(1_000_000);
  const { text } = await post(gateway, JSON.stringify({ query }), { accept: MULTIPART });
  expect(JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))).toMatchObject({
    errors: [
      { message: expect.stringContaining('cannot be streamed'), extensions: { code: 'BAD_USER_INPUT' } },
    ],
  });
});
