// The price of a field, declared beside the field. graphql/price.ts adds up the price of an operation.

import { type GraphQLNamedType, type GraphQLOutputType, getNullableType, isListType } from 'graphql';

/** `field`: the price of the field itself; a simple field has 1. `multiplier`: how often its selections count. */
export interface FieldPrice {
  readonly field: number;
  readonly multiplier: number;
}

export type PriceOfArguments<Arguments> = (args: Arguments) => FieldPrice;

/** The extensions of a GraphQLField. Default: the price of `usualPrice`. */
export interface PricedExtensions {
  readonly price?: FieldPrice | PriceOfArguments<never>;
}

/**
 * Options that give a field its price. If the price is a function, the function must count the size of all arguments. For
 * all other fields, graphql/price.ts counts their size.
 */
export function priced<Arguments>(price: FieldPrice | PriceOfArguments<Arguments>): {
  extensions: { price: FieldPrice | PriceOfArguments<Arguments> };
} {
  return { extensions: { price } };
}

/** How often the selections of a list count, if no argument gives its length. */
const USUAL_LENGTH = 5;

/** The price of a field without `priced`. */
export function usualPrice(type: GraphQLOutputType): FieldPrice {
  return { field: 1, multiplier: isListType(getNullableType(type)) ? USUAL_LENGTH : 1 };
}

/** The price of a list whose length is already counted in the price of a field above it. */
export const COUNTED_ABOVE: FieldPrice = { field: 1, multiplier: 1 };

/** The price of a look-up in the directory. */
export const LOOK_UP_PRICE: FieldPrice = { field: 20, multiplier: 1 };

export const INPUT_COST = 25;
export const CHARACTERS_PER_UNIT = 64;

/** Results are remembered for lists of at least this length, and for values of at least this size. */
const REMEMBERED_FROM = 100;

/**
 * A function with the same results as `compute`, which computes only once for each long list. One variable with 300,000
 * items may be an argument in hundreds of places of one operation.
 */
export function oncePerList<Item, Result>(
  compute: (list: readonly Item[]) => Result,
): (list: readonly Item[]) => Result {
  const known = new WeakMap<readonly Item[], Result>();
  return (list) => {
    if (list.length < REMEMBERED_FROM) return compute(list);
    const result = known.get(list) ?? compute(list);
    known.set(list, result);
    return result;
  };
}

/**
 * The price of reading inputs. Each input costs 25, because each may end in an error. The selections count once for each
 * input, and once more for each 64 characters of it, because each form is as long as the name.
 */
export const priceOfInputs = oncePerList((inputs: readonly string[]): FieldPrice => {
  let units = 0;
  for (const input of inputs) units += 1 + Math.floor(input.length / CHARACTERS_PER_UNIT);
  // Never 0: 0 times an infinite cost is NaN, which is never above a limit.
  return { field: INPUT_COST * inputs.length, multiplier: Math.max(1, units) };
});

const knownSizes = new WeakMap<object, number>();

/**
 * The size of an argument's value. An item of a list and a member of an object count 1. A string counts 1 for each 64
 * characters. The size of a large object is computed once: in `[$entity]`, each place makes a new list of the same object.
 */
export function sizeOf(argument: unknown): number {
  const isObject = typeof argument === 'object' && argument !== null;
  const known = isObject ? knownSizes.get(argument) : undefined;
  if (known !== undefined) return known;
  const size = countedSize(argument);
  if (isObject && size >= REMEMBERED_FROM) knownSizes.set(argument, size);
  return size;
}

function countedSize(argument: unknown): number {
  let size = 0;
  const pending = [argument];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string') size += Math.floor(value.length / CHARACTERS_PER_UNIT);
    else if (Array.isArray(value)) {
      size += value.length;
      for (const item of value) pending.push(item);
    } else if (typeof value === 'object' && value !== null) {
      // `for … in`, because Object.entries would allocate a list for each of perhaps 300,000 objects.
      for (const name in value) {
        size += 1 + Math.floor(name.length / CHARACTERS_PER_UNIT);
        pending.push((value as Record<string, unknown>)[name]);
      }
    }
  }
  return size;
}

/** The price of reading a text. Each match has its own price. */
export function priceOfText(text: string): FieldPrice {
  return { field: INPUT_COST + Math.floor(text.length / CHARACTERS_PER_UNIT), multiplier: 1 };
}

interface PaidExtensions {
  /** each object of a list is charged when it is found, with all its selected fields */
  readonly paidWhenFound?: true;
}

/** Options of an object type, if only a search shows how many objects there are. */
export const paidWhenFound = { extensions: { paidWhenFound: true } satisfies PaidExtensions };

export function isPaidWhenFound(type: GraphQLNamedType): boolean {
  return (type.extensions as PaidExtensions).paidWhenFound === true;
}
