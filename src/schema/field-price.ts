// The price of a field, declared beside the field. graphql/price.ts adds up the price of an operation.

import { type GraphQLNamedType, type GraphQLOutputType, getNullableType, isListType } from 'graphql';

/** `field`: itself, in fields to resolve. `multiplier`: how often each selection in it counts. */
export interface FieldPrice {
  readonly field: number;
  readonly multiplier: number;
}

export type PriceOfArguments<Arguments> = (args: Arguments) => FieldPrice;

/** What GraphQLField.extensions holds. A field without a price has the usual price. */
export interface PricedExtensions {
  readonly price?: FieldPrice | PriceOfArguments<never>;
}

/**
 * Options of a field that say what it costs. A function of the arguments has to count all of them by their size;
 * for every other field graphql/price.ts does.
 */
export function priced<Arguments>(price: FieldPrice | PriceOfArguments<Arguments>): {
  extensions: { price: FieldPrice | PriceOfArguments<Arguments> };
} {
  return { extensions: { price } };
}

/** How often selections in a list count whose length does not follow from an argument. */
const USUAL_LENGTH = 5;

/** The price of a field that declares none. */
export function usualPrice(type: GraphQLOutputType): FieldPrice {
  return { field: 1, multiplier: isListType(getNullableType(type)) ? USUAL_LENGTH : 1 };
}

/** A list that is as long as what its arguments already count. */
export const COUNTED_ELSEWHERE: FieldPrice = { field: 1, multiplier: 1 };

/** A look-up in the directory costs more than a field that is computed. */
export const LOOK_UP: FieldPrice = { field: 20, multiplier: 1 };

export const INPUT_COST = 25;
export const CHARACTERS_A_UNIT = 64;

/** From this price on, computed values are worth remembering. */
const REMEMBERED_FROM = 100;

/**
 * The same, computed once for each long list. A variable with 300,000 items may be an argument in hundreds of places of
 * one operation.
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
 * What reading inputs costs: 25 each, since each may end in an error of its own; and every selection on
 * them is counted once for each input, and once more for each further 64 characters, since every encoding
 * form is as long as the name.
 */
export const priceOfInputs = oncePerList((inputs: readonly string[]): FieldPrice => {
  let units = 0;
  for (const input of inputs) units += 1 + Math.floor(input.length / CHARACTERS_A_UNIT);
  // Never 0: a limit cannot be compared with 0 times a selection of infinite cost.
  return { field: INPUT_COST * inputs.length, multiplier: Math.max(1, units) };
});

const knownSizes = new WeakMap<object, number>();

/**
 * The size of an argument's value: an item of a list 1, and so is a member of an object; a string 1 for each 64
 * characters. It is computed once for each large value: `[$entity]` is another list at each place, of the same item.
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
    if (typeof value === 'string') size += Math.floor(value.length / CHARACTERS_A_UNIT);
    else if (Array.isArray(value)) {
      size += value.length;
      for (const item of value) pending.push(item);
    } else if (typeof value === 'object' && value !== null) {
      // No list of its members: a variable may be 300,000 objects.
      for (const name in value) {
        size += 1 + Math.floor(name.length / CHARACTERS_A_UNIT);
        pending.push((value as Record<string, unknown>)[name]);
      }
    }
  }
  return size;
}

/** The price of reading a text. Each match has its own price. */
export function priceOfText(text: string): FieldPrice {
  return { field: INPUT_COST + Math.floor(text.length / CHARACTERS_A_UNIT), multiplier: 1 };
}

interface PaidExtensions {
  /** each object of a list is charged when it is found, with all its selected fields */
  readonly paidWhenFound?: true;
}

/** Options of an object type whose number is known only after the search. */
export const paidWhenFound = { extensions: { paidWhenFound: true } satisfies PaidExtensions };

export function isPaidWhenFound(type: GraphQLNamedType): boolean {
  return (type.extensions as PaidExtensions).paidWhenFound === true;
}
