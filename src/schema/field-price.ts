// Declares the price of a field. graphql/price.ts adds the prices of all fields to the price of an operation.

import { type GraphQLNamedType, type GraphQLOutputType, getNullableType, isListType } from 'graphql';
import { NEEDS_LOOK_UP } from './federation/federation-directives.ts';

export interface FieldPrice {
  /** the price of the field itself; 1 for a simple field */
  readonly field: number;
  /** the price of the selections on the field is multiplied by this factor */
  readonly multiplier: number;
}

export type PriceOfArguments<Arguments> = (args: Arguments) => FieldPrice;

/** The extensions of a GraphQLField. Default: the price of `usualPrice`. */
export interface PricedExtensions {
  readonly price?: FieldPrice | PriceOfArguments<never>;
}

/**
 * Options that give a field its price. A price that is a function must include the size of all arguments. For every other
 * price, graphql/price.ts adds this size.
 */
export function priced<Arguments>(price: FieldPrice | PriceOfArguments<Arguments>) {
  return { extensions: { price } };
}

/** The assumed length of a list if no argument determines its length. */
const USUAL_LENGTH = 5;

/** The price of a field without `priced`. */
export function usualPrice(type: GraphQLOutputType): FieldPrice {
  return { field: 1, multiplier: isListType(getNullableType(type)) ? USUAL_LENGTH : 1 };
}

/** Options of a list whose length is already part of the price of a field above it. */
export const COUNTED_ABOVE = priced({ field: 1, multiplier: 1 });

/** Options of a field that needs look-ups. If a look-up fails, the field is null and has an error. */
export function lookUpField(field: number, multiplier = 1) {
  return { ...priced({ field, multiplier }), directives: NEEDS_LOOK_UP, nullable: true } as const;
}

export const LOOK_UP_COST = 20;
export const LOOK_UP_FIELD = lookUpField(LOOK_UP_COST);

export const INPUT_COST = 25;
/** This many characters of a text add 1 to a price or to a multiplier. */
export const CHARACTERS_PER_UNIT = 64;

/** Results are kept for lists of at least this length, and for values of at least this size. */
const REMEMBERED_FROM = 100;

/**
 * The same function, but it computes the result for a long list only once. A client can use a variable with 300,000 items
 * in hundreds of places of one operation.
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
 * The price of reading inputs. Each input costs 25, because each input can end in an error. The multiplier has 1 for each
 * input and 1 for each 64 characters of the input, because a field's value is as long as the name.
 */
export const priceOfInputs = oncePerList((inputs: readonly string[]): FieldPrice => {
  let units = 0;
  for (const input of inputs) units += 1 + Math.floor(input.length / CHARACTERS_PER_UNIT);
  // The multiplier is never 0: 0 times an infinite price would be NaN, and NaN is never above a limit.
  return { field: INPUT_COST * inputs.length, multiplier: Math.max(1, units) };
});

/** Options of a query with the argument `name`, `input` or `inputs`. */
export const PRICED_BY_NAME = priced(({ name }: { readonly name: string }) => priceOfInputs([name]));
export const PRICED_BY_INPUT = priced(({ input }: { readonly input: string }) => priceOfInputs([input]));
export const PRICED_BY_INPUTS = priced(({ inputs }: { readonly inputs: readonly string[] }) =>
  priceOfInputs(inputs),
);

const knownSizes = new WeakMap<object, number>();

/**
 * The size of an argument's value: 1 for each item of a list, 1 for each member of an object, and 1 for each 64 characters
 * of a string. The size of a large object is computed only once, because `[$entity]` can be in many places.
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

/** The price of reading a text. The matches are charged later. */
export function priceOfText(text: string): FieldPrice {
  return { field: INPUT_COST + Math.floor(text.length / CHARACTERS_PER_UNIT), multiplier: 1 };
}

interface ChargedExtensions {
  /** true: the executor adds the cost of each object of a list, with all selected fields, when it finds the object */
  readonly chargedWhenFound?: true;
}

/** Options of an object type for objects whose number is known only after a search. */
export const chargedWhenFound = { extensions: { chargedWhenFound: true } satisfies ChargedExtensions };

export function isChargedWhenFound(type: GraphQLNamedType): boolean {
  return (type.extensions as ChargedExtensions).chargedWhenFound === true;
}
