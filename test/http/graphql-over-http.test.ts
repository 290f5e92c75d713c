// GraphQL over HTTP: methods, status codes, media types.

import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeDirectory, type FakeDirectory, urlValue } from '../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../support/gateway.ts';
import { exchange, get, graphqlResult, headerValues, post, statusAndCode } from './exchange.ts';

let gateway: ListeningGateway;
let directory: FakeDirectory;

beforeAll(async () => {
  directory = createFakeDirectory({ records: { '10.5555/1': [urlValue('https://example.org/')] } });
  gateway = await startGateway({ directory });
});

afterAll(() => gateway.close());

const path = (parameters: Readonly<Record<string, string>>): string =>
  `/graphql?${new URLSearchParams(parameters)}`;

describe('GET', () => {
  test('answers a query', async () => {
    const answer = await get(gateway, path({ query: '{ doi(input: "10.5555/1") { exists } }' }));
    expect([answer.status, graphqlResult(answer)]).toEqual([200, { data: { doi: { exists: true } } }]);
  });

  test('takes variables and an operation name', async () => {
    const query = 'query A { __typename } query B($input: String!) { parseDoi(input: $input) { input } }';
    const variables = JSON.stringify({ input: '10.5555/a+b é' });
    const answer = await get(gateway, path({ query, variables, operationName: 'B' }));
    expect(graphqlResult(answer)).toEqual({ data: { parseDoi: { input: '10.5555/a+b é' } } });
  });

  test.each([
    ['no query', {}],
    ['variables that are no JSON', { query: '{ __typename }', variables: '{' }],
    ['variables that are no object', { query: '{ __typename }', variables: '[]' }],
    ['extensions that are no JSON', { query: '{ __typename }', extensions: '{' }],
  ])('with %s is a bad request', async (_, parameters: Readonly<Record<string, string>>) => {
    expect(statusAndCode(await get(gateway, path(parameters)))).toEqual([400, 'BAD_USER_INPUT']);
  });

  test('never runs a mutation', async () => {
    const answer = await get(gateway, path({ query: 'mutation { __typename }' }));
    expect(statusAndCode(answer)).toEqual([405, 'BAD_USER_INPUT']);
    expect(headerValues(answer, 'allow').join()).toContain('POST');
  });
});

describe('POST', () => {
  test.each(['mutation { __typename }', 'subscription { __typename }'])(
    'of "%s" is told that there is no such operation',
    async (query) => {
      const [error, ...others] = graphqlResult(await post(gateway, JSON.stringify({ query }))).errors ?? [];
      expect(error?.message).toMatch(/mutation|subscription/);
      expect(['BAD_USER_INPUT', 'GRAPHQL_VALIDATION_FAILED']).toContain(error?.extensions['code']);
      expect(others).toEqual([]);
    },
  );
});

describe('HEAD', () => {
  test('is as GET, without the body', async () => {
    const target = path({ query: '{ __typename }' });
    const [asked, head] = [await get(gateway, target), await get(gateway, target, { method: 'HEAD' })];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(headerValues(head, 'content-type')).toEqual(headerValues(asked, 'content-type'));
  });
});

describe('every other method', () => {
  // Node 20.19 knows no QUERY, and so refuses it as no HTTP.
  const known = ['PUT', 'DELETE', 'PATCH', 'TRACE', 'QUERY'].filter((method) => METHODS.includes(method));
  test.each(known)('%s is refused and told what is allowed', async (method) => {
    const asked = directory.calls.resolve.length;
    const headers = { 'content-type': 'application/json' };
    const body = '{"query":"{ doi(input: \\"10.5555/1\\") { exists } }"}';
    const sent = method === 'TRACE' ? { method } : { method, headers, body };
    const answer = await exchange(`${gateway.url}/graphql`, sent);
    expect(statusAndCode(answer)).toEqual([405, 'BAD_USER_INPUT']);
    expect(headerValues(answer, 'allow').join()).toMatch(/\bGET\b.*\bPOST\b/);
    expect(directory.calls.resolve).toHaveLength(asked);
  });
});

const OPERATIONS = {
  answer: '{ __typename }',
  field: '{ doi(input: "x") { id } }',
  syntax: '{ doi(',
  validation: '{ unknown }',
  variable: 'query($input: String!) { parseDoi(input: $input) { input } }',
  operation: 'query A { __typename } query B { __typename }',
} as const;

