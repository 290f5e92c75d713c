// Writes the prices into the schema as `@cost` and `@listSize`. Routers estimate the cost of operations from them:
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
  isChargedWhenFound,
  type PricedExtensions,
  type PriceOfArguments,
  sizeOf,
  usualPrice,
} from '../field-price.ts';
import { FEDERATION_LINK } from './federation-directives.ts';

/** The assumed number of inputs in a list, and of matches in a text. A router does not know these numbers. */
export const ASSUMED_INPUTS = 100;

const DEFINITIONS = parse(`
"""The price that a router adds for a field, an argument or an input field."""
directive @cost(
  """The price: 1 for a computed field, 20 for most look-ups. For a list: the price of one item."""
  weight: Int!
) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR

"""The factor by which a router multiplies the price of the selections on a list."""
directive @listSize(
  """The assumed number of items."""
  assumedSize: Int
  """Arguments that give the number of items. Not used here, because such arguments must be integers."""
  slicingArguments: [String!]
  """Lists of the object to which the number applies. Not used here."""
  sizedFields: [String!]
  """Whether the query must have exactly one of the slicing arguments. False here."""
  requireOneSlicingArgument: Boolean = true
) on FIELD_DEFINITION
`);

/**
 * Adds `@cost` to each field whose price differs from a router's default, and `@listSize` to every list. The result needs
 * Federation 2.9, which older composers refuse.
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
  // A router multiplies the weight of a list by its length.
  const weight = Math.round(price / length);
  return {
    ...(weight === defaultWeight ? {} : cost(weight)),
    // A router multiplies only at lists. So an object's lists get the multiplier of the field that returns the object.
    listSize: {
      assumedSize: length * multiplierOfObject(parent, schema),
      requireOneSlicingArgument: false,
    },
  };
}

/** The number by which a router must multiply the selections of a list. */
function lengthOf(list: Field): number {
  const item = getNamedType(list.type);
  // Items without selections cost nothing more than the field.
  if (!isCompositeType(item)) return 1;
  if (isChargedWhenFound(item) && hasPriceOfArguments(list)) return ASSUMED_INPUTS;
  // A router multiplies only at lists. So this list also gets the highest multiplier of the item's other fields.
  return priceOf(list).multiplier * Math.max(1, ...fieldsOf(item).map(multiplierUnlessList));
}

/** The lowest multiplier of the fields that return objects of the type. 1 for the root type, which no field returns. */
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

/** Whether the price is a function. Such a price includes the size of the arguments. */
function hasPriceOfArguments({ extensions }: Field): boolean {
  return typeof (extensions as PricedExtensions).price === 'function';
}

function costOfArgument(type: GraphQLInputType): object {
  // A router adds the weight once for the list and once for each item.
  if (isList(type)) return cost(sizeOf(['']));
  return isInputObjectType(getNamedType(type)) ? cost(sizeOf({})) : {};
}

function isList(type: GraphQLType): boolean {
  return isListType(getNullableType(type));
}
