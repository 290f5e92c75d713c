// Hostile values: inputs, variables and arguments that no honest client sends.

import { describe, expect, test } from 'vitest';
import { graphqlResult } from '../http/exchange.ts';
import { clearCodes, nested, useHostileGateway } from './hostile-gateway.ts';

const gateway = useHostileGateway();
const DOI = 'query($input: String!) { doi(input: $input) { name } }';
const DOIS = 'query($inputs: [String!]!) { dois(inputs: $inputs) { name } }';
const PROXY_URL =
  'query($parameters: ProxyUrlInput) { doi(input: "10.5555/1") { proxyUrl(parameters: $parameters) } }';
const MEGABYTE = 1_000_000;

describe('an input that is not a DOI', () => {
  test.each([
    ['no suffix', '10.1000/', 'MISSING_SUFFIX'],
    ['an empty text', '', 'EMPTY'],
    ['a megabyte of percent signs', '%'.repeat(MEGABYTE), 'NOT_A_DOI'],
    [
      'a name with a megabyte of percent signs',
      `10.1000/${'%'.repeat(MEGABYTE)}`,
      'INVALID_PERCENT_ENCODING',
    ],
    ['a lone surrogate', '10.1000/\ud800', 'UNPAIRED_SURROGATE'],
    ['a NUL', '10.1000/\0', 'NON_GRAPHIC_CHARACTER'],
    ['an encoded NUL', '10.1000/%00', 'NON_GRAPHIC_CHARACTER'],
    ['the end of a line', '10.1000/a\r\nb', 'NON_GRAPHIC_CHARACTER'],
    ['a change of the writing direction', '10.1000/\u202eb', 'NON_GRAPHIC_CHARACTER'],
    ['the name of a prototype', '__proto__', 'NOT_A_DOI'],
  ])('gives null, and an error with the reason: %s', async (_, input, reason) => {
    const response = await gateway.query(DOI, { input });
    expect([response.status, clearCodes(response)]).toEqual([200, ['INVALID_DOI']]);
    const { data, errors } = graphqlResult(response);
    expect([data, errors?.[0]?.extensions['reason']]).toEqual([{ doi: null }, reason]);
  });
});

describe('40,000 invalid inputs', () => {
  const inputs = Array.from({ length: 40_000 }, () => 'x');

  test.each([
    ['dois', DOIS],
    ['parseDois', 'query($inputs: [String!]!) { parseDois(inputs: $inputs) { input } }'],
    [
      'doiEquivalenceClasses',
      'query($inputs: [String!]!) { doiEquivalenceClasses(inputs: $inputs) { unreadable { index } } }',
    ],
  ])('exceed the limit of %s', async (_, query) => {
    const response = await gateway.query(query, { inputs });
    expect(clearCodes(response)).toEqual(['LIMIT_EXCEEDED']);
    expect(response.text.length).toBeLessThan(1_000);
  });

  test.each([
    ['numbers', 1],
    ['nulls', null],
    ['lists', []],
    ['objects', {}],
  ])('get fewer than 100 errors if they are %s', async (_, value) => {
    const response = await gateway.query(DOIS, { inputs: inputs.map(() => value) });
    expect(clearCodes(response)).toEqual(['BAD_USER_INPUT']);
    expect(graphqlResult(response).errors?.length).toBeLessThan(100);
  });
});

describe('2,000 invalid inputs', () => {
  // To find the line of an error, graphql-js reads the document from its first line.
  test('get a response for a document of 100,000 lines', async () => {
    const inputs = Array.from({ length: 2_000 }, () => 'x');
    const response = await gateway.query('\n'.repeat(100_000) + DOIS, { inputs });
    expect(clearCodes(response).length).toBe(1);
  });
});

describe('variables', () => {
  test('that are not in the operation are ignored', async () => {
    const response = await gateway.query(DOI, {
      input: '10.5555/1',
      other: 1,
      constructor: {},
      toString: 'x',
    });
    expect([response.status, clearCodes(response)]).toEqual([200, []]);
  });

  test.each([
    ['are missing', {}],
    ['are null', { input: null }],
    ['are a list', { input: [] }],
    ['are an object', { input: { toString: 'x', length: 1 } }],
    ['are a very large number', { input: 1e308 }],
  ])('that %s instead of a text are BAD_USER_INPUT', async (_, variables) => {
    expect(clearCodes(await gateway.query(DOI, variables))).toEqual(['BAD_USER_INPUT']);
  });

  test('that are nested objects, 100,000 deep, are refused', async () => {
    const objects = nested(100_000, '{"auth":', '1', '}');
    const query = JSON.stringify(PROXY_URL);
    const response = await gateway.send(`{"query":${query},"variables":{"parameters":${objects}}}`);
    expect(clearCodes(response)).toEqual(['LIMIT_EXCEEDED']);
  });
});

describe('the names of prototypes', () => {
  test('are not variables', async () => {
    const body = `{"query":${JSON.stringify(DOI)},"variables":{"__proto__":{"input":"10.5555/1"}}}`;
    expect(clearCodes(await gateway.send(body))).toEqual(['BAD_USER_INPUT']);
  });

  test.each(['__proto__', 'constructor', 'toString'])('are not input fields: %s', async (name) => {
    const body = `{"query":${JSON.stringify(PROXY_URL)},"variables":{"parameters":{"${name}":{"auth":true}}}}`;
    expect(clearCodes(await gateway.send(body))).toEqual(['BAD_USER_INPUT']);
    expect(Object.hasOwn(Object.prototype, 'auth')).toBe(false);
  });

  test('may be names of variables and aliases', async () => {
    const query = 'query($__proto__: String!) { __proto__: parseDoi(input: $__proto__) { toString: input } }';
    const body = `{"query":${JSON.stringify(query)},"variables":{"__proto__":"10.5555/1"}}`;
    const response = await gateway.send(body);
    expect(response.text).toBe('{"data":{"__proto__":{"toString":"10.5555/1"}}}');
  });
});

describe('numbers that do not fit into an Int', () => {
  test.each(['2147483648', '-2147483649', '99999999999999999999', '1e400', '1.5', '-0.1'])(
    'are refused in a document: %s',
    async (number) => {
      const query = `{ doi(input: "10.5555/1") { proxyUrl(parameters: { indexes: [${number}] }) } }`;
      expect(clearCodes(await gateway.query(query))).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    },
  );

  test.each(['2147483648', '-2147483649', '99999999999999999999', '1e400', '1.5', '"1"', 'true'])(
    'are refused in variables: %s',
    async (number) => {
      const body = `{"query":${JSON.stringify(PROXY_URL)},"variables":{"parameters":{"indexes":[${number}]}}}`;
      expect(clearCodes(await gateway.send(body))).toEqual(['BAD_USER_INPUT']);
    },
  );

  test.each([
    ['an Int', 'doi(input: "10.5555/1") { proxyUrl(parameters: { indexes: [#] }) }'],
    ['a String', 'doi(input: #) { name }'],
  ])('with 100,000 digits for %s are shortened in the error', async (_, query) => {
    const response = await gateway.query(`{ ${query.replace('#', '9'.repeat(100_000))} }`);
    expect(clearCodes(response)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
  });
});
