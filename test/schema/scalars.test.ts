// The JSON scalar passes every JSON value on without a change: in responses, variables and literals.

import { GraphQLScalarType, parseValue } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';

const json = schema.getType('JSON');
if (!(json instanceof GraphQLScalarType)) throw new Error('JSON is no scalar');

const literal = (text: string, variables = {}): unknown =>
  JSON.parse(JSON.stringify(json.parseLiteral(parseValue(text), variables) ?? null));

test.each([[null], [true], [0], [-1.5], ['text'], [[1, [2]]], [{ a: { b: [null] } }]])(
  '%j is the same in a response and in a variable',
  (value) => {
    expect(json.serialize(value)).toBe(value);
    expect(json.parseValue(value)).toBe(value);
  },
);

test.each([
  ['null', null],
  ['true', true],
  ['1', 1],
  ['-1.5e3', -1500],
  ['12345678901234567890', Number('12345678901234567890')],
  ['"a\\n"', 'a\n'],
  ['"""a"""', 'a'],
  ['[]', []],
  ['[1, [true, null], {a: 1}]', [1, [true, null], { a: 1 }]],
  ['{a: {b: [1, "x"]}, c: 2.5}', { a: { b: [1, 'x'] }, c: 2.5 }],
])('the literal %s is read', (text, value) => {
  expect(literal(text)).toEqual(value);
});

test('a literal can contain variables at any depth', () => {
  const variables = { one: 1, list: [{ deep: true }] };
  expect(literal('$one', variables)).toBe(1);
  expect(literal('{a: [$one, $list], b: $missing}', variables)).toEqual({ a: [1, [{ deep: true }]] });
});

test('a literal cannot change the prototype of objects', () => {
  const value = json.parseLiteral(parseValue('{__proto__: {polluted: true}}'), {});
  expect(Object.keys(value as object)).toEqual(['__proto__']);
  expect('polluted' in {}).toBe(false);
});

test('an enum value is not JSON', () => {
  expect(json.parseLiteral(parseValue('RED'), {})).toBeUndefined();
});
