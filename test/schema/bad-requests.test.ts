// Requests that are the client's fault: which code they get, and that the message says what to mend.

import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/errors.ts';
import { createFakeGateway, createLoggedGateway, NO_CALLS } from './fake-gateway.ts';

describe('what the client sent', () => {
  interface Row {
    readonly what: string;
    readonly query: string;
    readonly variables?: Readonly<Record<string, unknown>>;
    readonly code: ErrorCode;
    readonly says: RegExp;
  }
  const rows: readonly Row[] = [
    { what: 'a query that is no GraphQL', query: '{', code: 'GRAPHQL_PARSE_FAILED', says: /Syntax Error/ },
    { what: 'an empty query', query: '', code: 'GRAPHQL_PARSE_FAILED', says: /Syntax Error/ },
    {
      what: 'an unknown field',
      query: '{ doi(input: "10.1000/1") { nope } }',
      code: 'GRAPHQL_VALIDATION_FAILED',
      says: /"nope"/,
    },
    {
      what: 'a missing argument',
      query: '{ doi { id } }',
      code: 'GRAPHQL_VALIDATION_FAILED',
      says: /"input"/,
    },
    {
      what: 'an unknown enum value',
      query: '{ doi(input: "10.1000/1", form: DOI) { id } }',
      code: 'GRAPHQL_VALIDATION_FAILED',
      says: /"DOI".*"DOIForm"/,
    },
    {
      what: 'an integer of more than 32 bits',
      query: '{ doi(input: "10.1000/1") { record { values(indexes: [2147483648]) { index } } } }',
      code: 'GRAPHQL_VALIDATION_FAILED',
      says: /32-bit/,
    },
    {
      what: 'a mutation',
      query: 'mutation { register }',
      code: 'BAD_USER_INPUT',
      says: /mutation/,
    },
    {
      what: 'several operations and no name',
      query: 'query A { doiDirectory { kind } } query B { doiDirectory { kind } }',
      code: 'BAD_USER_INPUT',
      says: /operation/,
    },
    {
      what: 'a missing variable',
      query: 'query ($input: String!) { doi(input: $input) { id } }',
      code: 'BAD_USER_INPUT',
      says: /"\$input"/,
    },
    {
      what: 'a variable of another type, and the message names it',
      query: 'query ($input: String!) { doi(input: $input) { id } }',
      variables: { input: 5 },
      code: 'BAD_USER_INPUT',
      says: /"\$input".*non string/,
    },
    {
      what: 'one null among many inputs, and the message names its place',
      query: 'query ($inputs: [String!]!) { dois(inputs: $inputs) { id } }',
      variables: { inputs: ['10.1000/1', '10.1000/2', null] },
      code: 'BAD_USER_INPUT',
      says: /inputs\[2\]/,
    },
    {
      what: 'an unknown parameter in a variable, and the message names both',
      query:
        'query ($parameters: ProxyUrlInput) { doi(input: "10.1000/1") { proxyUrl(parameters: $parameters) } }',
      variables: { parameters: { index: 1 } },
      code: 'BAD_USER_INPUT',
      says: /"\$parameters".*"index"/,
    },
  ];
  for (const { what, query, variables, code, says } of rows) {
    test(`${code} is what comes of ${what}`, async () => {
      const { gateway, calls, log } = await createLoggedGateway({});
      const { data, errors } = await gateway.query<unknown>(query, variables);
      expect(data ?? null).toBeNull();
      expect(errors).toHaveLength(1);
      expect(errors?.[0]?.extensions).toEqual({ code, retryable: false });
      expect(errors?.[0]?.message).toMatch(says);
      expect(calls).toEqual(NO_CALLS);
      expect(log).toEqual([]);
    });
  }

  const bodies: readonly { readonly body: string; readonly status: number }[] = [
    { body: '', status: 400 },
    { body: '[]', status: 400 },
    { body: '{"query": 1}', status: 400 },
    { body: '{"query": "{ __typename }", "variables": []}', status: 400 },
    { body: '{"query": "{ __typename }", "operationName": "nope"}', status: 400 },
  ];
  for (const { body, status } of bodies) {
    test(`BAD_USER_INPUT is what comes of the body "${body}"`, async () => {
      const { app, calls } = await createFakeGateway();
      const response = await app.fetch(
        new Request('http://gateway.test/graphql', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        }),
      );
      expect(response.status).toBe(status);
      expect(await response.json()).toEqual({
        errors: [
          {
            message: expect.stringMatching(/\w/),
            extensions: { code: 'BAD_USER_INPUT', retryable: false },
          },
        ],
      });
      expect(calls).toEqual(NO_CALLS);
    });
  }
});
