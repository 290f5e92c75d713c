// Every argument counts by its size, wherever it stands: a walk through the schema, so that none can be forgotten.

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
import { priceIn } from '../../src/graphql/price.ts';
import { CHARACTERS_PER_UNIT } from '../../src/schema/field-price.ts';
import { testTable } from '../support/test-table.ts';
import { planned } from './executed.ts';

/** An argument, or a member of one, that may be large: where it is, and values of it by their size in units. */
interface Sizable {
  readonly what: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly parent: GraphQLObjectType;
  readonly argument: GraphQLArgument;
  readonly valueFor: (units: number) => unknown;
}

type ValueOf = (units: number) => unknown;

const text: ValueOf = (units) => 'x'.repeat(units * CHARACTERS_PER_UNIT);

/** All ways in which a value of a type may be large. */
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
  // An open scalar may hold anything.
  const isOpen = isScalarType(type) && type.name.startsWith('_');
  return isOpen ? OPEN : [['characters', text]];
}

const doi = (rest: object): object => ({ __typename: 'DOI', name: '10.1000/1', ...rest });

/** How a representation may be large. */
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

/** Selections that lead from Query to an object of the type, around what is selected there. */
function pathTo(type: GraphQLObjectType, inner: string): string {
  const routes: Readonly<Record<string, string>> = {
    Query: inner,
    DOI: `doi(input: "10.1000/1") { ${inner} }`,
    Handle: `handle(name: "2381/1") { ${inner} }`,
    HandleRecord: `doi(input: "10.1000/1") { record { ${inner} } }`,
  };
  return routes[type.name] ?? expect.unreachable(`How does one get to ${type.name}?`);
}

/** What it costs with a variable, or with a literal, of so many units. */
function priceOf({ parent, field, argument, valueFor }: Sizable, units: number, asLiteral: boolean): number {
  const others = field.args
    .filter((other) => other !== argument && isRequiredArgument(other))
    .map((other) => `${other.name}: ${literal(smallOf(other.type))}`);
  const value = asLiteral ? literal(valueFor(units)) : '$value';
  const inner = isCompositeType(getNamedType(field.type)) ? '{ __typename }' : '';
  const asked = `${field.name}(${[`${argument.name}: ${value}`, ...others].join(', ')}) ${inner}`;
  const query = `query ${asLiteral ? '' : `($value: ${String(argument.type)})`} { ${pathTo(parent, asked)} }`;
  const { price, variables } =
    planned(servedSchema, query, { value: valueFor(units) }) ?? expect.unreachable();
  executions += 1;
  return priceIn(price, { number: executions, variables, valuesByReader: [], variableReads: 0 });
}

let executions = 2_000_000;

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

test('the walk finds arguments at every depth', () => {
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
  ])('counts by its size, as %s', (_as, asLiteral) => {
    const isEnumOrInt = /items$/.test(sizable.what);
    const before = priceOf(sizable, isEnumOrInt ? 0 : 2, asLiteral);
    for (const units of [100, 1_000]) {
      expect(priceOf(sizable, units, asLiteral) - before).toBeGreaterThanOrEqual(units - 4);
    }
  });
});
