// GraphQL over HTTP: methods, status codes, media types.

import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeDirectory, type FakeDirectory, urlValue } from '../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../support/gateway.ts';
import { testTable } from '../support/test-table.ts';
import { get, graphqlResult, headerValues, post, statusAndCode } from './exchange.ts';

let gateway: ListeningGateway;
let directory: FakeDirectory;

beforeAll(async () => {
  directory = createFakeDirectory({ records: { '10.5555/1': [urlValue('https://example.org/')] } });
  gateway = await startGateway({ directory });
});

afterAll(() => gateway.close());

const pathOf = (parameters: Readonly<Record<string, string>>): string =>
  `/graphql?${new URLSearchParams(parameters)}`;

describe('GET', () => {
  test('executes a query', async () => {
    const response = await get(gateway, pathOf({ query: '{ doi(input: "10.5555/1") { exists } }' }));
    expect([response.status, graphqlResult(response)]).toEqual([200, { data: { doi: { exists: true } } }]);
  });

  test('takes variables and an operation name', async () => {
    const query = 'query A { __typename } query B($input: String!) { parseDoi(input: $input) { input } }';
    const variables = JSON.stringify({ input: '10.5555/a+b é' });
    const response = await get(gateway, pathOf({ query, variables, operationName: 'B' }));
    expect(graphqlResult(response)).toEqual({ data: { parseDoi: { input: '10.5555/a+b é' } } });
  });

  testTable<[string, Record<string, string>]>([
    ['no query', {}],
    ['variables that are not JSON', { query: '{ __typename }', variables: '{' }],
    ['variables that are not an object', { query: '{ __typename }', variables: '[]' }],
    ['extensions that are not JSON', { query: '{ __typename }', extensions: '{' }],
  ])('with %s is a bad request', async (_, parameters) => {
    expect(statusAndCode(await get(gateway, pathOf(parameters)))).toEqual([400, 'BAD_USER_INPUT']);
  });

  test('never executes a mutation', async () => {
    const response = await get(gateway, pathOf({ query: 'mutation { __typename }' }));
    expect(statusAndCode(response)).toEqual([405, 'BAD_USER_INPUT']);
    expect(headerValues(response, 'allow').join()).toContain('POST');
  });
});

test.each(['mutation', 'subscription'])('POST of a %s has one error that names the kind', async (kind) => {
  const query = `${kind} { __typename }`;
  const { errors } = graphqlResult(await post(gateway, JSON.stringify({ query })));
  expect(errors).toEqual([
    { message: expect.stringContaining(kind), extensions: { code: 'BAD_USER_INPUT', retryable: false } },
  ]);
});

test('HEAD is GET without the body', async () => {
  const path = pathOf({ query: '{ __typename }' });
  const [got, head] = [await get(gateway, path), await get(gateway, path, { method: 'HEAD' })];
  expect([head.status, head.text]).toEqual([200, '']);
  expect(headerValues(head, 'content-type')).toEqual(headerValues(got, 'content-type'));
});

// The list of methods in Node 20.19 lacks QUERY.
testTable(['PUT', 'DELETE', 'PATCH', 'TRACE', 'QUERY'].filter((method) => METHODS.includes(method)))(
  'the method %s is refused with the allowed methods',
  async (method) => {
    const callsBefore = directory.calls.resolve.length;
    const headers = { 'content-type': 'application/json' };
    const body = '{"query":"{ doi(input: \\"10.5555/1\\") { exists } }"}';
    const sent = method === 'TRACE' ? { method } : { method, headers, body };
    const response = await get(gateway, '/graphql', sent);
    expect(statusAndCode(response)).toEqual([405, 'BAD_USER_INPUT']);
    expect(headerValues(response, 'allow').join()).toMatch(/\bGET\b.*\bPOST\b/);
    expect(directory.calls.resolve).toHaveLength(callsBefore);
  },
);

