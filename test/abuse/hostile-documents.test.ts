// Hostile documents: too large, too deep, too repetitive or circular.

import { describe, expect, test } from 'vitest';
import { graphqlResult } from '../http/exchange.ts';
import { clearCodes, nested, times, useHostileGateway } from './hostile-gateway.ts';

const gateway = useHostileGateway();

/** Fragments F0 to F30, each spreading the next one twice: 2³⁰ ways to the last. */
function fragmentBomb(
  type: string,
  last: string,
  spread = (name: string) => `...${name} ...${name}`,
): string {
  return `${times(30, (index) => `fragment F${index} on ${type} { ${spread(`F${index + 1}`)} }`)} fragment F30 on ${type} { ${last} }`;
}

/** Fragments F0 to F1199. Each spreads the next fragment, and the last has the given selection. */
const fragmentChain = (last: string): string =>
  times(1_200, (index) => `fragment F${index} on Query { ${index < 1_199 ? `...F${index + 1}` : last} }`);

describe('a document that repeats itself', () => {
  test.each([
    ['10,000 aliases of doi', () => times(10_000, (index) => `a${index}: doi(input: "10.5555/1") { name }`)],
    ['10,000 aliases of a field', () => times(10_000, (index) => `a${index}: __typename`)],
    ['5,000 aliases of __typename', () => times(5_000, (index) => `a${index}: __typename`)],
    ['5,000 directives', () => `__typename ${'@include(if: true) '.repeat(5_000)}`],
    ['5,000 unknown directives', () => `__typename ${'@a '.repeat(5_000)}`],
  ])('is refused as too large: %s', async (_, fields) => {
    const response = await gateway.query(`{ ${fields()} }`);
    expect([response.status, clearCodes(response)]).toEqual([400, ['LIMIT_EXCEEDED']]);
  });

  test('has a result with 3,000 aliases of __typename', async () => {
    const response = await gateway.query(`{ ${times(3_000, (index) => `a${index}: __typename`)} }`);
    expect(clearCodes(response)).toEqual([]);
    expect(Object.keys(graphqlResult(response).data ?? {})).toHaveLength(3_000);
  });

  test.each([
    ['one field 9,990 times', () => `{ ${'__typename '.repeat(9_990)} }`],
    ['one object 800 times', () => `{ ${'doi(input: "10.5555/1") { name } '.repeat(800)} }`],
    ['objects of one field each', () => `{ ${`doi(input: "1") { ${'name '.repeat(60)} } `.repeat(60)} }`],
    [
      '400 fragments at one place',
      () =>
        `{ ${times(400, (index) => `...F${index}`)} } ${times(400, (index) => `fragment F${index} on Query { doi(input: "1") { name } }`)}`,
    ],
  ])('is refused as too repetitive: %s', async (_, document) => {
    expect(clearCodes(await gateway.query(document()))).toEqual(['LIMIT_EXCEEDED']);
  });

  test('is refused because of its price, although it is small', async () => {
    const fields = times(1_500, (index) => `a${index}: encodings { value }`);
    const response = await gateway.query(`{ dois(inputs: ["10.5555/${'a'.repeat(3_000)}"]) { ${fields} } }`);
    expect(clearCodes(response)).toEqual(['LIMIT_EXCEEDED']);
  });
});