describe('the status of an answer', () => {
  test.each([
    ['answer', 200, null],
    ['field', 200, 'INVALID_DOI'],
    ['syntax', 400, 'GRAPHQL_PARSE_FAILED'],
    ['validation', 400, 'GRAPHQL_VALIDATION_FAILED'],
    ['variable', 400, 'BAD_USER_INPUT'],
    ['operation', 400, 'BAD_USER_INPUT'],
  ] as const)(
    'says in graphql-response+json what became of the request: %s %i %s',
    async (kind, status, code) => {
      const accept = 'application/graphql-response+json';
      const answer = await post(gateway, JSON.stringify({ query: OPERATIONS[kind] }), { accept });
      expect(statusAndCode(answer)).toEqual([status, code]);
      expect(headerValues(answer, 'content-type')).toEqual([`${accept}; charset=utf-8`]);
      expect(Object.hasOwn(graphqlResult(answer), 'data')).toBe(status === 200);
    },
  );

  test.each([
    ['answer', null],
    ['field', 'INVALID_DOI'],
    ['syntax', 'GRAPHQL_PARSE_FAILED'],
    ['validation', 'GRAPHQL_VALIDATION_FAILED'],
    ['variable', 'BAD_USER_INPUT'],
  ] as const)('is 200 in JSON, where old clients read nothing else: %s %s', async (kind, code) => {
    const accept = 'application/json';
    const answer = await post(gateway, JSON.stringify({ query: OPERATIONS[kind] }), { accept });
    expect(statusAndCode(answer)).toEqual([200, code]);
    expect(headerValues(answer, 'content-type')).toEqual([`${accept}; charset=utf-8`]);
  });

  test.each(['application/json', 'application/graphql-response+json'])(
    'is 400 in %s too where the HTTP request is no GraphQL request',
    async (accept) => {
      for (const body of ['{', '{}', '{"query":"{ __typename }","variables":1}']) {
        expect(statusAndCode(await post(gateway, body, { accept })), body).toEqual([400, 'BAD_USER_INPUT']);
      }
    },
  );
});

describe('the media type of an answer', () => {
  test.each([
    ['application/json', 'application/json'],
    ['application/graphql-response+json', 'application/graphql-response+json'],
    ['application/graphql-response+json, application/json;q=0.9', 'application/graphql-response+json'],
    ['application/json, multipart/mixed', 'application/json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['text/html;q=0.9, */*;q=0.8', 'application/json'],
  ])('is, for a client that accepts "%s", %s', async (accept, type) => {
    const answer = await post(gateway, JSON.stringify({ query: OPERATIONS.answer }), { accept });
    expect([answer.status, headerValues(answer, 'content-type')]).toEqual([200, [`${type}; charset=utf-8`]]);
  });

  test('is JSON where the client does not say', async () => {
    const answer = await post(gateway, JSON.stringify({ query: OPERATIONS.answer }));
    expect(headerValues(answer, 'content-type')).toEqual(['application/json; charset=utf-8']);
  });

  test.each(['image/png', 'text/plain', 'application/xml', 'text/html', 'text/html, application/xhtml+xml'])(
    'is not acceptable as %s, with a code',
    async (accept) => {
      const answer = await post(gateway, JSON.stringify({ query: OPERATIONS.answer }), { accept });
      expect(statusAndCode(answer)).toEqual([406, 'BAD_USER_INPUT']);
      expect(headerValues(answer, 'accept')).toEqual([]);
    },
  );

  test('is not acceptable as text/html for a query in the URL either', async () => {
    const answer = await exchange(`${gateway.url}/graphql?query=%7B__typename%7D`, {
      headers: { accept: 'text/html' },
    });
    expect(statusAndCode(answer)).toEqual([406, 'BAD_USER_INPUT']);
  });

  test('is that of the request for a refusal, too', async () => {
    const answer = await post(gateway, '{"query": "subscription { a }"}', { accept: 'multipart/mixed' });
    expect(headerValues(answer, 'content-type')).toEqual([expect.stringMatching(/^multipart\/mixed/)]);
    expect(answer.text).toContain('"code":"BAD_USER_INPUT"');
    expect(headerValues(answer, 'access-control-allow-origin')).toEqual(['*']);
  });
});
