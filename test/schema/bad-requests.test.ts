// Faults of the client: each has its code, and a message that says what to correct.

import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/errors.ts';
import { createFakeGateway, createLoggedGateway, NO_CALLS } from './fake-gateway.ts';

describe('a fault of the client has one error, no look-up and no line in the log', () => {
  test.each<[string, ErrorCode, RegExp, string, Readonly<Record<string, unknown>>?]>([
    ['a query that is not GraphQL', 'GRAPHQL_PARSE_FAILED', /Syntax Error/, '{'],
    ['an empty query', 'GRAPHQL_PARSE_FAILED', /Syntax Error/, ''],
    ['an unknown field', 'GRAPHQL_VALIDATION_FAILED', /"nope"/, '{ doi(input: "10.1000/1") { nope } }'],
    ['a missing argument', 'GRAPHQL_VALIDATION_FAILED', /"input"/, '{ doi { id } }'],
    [
      'an unknown enum value',
      'GRAPHQL_VALIDATION_FAILED',
      /"DOI".*"DOIForm"/,
      '{ doi(input: "10.1000/1", form: DOI) { id } }',
    ],
    [
      'an integer of more than 32 bits',
      'GRAPHQL_VALIDATION_FAILED',
      /32-bit/,
      '{ doi(input: "10.1000/1") { record { values(indexes: [2147483648]) { index } } } }',
    ],
    ['a mutation', 'BAD_USER_INPUT', /mutation/, 'mutation { register }'],
    [
      'several operations without a name',
      'BAD_USER_INPUT',
      /operation/,
      'query A { doiDirectory { kind } } query B { doiDirectory { kind } }',
    ],
    [
      'a missing variable',
      'BAD_USER_INPUT',
      /"\$input"/,
      'query ($input: String!) { doi(input: $input) { id } }',
    ],
    [
      'a variable of another type, with its name',
      'BAD_USER_INPUT',
      /"\$input".*non string/,
      'query ($input: String!) { doi(input: $input) { id } }',
      { input: 5 },
    ],
    [
      'one null among many inputs, with its index',
      'BAD_USER_INPUT',
      /"\$inputs" got invalid value null at "inputs\[2\]"/,
      'query ($inputs: [String!]!) { dois(inputs: $inputs) { id } }',
      { inputs: ['10.1000/1', '10.1000/2', null] },
    ],
    [
      'an unknown parameter in a variable, with both names',
      'BAD_USER_INPUT',
      /"\$parameters".*"index"/,
      'query ($parameters: ProxyUrlInput) { doi(input: "10.1000/1") { proxyUrl(parameters: $parameters) } }',
      { parameters: { index: 1 } },
    ],
  ])('%s: %s', async (_, code, message, query, variables) => {
    const { gateway, calls, log } = await createLoggedGateway({});
    const { data, errors } = await gateway.query<unknown>(query, variables);
    expect(data ?? null).toBeNull();
    expect(errors).toHaveLength(1);
    expect(errors?.[0]?.extensions).toEqual({ code, retryable: false });
    expect(errors?.[0]?.message).toMatch(message);
    expect(calls).toEqual(NO_CALLS);
    expect(log).toEqual([]);
  });
});

test.each([
  '',
  '[]',
  '{"query": 1}',
  '{"query": "{ __typename }", "variables": []}',
  '{"query": "{ __typename }", "operationName": "nope"}',
])('the body %j is BAD_USER_INPUT with status 400', async (body) => {
  const { app, calls } = await createFakeGateway();
  const response = await app.fetch(
    new Request('http://gateway.test/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }),
  );
  expect(response.status).toBe(400);
  const message = expect.stringMatching(/\w/);
  expect(await response.json()).toEqual({
    errors: [{ message, extensions: { code: 'BAD_USER_INPUT', retryable: false } }],
  });
  expect(calls).toEqual(NO_CALLS);
});
