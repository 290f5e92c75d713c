import type { GraphQLError } from 'graphql';
import type { ErrorMask } from '../mask-error.ts';
import type { FieldOrder } from './field-order.ts';

/** A result, or the first part of one, or a later one, as the executor hands it out. */
interface Part {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLError[];
  readonly incremental?: readonly Increment[];
}

interface Increment {
  readonly path?: readonly (string | number)[];
  readonly data?: unknown;
  readonly items?: readonly unknown[] | null;
  readonly errors?: readonly GraphQLError[];
}

/** The same with its fields in order, and its errors in words for clients, as plain objects: Yoga would look for their lines. */
export function partForClients<Result extends object>(
  result: Result,
  { order }: FieldOrder,
  mask: ErrorMask,
): Result {
  const { data, errors, incremental }: Part = result;
  const ordered = data === undefined ? {} : { data: order(data, []) };
  const increments = incremental ? { incremental: incremental.map(increment) } : {};
  const told = errors ? { errors: errors.map(plain) } : {};
  return { ...result, ...told, ...ordered, ...increments };

  function increment(part: Increment): Increment {
    const { path = [], data, items, errors } = part;
    return {
      ...part,
      ...(data !== undefined && { data: order(data, path) }),
      ...(items && { items: items.map((item) => order(item, path)) }),
      ...(errors && { errors: errors.map(plain) }),
    };
  }
  function plain(error: GraphQLError): GraphQLError {
    return mask(error).toJSON() as GraphQLError;
  }
}
