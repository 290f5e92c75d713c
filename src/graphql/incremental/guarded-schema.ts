// The schema for graphql-js and for Yoga's executor. These executors know no limits, so the resolvers enforce the limits.

import { collectSubFields, MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  defaultFieldResolver,
  type GraphQLFieldResolver,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  responsePathAsArray,
} from 'graphql';
import { CHARACTERS_PER_UNIT, isChargedWhenFound } from '../../schema/field-price.ts';
import { BytesAsText } from '../../schema/handle/bytes-as-text.ts';
import { createArgumentsReaderOf } from '../arguments.ts';
import { locationsOf } from '../document.ts';
import type { Execution } from '../execution.ts';
import { allItems, chargedItems, isGenerator } from '../found-items.ts';
import { HEAP_BYTES } from '../heap-sizes.ts';
import { MaskedGraphqlError } from '../mask-error.ts';
import { priceIn, priceOfSelections } from '../price.ts';
import { type OperationUsage, ResponseEnded } from '../write.ts';
import type { FoundParts } from './count-parts.ts';

/** The state that the guarded resolvers of one execution share. */
interface Guarded extends Pick<Execution, 'usage' | 'slices' | 'mask' | 'time'> {
  /** null: the response has one part */
  readonly parts: Pick<FoundParts, 'grow'> | null;
  /** if not null, the whole response has failed, and this is its only error */
  ended: ResponseEnded | null;
}

export interface GuardedContext {
  readonly guarded: Guarded;
}

type Resolver = GraphQLFieldResolver<unknown, GuardedContext>;

export function createGuardedSchema(schema: GraphQLSchema): GraphQLSchema {
  const guarded = mapSchema(schema, {
    [MapperKind.OBJECT_FIELD]: (field) => ({
      ...field,
      resolve: createGuardedResolver((field.resolve ?? defaultFieldResolver) as Resolver, field.type),
    }),
  });
  // mapSchema changes the order of types. Introspection must show the original order.
  const types: Record<string, unknown> = guarded.getTypeMap();
  for (const name of Object.keys(schema.getTypeMap())) {
    const type = types[name];
    delete types[name];
    types[name] = type;
  }
  return guarded;
}

/** The punctuation around a field name and its value. */
const FRAME_BYTES = 4;
/**
 * The items of a longer list cost COST_OF_PROMISES times as much, because they become promises. If a generator returns
 * the items, only the later items cost more.
 */
const MAX_ITEMS_AT_NORMAL_PRICE = 2_000;
const COST_OF_PROMISES = 4;

/** The number of items that begin in one step. A slice can end between two steps. */
const ITEMS_AT_ONCE = 50;

function createGuardedResolver(resolve: Resolver, type: GraphQLOutputType): Resolver {
  const isList = isListType(isNonNullType(type) ? type.ofType : type);
  const isLeaf = isLeafType(getNamedType(type));

  return (source, args, context, info) => {
    const { guarded } = context;
    const check = (value: unknown): unknown => {
      if (isList && Array.isArray(value)) return checkList(value, info, guarded);
      if (isList && isGenerator(value)) {
        const cost = costOfGeneratedItem(info);
        const found = chargedItems(value, chargerOfItems(cost, info, guarded));
        // The price of the operation, and so its reservation, does not include found items.
        const items = allItems(found, cost * HEAP_BYTES.cost + BYTES_OF_FOUND_ITEM, guarded);
        const toList = (charged: readonly unknown[]) => listedItems(charged, info, guarded);
        return items instanceof Promise ? items.then(toList).catch(fail) : toList(items);
      }
      if (value instanceof Error) throw value;
      if (isLeaf) countLeaf(value, guarded.usage);
      return value;
    };
    const fail = (error: unknown): never => {
      if (!(error instanceof ResponseEnded))
        throw locatedError(error, info, responsePathAsArray(info.path), guarded);
      guarded.ended = error;
      throw error;
    };
    try {
      guarded.usage.addBytes(String(info.path.key).length + FRAME_BYTES);
      const value = resolve(source, args, context, info);
      return value instanceof Promise ? value.then(check).catch(fail) : check(value);
    } catch (error) {
      return fail(error);
    }
  };
}

/** The heap of a found item before its fields: the promise of the item, and its object in the response. */
const BYTES_OF_FOUND_ITEM = 1_000;
/** The heap of a part that waits for its fields. The price of an operation does not include parts of found lists. */
const BYTES_OF_FOUND_PART = 6_000;

function growParts(info: GraphQLResolveInfo, from: number, to: number, { usage, parts }: Guarded): void {
  if (parts !== null) usage.addHeapBytes(parts.grow(info, from, to) * BYTES_OF_FOUND_PART);
}

/** The cost of one item that a generator returns. */
function costOfGeneratedItem(info: GraphQLResolveInfo): number {
  const type = getNamedType(info.returnType);
  const hasFullPrice = isChargedWhenFound(type) || !isObjectType(type);
  return hasFullPrice ? costOfFound(type, info) : selectedFieldsOf(type, info);
}

