// A schema to compare executors: every kind of type and argument, and fields that fail, wait or return invalid values.

import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfig,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
} from 'graphql';
import { GatewayError } from '../../src/errors.ts';

const some = <Type extends GraphQLOutputType>(type: Type) =>
  new GraphQLNonNull(type as never) as GraphQLNonNull<never>;

const Color = new GraphQLEnumType({
  name: 'Color',
  values: { RED: { value: 'r' }, GREEN: { value: 'g' }, BLUE: {} },
});
const Open = new GraphQLScalarType({ name: 'Open' });

const Filter: GraphQLInputObjectType = new GraphQLInputObjectType({
  name: 'Filter',
  fields: () => ({
    id: { type: GraphQLID },
    color: { type: Color, defaultValue: 'g' },
    counts: { type: new GraphQLList(new GraphQLNonNull(GraphQLInt)) },
    must: { type: new GraphQLNonNull(GraphQLFloat), defaultValue: 1 },
    inner: { type: Filter },
  }),
});

/** Returns its arguments as JSON. Shows a member with the value undefined, because it differs from no member. */
const echo: GraphQLFieldConfig<unknown, unknown> = {
  type: GraphQLString,
  args: {
    int: { type: GraphQLInt },
    float: { type: GraphQLFloat, defaultValue: 0.25 },
    id: { type: GraphQLID },
    yes: { type: new GraphQLNonNull(GraphQLBoolean), defaultValue: true },
    color: { type: Color },
    text: { type: GraphQLString, defaultValue: 'text' },
    filter: { type: Filter },
    open: { type: Open },
  },
  resolve: (_source, args) =>
    JSON.stringify(args, (_key, value) => (value === undefined ? 'nothing' : value)),
};

const lists: GraphQLFieldConfig<unknown, unknown> = {
  type: new GraphQLNonNull(GraphQLString),
  args: {
    ints: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLInt))) },
    colors: { type: new GraphQLList(Color) },
    matrix: { type: new GraphQLList(new GraphQLList(GraphQLInt)) },
    filters: { type: new GraphQLList(new GraphQLNonNull(Filter)) },
  },
  resolve: (_source, args) => JSON.stringify(args),
};

const fail = (): never => {
  throw new GatewayError('UPSTREAM_TIMEOUT');
};

const values: Record<string, GraphQLFieldConfig<unknown, unknown>> = {
  echo,
  lists,
  int: { type: GraphQLInt, resolve: () => 3 },
  whole: { type: GraphQLInt, resolve: () => '12' },
  wrongInt: { type: GraphQLInt, resolve: () => 1.5 },
  largeInt: { type: GraphQLInt, resolve: () => 2 ** 31 },
  float: { type: GraphQLFloat, resolve: () => 1e21 },
  notANumber: { type: GraphQLFloat, resolve: () => Number.NaN },
  id: { type: some(GraphQLID), resolve: () => 7 },
  wrongId: { type: GraphQLID, resolve: () => ({}) },
  yes: { type: GraphQLBoolean, resolve: () => 1 },
  color: { type: Color, resolve: () => 'g' },
  wrongColor: { type: Color, resolve: () => 'RED' },
  text: { type: GraphQLString, resolve: () => 'é"\u2028\ud800' },
  textOfNumber: { type: GraphQLString, resolve: () => 5 },
  wrongText: { type: GraphQLString, resolve: () => ['a'] },
  open: { type: Open, resolve: () => ({ b: [1, null, { a: 'x' }], a: 1.5 }) },
  nothing: { type: GraphQLString, resolve: () => undefined },
  nothingRequired: { type: some(GraphQLString), resolve: () => null },
  failed: { type: GraphQLString, resolve: fail },
  failedRequired: { type: some(GraphQLString), resolve: fail },
  given: { type: GraphQLString, resolve: () => new GatewayError('INVALID_DOI') },
  masked: { type: GraphQLString, resolve: () => new Error('secret') },
  texts: {
    type: new GraphQLList(GraphQLString),
    resolve: () => ['a', null, new GatewayError('INVALID_DOI'), 'b'],
  },
  requiredTexts: { type: new GraphQLList(some(GraphQLString)), resolve: () => ['a', null, 'b'] },
  matrix: {
    type: new GraphQLList(some(new GraphQLList(some(GraphQLInt)))),
    resolve: () => [[1], [], [2, 3]],
  },
  brokenMatrix: {
    type: new GraphQLList(new GraphQLList(some(GraphQLInt))),
    resolve: () => [[1], [2, 'x'], null],
  },
  iterable: { type: new GraphQLList(GraphQLInt), resolve: () => new Set([1, 2]) },
  noList: { type: new GraphQLList(GraphQLInt), resolve: () => 7 },
  stringAsList: { type: new GraphQLList(GraphQLString), resolve: () => 'abc' },
};

const Node = new GraphQLInterfaceType({
  name: 'Node',
  fields: { id: { type: new GraphQLNonNull(GraphQLID) }, own: { type: GraphQLString } },
  resolveType: (value) => (value as { kind: string }).kind,
});

const plain: GraphQLFieldConfig<unknown, unknown> = { type: GraphQLString };

const Thing: GraphQLObjectType = new GraphQLObjectType({
  name: 'Thing',
  interfaces: [Node],
  fields: () => ({ ...values, ...nested(), own: plain, method: plain }),
});

const Other: GraphQLObjectType = new GraphQLObjectType({
  name: 'Other',
  interfaces: [Node],
  fields: () => ({
    own: plain,
    ...nested(),
    id: { type: new GraphQLNonNull(GraphQLID), resolve: () => 'other' },
  }),
});

const Any = new GraphQLUnionType({
  name: 'Any',
  types: [Thing, Other],
  resolveType: (value) => (value as { kind: string }).kind,
});

const thing = {
  kind: 'Thing',
  own: 'mine',
  method(args: object): string {
    return `called with ${Object.keys(args).length}`;
  },
};
const other = { kind: 'Other', own: 'others' };

function nested(): Record<string, GraphQLFieldConfig<unknown, unknown>> {
  return {
    thing: { type: Thing, resolve: () => thing },
    required: { type: new GraphQLNonNull(Thing), resolve: () => thing },
    noThing: { type: Thing, resolve: () => null },
    things: {
      type: new GraphQLList(Thing),
      resolve: () => [thing, null, new GatewayError('INVALID_DOI'), thing],
    },
    requiredThings: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(Thing))),
      resolve: () => [thing, thing],
    },
    node: { type: Node, resolve: () => other },
    any: { type: Any, resolve: () => thing },
    anys: { type: new GraphQLList(Any), resolve: () => [thing, other, null] },
  };
}

/** The fields, and with `withPromises` a second field of each that resolves later. */
function queryType(withPromises: boolean): GraphQLObjectType {
  const waiting = Object.entries({ ...values, ...nested() })
    // The executors may differ in which of several failures they report first.
    .filter(([name]) => !/required/i.test(name))
    .map(([name, field]) => {
      const later = async (...args: Parameters<NonNullable<typeof field.resolve>>) => {
        await null;
        return field.resolve?.(...args);
      };
      return [`${name}Later`, { ...field, resolve: later }];
    });
  return new GraphQLObjectType({
    name: 'Query',
    fields: () => ({ ...values, ...nested(), ...(withPromises ? Object.fromEntries(waiting) : {}) }),
  });
}

export const atOnceSchema = new GraphQLSchema({ query: queryType(false), types: [Thing, Other] });
export const waitingSchema = new GraphQLSchema({ query: queryType(true), types: [Thing, Other] });
