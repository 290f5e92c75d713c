import type { GraphQLError } from 'graphql';
import type { ErrorMask } from '../mask-error.ts';
import type { FieldOrder } from './field-order.ts';

/** A result, or the first part of one, or a later one, as the executor hands it out. */
interface Part {
  readonly data?: unknown;
  readonly incremental?: readonly Increment[];
}

interface Increment {
  readonly path?: readonly (string | number)[];
  readonly data?: unknown;
  readonly items?: readonly unknown[] | null;
  readonly errors?: readonly GraphQLError[];
}

/** The same with its fields in order, and with the errors of its increments masked: all others are masked elsewhere. */
export function partForClients<Result extends object>(
  result: Result,
  { order }: FieldOrder,
  mask: ErrorMask,
): Result {
  const { data, incremental }: Part = result;
  const ordered = data === undefined ? {} : { data: order(data, []) };
  const increments = incremental ? { incremental: incremental.map(increment) } : {};
  return { ...result, ...ordered, ...increments };

  function increment(part: Increment): Increment {
    const { path = [], data, items, errors } = part;
    return {
      ...part,
      ...(data !== undefined && { data: order(data, path) }),
      ...(items && { items: items.map((item) => order(item, path)) }),
      ...(errors && { errors: errors.map(mask) }),
    };
  }
}
