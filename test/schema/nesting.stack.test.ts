// Documents that nest deeper than the stack allows. They run in a new process, because code that has run often needs less
// stack.

import { expect, test } from 'vitest';
import { createFakeGateway, NO_CALLS } from './fake-gateway.ts';

const DEEP = 3000;
const DEEPER = 4500;
const nested = (depth: number, open: string, inner: string, close: string) =>
  open.repeat(depth) + inner + close.repeat(depth);

test.each([
  ['selections', nested(DEEP, '{ a ', '', '}')],
  ['fragments', `{ doi(input: "10.1000/1") { ${nested(DEEP, '... { ', ' id ', '}')} } }`],
  ['lists', `{ dois(inputs: ${nested(DEEPER, '[', '', ']')}) { id } }`],
  ['objects', `{ doi(input: "10.1000/1") { proxyUrl(parameters: ${nested(DEEP, '{ a: ', '1', '}')}) } }`],
  ['list types', `query ($inputs: ${nested(DEEPER, '[', 'String', ']')}) { dois(inputs: $inputs) { id } }`],
])('%s nested thousands deep are an error of the client', async (_, text) => {
  const { query, calls } = await createFakeGateway();
  const { errors = [] } = await query(text);
  expect(errors).toHaveLength(1);
  expect(['LIMIT_EXCEEDED', 'GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED']).toContain(
    errors[0]?.extensions['code'],
  );
  expect(calls).toEqual(NO_CALLS);
});
