// The price of every argument in the schema grows with its size.

import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { servedSchema } from '../../src/graphql/incremental/incremental-rules.ts';
import { CHARACTERS_PER_UNIT } from '../../src/schema/field-price.ts';
import { testTable } from '../support/test-table.ts';
import { planOperation, priceOf } from './execute-planned.ts';

/** An argument, or a part of an argument, that can be large. */
interface Sizable {
  /** its position in the schema */
  readonly what: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly parent: GraphQLObjectType;
  readonly argument: GraphQLArgument;
  /** a value of so many units of the price */
  readonly valueFor: (units: number) => unknown;
}

type ValueOf = (units: number) => unknown;

const text: ValueOf = (units) => 'x'.repeat(units * CHARACTERS_PER_UNIT);

/** The parts of a value of this type that can be large. */
function sizes(
  type: GraphQLInputType,
  seen: readonly string[] = [],
): readonly (readonly [string, ValueOf])[] {
  if (isNonNullType(type)) return sizes(type.ofType, seen);
  if (isListType(type)) {
    const item = smallOf(type.ofType);
    const inItem = sizes(type.ofType, seen).map(
      ([what, valueFor]) => [`an item's ${what}`, (units: number) => [valueFor(units)]] as const,
    );
    return [['items', (units) => Array.from({ length: units }, () => item)], ...inItem];
  }
  if (isInputObjectType(type)) {
    if (seen.includes(type.name)) return [];
    return Object.values(type.getFields()).flatMap((member) =>
      sizes(member.type, [...seen, type.name]).map(
        ([what, valueFor]) =>
          [
            `${member.name}: ${what}`,
            (units: number) => ({ ...small(type), [member.name]: valueFor(units) }),
          ] as const,
      ),
    );
  }
  if (isEnumType(type) || ['Int', 'Float', 'Boolean'].includes(type.name)) return [];
  // An open scalar takes any value.
  const isOpen = isScalarType(type) && type.name.startsWith('_');
  return isOpen ? OPEN : [['characters', text]];
}

const doi = (rest: object): object => ({ __typename: 'DOI', name: '10.1000/1', ...rest });

/** The parts of a representation that can be large. */
const OPEN: readonly (readonly [string, ValueOf])[] = [
  ['key', (units) => doi({ name: text(units) })],
  ['other key', (units) => doi({ ref: text(units) })],
  ['two keys', (units) => doi({ ref: text(units / 2), canonicalName: text(units / 2) })],
  ['unknown member', (units) => doi({ title: text(units) })],
  ['name of a member', (units) => doi({ [String(text(units))]: 1 })],
  ['many members', (units) => doi(Object.fromEntries(Array.from({ length: units }, (_, i) => [`m${i}`, 1])))],
  ['list', (units) => doi({ tags: Array.from({ length: units }, () => 1) })],
  ['list of lists', (units) => doi({ tags: Array.from({ length: units }, () => []) })],
  ['nested object', (units) => doi({ of: { it: [{ is: text(units) }] } })],
  ['type name', (units) => ({ __typename: text(units) })],
  ["agency's name", (units) => ({ __typename: 'RegistrationAgency', name: text(units) })],
  ["prefix's name", (units) => ({ __typename: 'DOIPrefix', name: text(units) })],
  ["handle's name", (units) => ({ __typename: 'Handle', name: text(units) })],
  ['bare text', text],
  ['bare list', (units) => Array.from({ length: units }, () => 'x')],
];

function smallOf(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return smallOf(type.ofType);
  if (isListType(type)) return [];
  if (isInputObjectType(type)) return small(type);
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (type.name === '_Any') return { __typename: 'DOI', name: '10.1000/1' };
  return { Int: 1, Float: 1, Boolean: true }[type.name] ?? '';
}

function small(type: GraphQLInputType): object {
  if (!isInputObjectType(type)) return {};
  const required = Object.values(type.getFields()).filter((member) => isNonNullType(member.type));
  return Object.fromEntries(required.map((member) => [member.name, smallOf(member.type)]));
}

const SIZABLE: readonly Sizable[] = Object.values(servedSchema.getTypeMap())
  .filter(isObjectType)
  .filter(({ name }) => !name.startsWith('__'))
  .flatMap((parent) =>
    Object.values(parent.getFields()).flatMap((field) =>
      field.args.flatMap((argument) =>
        sizes(argument.type).map(([what, valueFor]) => ({
          what: `${parent.name}.${field.name}(${argument.name}): ${what}`,
          field: field as GraphQLField<unknown, unknown>,
          parent,
          argument,
          valueFor,
        })),
      ),
    ),
  );

/** Wraps a selection of this type, so that it begins at Query. */
function pathTo(type: GraphQLObjectType, inner: string): string {
  const routes: Readonly<Record<string, string>> = {
    Query: inner,
    DOI: `doi(input: "10.1000/1") { ${inner} }`,
    Handle: `handle(name: "2381/1") { ${inner} }`,
    HandleRecord: `doi(input: "10.1000/1") { record { ${inner} } }`,
  };
  return routes[type.name] ?? expect.unreachable(`The route to ${type.name} is missing.`);
}

/** The price of an operation with a variable, or a literal, of so many units. */
function priceWith(
  { parent, field, argument, valueFor }: Sizable,
  units: number,
  asLiteral: boolean,
): number {
  const others = field.args
    .filter((other) => other !== argument && isRequiredArgument(other))
    .map((other) => `${other.name}: ${literal(smallOf(other.type))}`);
  const value = asLiteral ? literal(valueFor(units)) : '$value';
  const inner = isCompositeType(getNamedType(field.type)) ? '{ __typename }' : '';
  const selection = `${field.name}(${[`${argument.name}: ${value}`, ...others].join(', ')}) ${inner}`;
  const query = `query ${asLiteral ? '' : `($value: ${String(argument.type)})`} { ${pathTo(parent, selection)} }`;
  return priceOf(planOperation(servedSchema, query, { value: valueFor(units) }) ?? expect.unreachable());
}

const ENUM_VALUES = new Set(
  Object.values(servedSchema.getTypeMap())
    .filter(isEnumType)
    .flatMap((type) => type.getValues().map(({ name }) => name)),
);

function literal(value: unknown): string {
  if (typeof value === 'string' && ENUM_VALUES.has(value)) return value;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${key}: ${literal(member)}`)
    .join(', ')}}`;
}

test('the list of arguments includes arguments at every depth', () => {
  const found = SIZABLE.map(({ what }) => what);
  expect(found).toEqual(
    expect.arrayContaining([
      'Query.dois(inputs): items',
      "Query.dois(inputs): an item's characters",
      'Query.registrationAgency(name): characters',
      'Query.shortDoi(input): characters',
      'Query.doiPrefix(name): characters',
      'Query.handle(name): characters',
      'DOI.proxyUrl(parameters): urlAppend: characters',
      'DOI.redirect(parameters): indexes: items',
      'DOI.encodings(forms): items',
      'HandleRecord.values(types): items',
      "Query._entities(representations): an item's unknown member",
    ]),
  );
});

describe.each(SIZABLE.map((sizable) => [sizable.what, sizable] as const))('%s', (_what, sizable) => {
  testTable([
    ['a variable', false],
    ['a literal', true],
  ])('has a price that grows with its size, as %s', (_as, asLiteral) => {
    const isEnumOrInt = /items$/.test(sizable.what);
    const before = priceWith(sizable, isEnumOrInt ? 0 : 2, asLiteral);
    for (const units of [100, 1_000]) {
      expect(priceWith(sizable, units, asLiteral) - before).toBeGreaterThanOrEqual(units - 4);
    }
  });
});