/** The price of an item with its selections. The price of the operation does not include this price. */
function costOfFound(type: GraphQLNamedType, info: GraphQLResolveInfo): number {
  const { schema, fieldNodes, variableValues: variables } = info;
  const fragments = new Map(Object.entries(info.fragments));
  const source = { schema, fragments, variables, readerOf: createArgumentsReaderOf() };
  const sets = fieldNodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  return priceIn(priceOfSelections(source, sets, type), {
    number: 1,
    variables,
    valuesByReader: [],
    variableReads: 0,
  });
}

/** The number of fields selected on each item, with fragments and deferred fields. */
function selectedFieldsOf(type: GraphQLObjectType, info: GraphQLResolveInfo): number {
  const { schema, fragments, fieldNodes } = info;
  const variables = { coerced: info.variableValues, sources: {} };
  const { fields, patches } = collectSubFields(schema, fragments, variables, type, [...fieldNodes]);
  return patches.reduce((count, patch) => count + patch.fields.size, fields.size);
}

/** Returns a function that charges the next item of a generator. */
function chargerOfItems(cost: number, info: GraphQLResolveInfo, guarded: Guarded): () => void {
  let items = 0;
  return () => {
    items += 1;
    growParts(info, items - 1, items, guarded);
    guarded.usage.addCost(items > MAX_ITEMS_AT_NORMAL_PRICE ? cost * COST_OF_PROMISES : cost);
  };
}

function checkList(found: readonly unknown[], info: GraphQLResolveInfo, guarded: Guarded): unknown[] {
  const { usage } = guarded;
  const type = getNamedType(info.returnType);
  growParts(info, 0, found.length, guarded);
  if (isChargedWhenFound(type)) {
    const cost = costOfFound(type, info);
    return listedItems([...chargedItems(found, () => usage.addCost(cost))], info, guarded);
  }
  const fields = isObjectType(type) ? selectedFieldsOf(type, info) : 1;
  const factor = found.length > MAX_ITEMS_AT_NORMAL_PRICE ? COST_OF_PROMISES : 1;
  if (!type.name.startsWith('__')) usage.addCost(found.length * fields * factor);
  return listedItems(found, info, guarded);
}

/** The charged items for the executor: errors get locations, and the items of a long list become promises. */
function listedItems(items: readonly unknown[], info: GraphQLResolveInfo, guarded: Guarded): unknown[] {
  const type = getNamedType(info.returnType);
  if (isLeafType(type)) for (const item of items) countLeaf(item, guarded.usage);
  const locate = (item: unknown, index: number): unknown =>
    item instanceof Error
      ? locatedError(item, info, [...responsePathAsArray(info.path), index], guarded)
      : item;
  return items.length > ITEMS_AT_ONCE && !isLeafType(type)
    ? inLaterSlices(items, locate, guarded)
    : items.map(locate);
}

/** Makes promises of all items after the first ITEMS_AT_ONCE. The promises resolve step by step, in later slices. */
function inLaterSlices(
  items: readonly unknown[],
  locate: (item: unknown, index: number) => unknown,
  { slices, usage, time }: Guarded,
): unknown[] {
  let stepsBefore: Promise<void> = Promise.resolve();
  return items.map((found, index) => {
    if (index < ITEMS_AT_ONCE) return locate(found, index);
    if (index % ITEMS_AT_ONCE === 0) {
      stepsBefore = stepsBefore.then(() =>
        slices.isOverNow() ? slices.next().then(() => time.throwIfEnded()) : undefined,
      );
      stepsBefore.catch(() => undefined);
    }
    const begun = stepsBefore.then(() => {
      usage.addBytes(0); // throws if the response is already too large
      const item = locate(found, index);
      if (item instanceof Error) throw item;
      return item;
    });
    begun.catch(() => undefined);
    return begun;
  });
}

function countLeaf(value: unknown, usage: OperationUsage): void {
  const isLongText = value instanceof BytesAsText;
  // Charges a long text before the text is made.
  if (isLongText) chargeCharacters(value.length, usage);
  const json = JSON.stringify(value) ?? 'null';
  if (!isLongText) chargeCharacters(json.length, usage);
  usage.addBytes(Buffer.byteLength(json));
}

function chargeCharacters(characters: number, usage: OperationUsage): void {
  if (characters > CHARACTERS_PER_UNIT) usage.addCost(Math.floor(characters / CHARACTERS_PER_UNIT));
}

/** Masks the error, adds its locations and path, and counts its bytes. Returns a ResponseEnded if they are too many. */
function locatedError(
  error: unknown,
  { fieldNodes }: GraphQLResolveInfo,
  path: readonly (string | number)[],
  guarded: Guarded,
): Error {
  if (error instanceof MaskedGraphqlError) return error;
  const { usage, mask } = guarded;
  const masked = new MaskedGraphqlError(mask(error, path), path, locationsOf(fieldNodes));
  try {
    usage.addBytes(Buffer.byteLength(JSON.stringify(masked)));
    return masked;
  } catch (ended) {
    guarded.ended = ended as ResponseEnded;
    return ended as ResponseEnded;
  }
}
