// Writes the prices as `@cost` and `@listSize`. Routers estimate operations by these directives:
// https://specs.apollo.dev/cost/v0.1

import { MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  extendSchema,
  type GraphQLFieldConfig,
  type GraphQLInputType,
  type GraphQLNamedType,
  GraphQLSchema,
  type GraphQLType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
} from 'graphql';
import {
  type FieldPrice,
  isPaidWhenFound,
  type PricedExtensions,
  type PriceOfArguments,
  sizeOf,
  usualPrice,
} from '../field-price.ts';
import { FEDERATION_LINK } from './federation-directives.ts';

/** The assumed number of inputs in a list, and of matches in a text: a router knows neither. */
export const ASSUMED_INPUTS = 100;

const DEFINITIONS = parse(`
"""What a router adds for a field, an argument or an input field."""
directive @cost(
  """The price: 1 for a computed field, 20 for most look-ups. Of a list, the price of one item."""
  weight: Int!
) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR

"""How often a router counts the selections on a list."""
directive @listSize(
  """The assumed number of items."""
  assumedSize: Int
  """Arguments that give the number. Not used here: they have to be integers."""
  slicingArguments: [String!]
  """Lists of the object to which the number applies. Not used here."""
  sizedFields: [String!]
  """Whether exactly one slicing argument must be there. False here."""
  requireOneSlicingArgument: Boolean = true
) on FIELD_DEFINITION
`);

/**
 * The schema with `@cost` wherever the price differs from a router's default, and with `@listSize` on every list.
 * It needs Federation 2.9, which older composers refuse.
 */
export function withCosts(schema: GraphQLSchema): GraphQLSchema {
  const mapped = mapSchema(schema, {
    // Composers refuse `@cost` on a field of an interface.
    [MapperKind.OBJECT_FIELD]: (field: Field, _name, parent) => ({
      ...withDirectives(field, costOfField(field, parent, schema)),
      args: Object.fromEntries(
        Object.entries(field.args ?? {}).map(([name, argument]) => [
          name,
          hasPriceOfArguments(field) ? argument : withDirectives(argument, costOfArgument(argument.type)),
        ]),
      ),
    }),
    [MapperKind.INPUT_OBJECT_FIELD]: (member) => withDirectives(member, cost(sizeOf({ member: null }))),
  });
  return new GraphQLSchema({
    ...extendSchema(mapped, DEFINITIONS).toConfig(),
    extensionASTNodes: [],
    extensions: { directives: { link: FEDERATION_LINK.withCosts } },
  });
}

type Field = GraphQLFieldConfig<unknown, unknown>;

function withDirectives<Config extends { extensions?: object | null | undefined }>(
  config: Config,
  added: object,
): Config {
  const { directives } = { directives: {}, ...config.extensions };
  return { ...config, extensions: { ...config.extensions, directives: { ...directives, ...added } } };
}

const cost = (weight: number) => ({ cost: { weight } });

function costOfField(field: Field, parent: string, schema: GraphQLSchema): object {
  const { field: price } = priceOf(field);
  const defaultWeight = isCompositeType(getNamedType(field.type)) ? 1 : 0;
  if (!isList(field.type)) return price === defaultWeight ? {} : cost(price);
  const length = lengthOf(field);
  // A router counts the weight of a list for each item.
  const weight = Math.round(price / length);
  return {
    ...(weight === defaultWeight ? {} : cost(weight)),
    // A router multiplies only lists. So the multiplier of the field that returns an object moves to the lists of the object.
    listSize: {
      assumedSize: length * multiplierOfObject(parent, schema),
      requireOneSlicingArgument: false,
    },
  };
}

/** The number of items for which the selections of a list count. */
function lengthOf(list: Field): number {
  const item = getNamedType(list.type);
  // Items without selections cost nothing beyond the price of the field.
  if (!isCompositeType(item)) return 1;
  if (isPaidWhenFound(item) && hasPriceOfArguments(list)) return ASSUMED_INPUTS;
  // A router multiplies only lists. So the highest multiplier of the item's fields that are no lists moves to this list.
  return priceOf(list).multiplier * Math.max(1, ...fieldsOf(item).map(multiplierUnlessList));
}

/** The lowest multiplier of the fields that return objects of the type. 1 for the root, which no field returns. */
function multiplierOfObject(name: string, schema: GraphQLSchema): number {
  const fields = Object.values(schema.getTypeMap()).flatMap(fieldsOf);
  const returning = fields.filter(({ type }) => getNamedType(type).name === name);
  return returning.length === 0 ? 1 : Math.min(...returning.map(multiplierUnlessList));
}

function multiplierUnlessList(field: Field): number {
  return isList(field.type) ? 1 : priceOf(field).multiplier;
}

function fieldsOf(type: GraphQLNamedType): readonly Field[] {
  return isObjectType(type) ? Object.values(type.toConfig().fields) : [];
}

function priceOf({ type, args = {}, extensions }: Field): FieldPrice {
  const { price } = extensions as PricedExtensions;
  if (typeof price !== 'function') return price ?? usualPrice(type);
  const required = Object.entries(args).filter(([, argument]) => isNonNullType(argument.type));
  const assumed = required.map(([name, argument]) => [name, isList(argument.type) ? INPUTS : '']);
  return (price as PriceOfArguments<object>)(Object.fromEntries(assumed));
}

const INPUTS: readonly string[] = Array<string>(ASSUMED_INPUTS).fill('');

/** Whether the price is a function, which counts the arguments itself. */
function hasPriceOfArguments({ extensions }: Field): boolean {
  return typeof (extensions as PricedExtensions).price === 'function';
}

function costOfArgument(type: GraphQLInputType): object {
  // A router adds the weight of a list once, and once more for each item.
  if (isList(type)) return cost(sizeOf(['']));
  return isInputObjectType(getNamedType(type)) ? cost(sizeOf({})) : {};
}

function isList(type: GraphQLType): boolean {
  return isListType(getNullableType(type));
}