const TYPENAME = JSON.stringify({ query: '{ __typename }' });
const JSON_TYPE = 'application/json';
const RESPONSE_TYPE = 'application/graphql-response+json';

// Old clients read a JSON response only if its status is 200.
testTable([
  ['{ __typename }', 200, 200, null],
  ['{ doi(input: "x") { id } }', 200, 200, 'INVALID_DOI'],
  ['{ doi(', 400, 200, 'GRAPHQL_PARSE_FAILED'],
  ['{ unknown }', 400, 200, 'GRAPHQL_VALIDATION_FAILED'],
  ['query($input: String!) { parseDoi(input: $input) { input } }', 400, 200, 'BAD_USER_INPUT'],
  ['query A { __typename } query B { __typename }', 400, 400, 'BAD_USER_INPUT'],
])(
  'the status of %s is %i in graphql-response+json and %i in JSON',
  async (query, status, jsonStatus, code) => {
    const body = JSON.stringify({ query });
    const response = await post(gateway, body, { accept: RESPONSE_TYPE });
    expect(statusAndCode(response)).toEqual([status, code]);
    expect(headerValues(response, 'content-type')).toEqual([`${RESPONSE_TYPE}; charset=utf-8`]);
    expect(Object.hasOwn(graphqlResult(response), 'data')).toBe(status === 200);
    const asJson = await post(gateway, body, { accept: JSON_TYPE });
    expect(statusAndCode(asJson)).toEqual([jsonStatus, code]);
    expect(headerValues(asJson, 'content-type')).toEqual([`${JSON_TYPE}; charset=utf-8`]);
  },
);

test.each([JSON_TYPE, RESPONSE_TYPE])(
  'an invalid GraphQL request has the status 400 in %s',
  async (accept) => {
    for (const body of ['{', '{}', '{"query":"{ __typename }","variables":1}']) {
      expect(statusAndCode(await post(gateway, body, { accept })), body).toEqual([400, 'BAD_USER_INPUT']);
    }
  },
);

describe('the media type of a response', () => {
  testTable<[accept: string | null, type: string]>([
    [null, JSON_TYPE],
    [JSON_TYPE, JSON_TYPE],
    [RESPONSE_TYPE, RESPONSE_TYPE],
    [`${RESPONSE_TYPE}, ${JSON_TYPE};q=0.9`, RESPONSE_TYPE],
    [`${JSON_TYPE}, multipart/mixed`, JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/*', JSON_TYPE],
    ['text/html;q=0.9, */*;q=0.8', JSON_TYPE],
  ])('for Accept %s is %s', async (accept, type) => {
    const response = await post(gateway, TYPENAME, accept === null ? {} : { accept });
    expect([response.status, headerValues(response, 'content-type')]).toEqual([
      200,
      [`${type}; charset=utf-8`],
    ]);
  });

  testTable(['image/png', 'text/plain', 'application/xml', 'text/html', 'text/html, application/xhtml+xml'])(
    'cannot be %s, so the request is refused with 406',
    async (accept) => {
      const response = await post(gateway, TYPENAME, { accept });
      expect(statusAndCode(response)).toEqual([406, 'BAD_USER_INPUT']);
      expect(headerValues(response, 'accept')).toEqual([]);
      const got = await get(gateway, '/graphql?query=%7B__typename%7D', { headers: { accept } });
      expect(statusAndCode(got)).toEqual([406, 'BAD_USER_INPUT']);
    },
  );

  test('is the accepted type also if the request is refused', async () => {
    const response = await post(gateway, '{"query": "subscription { a }"}', { accept: 'multipart/mixed' });
    expect(headerValues(response, 'content-type')).toEqual([expect.stringMatching(/^multipart\/mixed/)]);
    expect(response.text).toContain('"code":"BAD_USER_INPUT"');
    expect(headerValues(response, 'access-control-allow-origin')).toEqual(['*']);
  });
});