describe('a document that nests', () => {
  test.each([
    ['selections', () => nested(3_300, '{ a ', '', '}')],
    ['inline fragments', () => `{ ${nested(3_000, '... { ', '__typename', '}')} }`],
    ['lists', () => `{ dois(inputs: ${nested(4_900, '[', '', ']')}) { name } }`],
    [
      'input objects',
      () => `{ doi(input: "10.5555/1") { proxyUrl(parameters: ${nested(2_400, '{ a: ', '1', '}')}) } }`,
    ],
    ['types of a variable', () => `query($a: ${nested(4_900, '[', 'Int', ']')}) { __typename }`],
    [
      'lists as the default of a variable',
      () => `query($a: Int = ${nested(4_900, '[', '', ']')}) { __typename }`,
    ],
    ['introspection', () => `{ __schema { types { ${nested(1_600, 'fields { type { ', 'name', '} }')} } } }`],
    [
      'introspection of `ofType`',
      () => `{ __schema { types { ${nested(3_000, 'ofType { ', 'name', '}')} } } }`,
    ],
  ])('gets a normal response with thousands of %s', async (_, document) => {
    const response = await gateway.query(document());
    const known = ['LIMIT_EXCEEDED', 'GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED'];
    for (const code of clearCodes(response)) expect(known).toContain(code);
  });

  test.each([
    ['fields of types of fields', 'fields { type { ', '} }'],
    ['interfaces and their implementations', 'interfaces { possibleTypes { ', '} }'],
  ])('is refused with circular introspection: %s', async (_, open, close) => {
    const response = await gateway.query(`{ __schema { types { ${nested(20, open, 'name', close)} } } }`);
    expect(clearCodes(response)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
  });
});

describe('introspection', () => {
  test('is refused if one request selects the schema 400 times', async () => {
    const everything = '{ types { name description fields { name description args { name } } } }';
    const response = await gateway.query(`{ ${times(400, (index) => `a${index}: __schema ${everything}`)} }`);
    expect(clearCodes(response)).toEqual(['LIMIT_EXCEEDED']);
  });
});

describe('fragments', () => {
  test.each([
    ['itself', '{ ...A } fragment A on Query { ...A }'],
    ['itself through another fragment', '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'],
    ['itself through 1,199 other fragments', `{ ...F0 } ${fragmentChain('...F0')}`],
  ])('are invalid if one spreads %s', async (_, document) => {
    expect(clearCodes(await gateway.query(document))).toEqual(['GRAPHQL_VALIDATION_FAILED']);
  });

  test('have a result if 1,200 of them are a chain', async () => {
    const response = await gateway.query(`{ ...F0 } ${fragmentChain('__typename')}`);
    expect(response.text).toBe('{"data":{"__typename":"Query"}}');
  });

  const inline = (name: string): string => `... { ...${name} } ... { ...${name} }`;
  test.each([
    ['at the root', `{ ...F0 } ${fragmentBomb('Query', '__typename')}`],
    ['at the root, of fields that cost', `{ ...F0 } ${fragmentBomb('Query', 'doiDirectory { kind }')}`],
    ['in a DOI', `{ doi(input: "10.5555/1") { ...F0 } } ${fragmentBomb('DOI', 'name')}`],
    [
      'in a DOI, inside others',
      `{ doi(input: "10.5555/1") { ...F0 } } ${fragmentBomb('DOI', 'name', inline)}`,
    ],
    [
      'that is skipped',
      `{ doi(input: "10.5555/1") { ...F0 } } ${fragmentBomb('DOI', 'name @skip(if: true)')}`,
    ],
    ['in the schema', `{ __schema { ...F0 } } ${fragmentBomb('__Schema', 'queryType { name }')}`],
    ['in a type', `{ __type(name: "DOI") { ...F0 } } ${fragmentBomb('__Type', 'name', inline)}`],
  ])('that fan out 2³⁰ times get a normal response: %s', async (_, document) => {
    const codes = clearCodes(await gateway.query(document));
    expect([[], ['LIMIT_EXCEEDED']]).toContainEqual(codes);
  });
});

describe('a fragment in many places', () => {
  const spread = (places: number, fields: string): string =>
    `{ ${times(places, (index) => `a${index}: doi(input: "10.5555/1") { ...F }`)} } fragment F on DOI { ${fields} }`;
  const ids = (count: number): string => times(count, (index) => `b${index}: id`);

  test.each([
    ['its fields are too many to plan', spread(440, ids(530))],
    [
      'its skipped fields are too many to plan',
      spread(100, `id ${times(600, (index) => `b${index}: id @skip(if: true)`)}`),
    ],
  ])('is refused because %s', async (_, document) => {
    const response = await gateway.query(document);
    expect(clearCodes(response)).toEqual(['LIMIT_EXCEEDED']);
    expect(response.text).toContain('fields, counted in each place that spreads their fragment');
  });

  test('has a result with 10,000 fields', async () => {
    const response = await gateway.query(spread(100, ids(100)));
    expect(clearCodes(response)).toEqual([]);
    expect(Object.keys(graphqlResult(response).data ?? {})).toHaveLength(100);
  });
});

describe('an invalid document', () => {
  test.each([
    ['an undefined variable', '{ doi(input: $nope) { name } }'],
    ['an unknown field', '{ doi(input: "10.5555/1") { urll } }'],
    ['9,900 unknown fields', `{ ${times(9_900, (index) => `x${index}`)} }`],
    ['3,000 unknown arguments', `{ doi(${times(3_000, (index) => `x${index}: 1`)}) { name } }`],
    ['2,000 unused variables', `query(${times(2_000, (index) => `$x${index}: Int`)}) { __typename }`],
    ['one argument 3,000 times', `{ __typename @include(${'if: true '.repeat(3_000)}) }`],
    ['one directive 1,000 times', `{ __typename ${'@include(if: true) '.repeat(1_000)} }`],
    ['a field with a name of 100,000 letters', `{ ${'a'.repeat(100_000)} }`],
  ])('gets validation errors: %s', async (_, document) => {
    const response = await gateway.query(document);
    expect(clearCodes(response)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    expect(graphqlResult(response).errors?.length).toBeLessThanOrEqual(101);
  });

  test.each([
    ['nothing', ''],
    ['only comments', '# nothing'],
    ['a lone surrogate, escaped', '{ doi(input: "10.5555/\\uD800") { name } }'],
    ['an unescaped lone surrogate', '{ doi(input: "10.5555/\ud800") { name } }'],
    ['a lone surrogate outside of strings', '{ \ud800 }'],
    ['a NUL', '{ __typename \0 }'],
    ['a string without an end', `{ doi(input: "${'a'.repeat(900_000)}`],
    ['a block string without an end', `{ doi(input: """${'a'.repeat(900_000)}`],
    ['9,000 braces', '{'.repeat(9_000)],
  ])('gets a syntax error: %s', async (_, document) => {
    expect(clearCodes(await gateway.query(document))).toEqual(['GRAPHQL_PARSE_FAILED']);
  });

  test.each(['B', '__proto__', 'toString', 'A '])('has no operation with the name %j', async (name) => {
    const response = await gateway.query('query A { __typename }', {}, name);
    expect([response.status, clearCodes(response)]).toEqual([400, ['BAD_USER_INPUT']]);
    expect(graphqlResult(response).errors?.[0]?.message).toContain('operationName');
  });

  test('is refused if its body is larger than the limit', async () => {
    const response = await gateway.query(`{ doi(input: "${'a'.repeat(1_100_000)}") { name } }`);
    expect([response.status, clearCodes(response)]).toEqual([413, ['LIMIT_EXCEEDED']]);
  });

  test('may contain a string of a megabyte', async () => {
    const input = `10.5555/${'a'.repeat(1_000_000)}`;
    const response = await gateway.query(`{ parseDoi(input: "${input}") { doi { suffix } } }`);
    expect(clearCodes(response)).toEqual([]);
    expect(graphqlResult(response).data).toEqual({ parseDoi: { doi: { suffix: input.slice(8) } } });
  });
});
