// What hostile documents can do with @defer and @stream: nothing without bounds.

import { describe, expect, test } from 'vitest';
import { clearCodes, nested, times, useHostileGateway } from '../../abuse/hostile-gateway.ts';
import { graphqlAnswer } from '../../http/exchange.ts';
import { MULTIPART } from './parts.ts';

const gateway = useHostileGateway();

const ask = (query: string, variables: object = {}) =>
  gateway.send(JSON.stringify({ query, variables }), { accept: `application/json, ${MULTIPART}` });

/** Fragments F0 to F30, each deferring the next one twice: 2³⁰ parts. */
const bomb = (type: string, spread: (name: string) => string): string =>
  `${times(30, (index) => `fragment F${index} on ${type} { ${spread(`F${index + 1}`)} }`)} fragment F30 on ${type} { __typename }`;

const deferTwice = (name: string): string => `...${name} @defer ...${name} @defer`;
const deferInside = (name: string): string => `... @defer { ...${name} } ... @defer { ...${name} }`;

describe('too many parts are refused before anything is done', () => {
  test.each<[string, string, object?]>([
    ['thousands of nested @defer', `{ ${nested(1_500, '... @defer { ', '__typename', '}')} }`],
    ['thousands of @defer side by side', `{ ${times(1_200, () => '... @defer { __typename }')} }`],
    ['fragments deferred 2³⁰ times at the root', `{ ...F0 } ${bomb('Query', deferTwice)}`],
    [
      'fragments deferred 2³⁰ times in a DOI',
      `{ doi(input: "10.5555/1") { ...F0 } } ${bomb('DOI', deferTwice)}`,
    ],
    ['fragments inside deferred ones', `{ doi(input: "10.5555/1") { ...F0 } } ${bomb('DOI', deferInside)}`],
    [
      'a deferred part of too many names',
      'query ($n: [String!]!) { dois(inputs: $n) { ... @defer { name } } }',
      { n: Array(1_001).fill('10.5555/1') },
    ],
    [
      'too many names streamed',
      'query ($n: [String!]!) { dois(inputs: $n) @stream { name } }',
      { n: Array(1_001).fill('10.5555/1') },
    ],
    [
      'lists in lists',
      'query ($n: [String!]!) { dois(inputs: $n) { encodings { ... @defer { value } } } }',
      { n: Array(200).fill('10.5555/1') },
    ],
    [
      'the schema in parts',
      '{ __schema { types { fields { args { ... @defer { name } ... @defer { description } } } } } }',
    ],
  ])('%s', async (_, query, variables) => {
    expect(clearCodes(await ask(query, variables))).toEqual(['LIMIT_EXCEEDED']);
  });

  test('as many as there may be are answered', async () => {
    const n = Array(1_000).fill('10.5555/1');
    const { status, text } = await ask('query ($n: [String!]!) { dois(inputs: $n) @stream { exists } }', {
      n,
    });
    expect([status, text.match(/"exists":true/g)?.length]).toEqual([200, 1_000]);
  });
});

describe('documents that repeat themselves are still too repetitive to be checked', () => {
  test.each([
    ['one field 9,900 times', `{ ... @defer { ${'__typename '.repeat(9_900)} } }`],
    ['one deferred object 500 times', `{ ${'... @defer { doi(input: "1") { name } } '.repeat(500)} }`],
    [
      '400 deferred fragments that all meet',
      `{ ${times(400, (index) => `...F${index} @defer`)} } ${times(400, (index) => `fragment F${index} on Query { doi(input: "1") { name } }`)}`,
    ],
  ])('%s', async (_, query) => {
    expect(clearCodes(await ask(query))).toEqual(['LIMIT_EXCEEDED']);
  });
});

test('fields that conflict are told of once: they are compared by one rule alone, which is bounded', async () => {
  const answer = await ask('{ doi(input: "10.5555/1") { ... @defer { a: name } a: suffix } }');
  expect(graphqlAnswer(answer).errors?.map(({ message }) => message)).toEqual([
    expect.stringContaining('"a" conflict'),
  ]);
});

describe('what is no way to ask for parts is told', () => {
  test.each([
    ['GRAPHQL_VALIDATION_FAILED', '{ doi(input: "10.5555/1") { name @stream } }'],
    ['GRAPHQL_VALIDATION_FAILED', '{ doi(input: "10.5555/1") { name @defer } }'],
    ['GRAPHQL_VALIDATION_FAILED', '{ dois(inputs: []) @stream @stream { name } }'],
    [
      'GRAPHQL_VALIDATION_FAILED',
      'query ($l: String) { doi(input: "1") { ... @defer(label: $l) { name } } }',
    ],
    [
      'GRAPHQL_VALIDATION_FAILED',
      '{ a: dois(inputs: []) @stream(label: "a") { name } b: dois(inputs: []) @stream(label: "a") { name } }',
    ],
    ['GRAPHQL_VALIDATION_FAILED', '{ ... @defer(if: null) { __typename } }'],
    ['BAD_USER_INPUT', '{ dois(inputs: ["10.5555/1"]) @stream(initialCount: -1) { name } }'],
    ['BAD_USER_INPUT', '{ dois(inputs: ["10.5555/1"]) @stream(initialCount: null) { name } }'],
  ])('%s: %s', async (code, query) => {
    expect(clearCodes(await ask(query))).toEqual([code]);
  });

  test.each([
    ['a count that is no number', { n: 'x' }],
    ['a negative count', { n: -1 }],
    ['a count beyond all numbers', { n: 1e300 }],
  ])('%s in a variable', async (_, variables) => {
    const query = 'query ($n: Int) { dois(inputs: ["10.5555/1"]) @stream(initialCount: $n) { name } }';
    expect(clearCodes(await ask(query, variables))).toEqual(['BAD_USER_INPUT']);
  });

  test('labels with unusual names are read', async () => {
    const labels = times(100, (index) => `... @defer(label: "__proto__${index}") { __typename }`);
    const answer = await ask(`{ ... @defer(label: "__proto__") { __typename } ${labels} }`);
    expect(answer.text.match(/"label":/g)).toHaveLength(101);
  });
});

test('introspection shows @defer and @stream', async () => {
  const answer = await ask('{ __schema { directives { name locations } } }');
  expect(graphqlAnswer(answer).data).toMatchObject({
    __schema: {
      directives: expect.arrayContaining([
        { name: 'defer', locations: ['FRAGMENT_SPREAD', 'INLINE_FRAGMENT'] },
        { name: 'stream', locations: ['FIELD'] },
      ]),
    },
  });
});
