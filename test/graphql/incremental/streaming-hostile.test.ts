// Hostile documents with @defer and @stream.

import { describe, expect, test } from 'vitest';
import { clearCodes, nested, times, useHostileGateway } from '../../abuse/hostile-gateway.ts';
import { graphqlResult } from '../../http/exchange.ts';
import { MULTIPART } from './parts.ts';

const gateway = useHostileGateway();

const send = (query: string, variables: object = {}) =>
  gateway.send(JSON.stringify({ query, variables }), { accept: `application/json, ${MULTIPART}` });

/** Fragments F0 to F30. Each fragment defers the next fragment twice, so that there are 2³⁰ parts. */
const bomb = (type: string, spread: (name: string) => string): string =>
  `${times(30, (index) => `fragment F${index} on ${type} { ${spread(`F${index + 1}`)} }`)} fragment F30 on ${type} { __typename }`;

const deferTwice = (name: string): string => `...${name} @defer ...${name} @defer`;
const deferInside = (name: string): string => `... @defer { ...${name} } ... @defer { ...${name} }`;
const inputs = (count: number) => ({ n: Array(count).fill('10.5555/1') });

test.each<[string, string, object?]>([
  ['thousands of nested @defer', `{ ${nested(1_500, '... @defer { ', '__typename', '}')} }`],
  ['thousands of @defer side by side', `{ ${times(1_200, () => '... @defer { __typename }')} }`],
  ['fragments deferred 2³⁰ times at the root', `{ ...F0 } ${bomb('Query', deferTwice)}`],
  [
    'fragments deferred 2³⁰ times in a DOI',
    `{ doi(input: "10.5555/1") { ...F0 } } ${bomb('DOI', deferTwice)}`,
  ],
  [
    'fragments inside deferred fragments',
    `{ doi(input: "10.5555/1") { ...F0 } } ${bomb('DOI', deferInside)}`,
  ],
  [
    'a deferred part of 1,001 names',
    'query ($n: [String!]!) { dois(inputs: $n) { ... @defer { name } } }',
    inputs(1_001),
  ],
  ['1,001 streamed names', 'query ($n: [String!]!) { dois(inputs: $n) @stream { name } }', inputs(1_001)],
  [
    'lists in lists',
    'query ($n: [String!]!) { dois(inputs: $n) { encodings { ... @defer { value } } } }',
    inputs(200),
  ],
  [
    'the schema in parts',
    '{ __schema { types { fields { args { ... @defer { name } ... @defer { description } } } } } }',
  ],
])('too many parts are LIMIT_EXCEEDED: %s', async (_, query, variables) => {
  expect(clearCodes(await send(query, variables))).toEqual(['LIMIT_EXCEEDED']);
});

test('1,000 names, the maximum of parts, are streamed', async () => {
  const query = 'query ($n: [String!]!) { dois(inputs: $n) @stream { exists } }';
  const { status, text } = await send(query, inputs(1_000));
  expect([status, text.match(/"exists":true/g)?.length]).toEqual([200, 1_000]);
});

test.each([
  ['a field 9,900 times', `{ ... @defer { ${'__typename '.repeat(9_900)} } }`],
  ['a deferred object 500 times', `{ ${'... @defer { doi(input: "1") { name } } '.repeat(500)} }`],
  [
    '400 deferred fragments with the same field',
    `{ ${times(400, (index) => `...F${index} @defer`)} } ${times(400, (index) => `fragment F${index} on Query { doi(input: "1") { name } }`)}`,
  ],
])('a document that repeats itself is LIMIT_EXCEEDED: %s', async (_, query) => {
  expect(clearCodes(await send(query))).toEqual(['LIMIT_EXCEEDED']);
});

test('conflicting fields have one error', async () => {
  const response = await send('{ doi(input: "10.5555/1") { ... @defer { a: name } a: suffix } }');
  expect(graphqlResult(response).errors?.map(({ message }) => message)).toEqual([
    expect.stringContaining('"a" conflict'),
  ]);
});

describe('invalid directives have an error of the client', () => {
  // incremental-rules.test.ts has the validation rules.
  const STREAM = 'query ($n: Int) { dois(inputs: ["10.5555/1"]) @stream(initialCount: $n) { name } }';
  test.each<[string, string, object?]>([
    ['GRAPHQL_VALIDATION_FAILED', '{ doi(input: "10.5555/1") { name @stream } }'],
    ['GRAPHQL_VALIDATION_FAILED', '{ doi(input: "10.5555/1") { name @defer } }'],
    ['GRAPHQL_VALIDATION_FAILED', '{ dois(inputs: []) @stream @stream { name } }'],
    ['GRAPHQL_VALIDATION_FAILED', '{ ... @defer(if: null) { __typename } }'],
    ['BAD_USER_INPUT', '{ dois(inputs: ["10.5555/1"]) @stream(initialCount: -1) { name } }'],
    ['BAD_USER_INPUT', '{ dois(inputs: ["10.5555/1"]) @stream(initialCount: null) { name } }'],
    ['BAD_USER_INPUT', STREAM, { n: 'x' }],
    ['BAD_USER_INPUT', STREAM, { n: -1 }],
    ['BAD_USER_INPUT', STREAM, { n: 1e300 }],
  ])('%s: %s %j', async (code, query, variables) => {
    expect(clearCodes(await send(query, variables))).toEqual([code]);
  });
});

test('__proto__ and many other labels are sent back', async () => {
  const labels = times(100, (index) => `... @defer(label: "__proto__${index}") { __typename }`);
  const response = await send(`{ ... @defer(label: "__proto__") { __typename } ${labels} }`);
  expect(response.text.match(/"label":/g)).toHaveLength(101);
});

test('introspection shows @defer and @stream', async () => {
  const response = await send('{ __schema { directives { name locations } } }');
  expect(graphqlResult(response).data).toMatchObject({
    __schema: {
      directives: expect.arrayContaining([
        { name: 'defer', locations: ['FRAGMENT_SPREAD', 'INLINE_FRAGMENT'] },
        { name: 'stream', locations: ['FIELD'] },
      ]),
    },
  });
});
