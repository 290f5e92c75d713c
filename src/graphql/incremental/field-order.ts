// The order of fields in a response: that of the query, whatever the order in which they were answered.

import type {
  DocumentNode,
  GraphQLError,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql';
import { type GraphqlErrorMask, plainError } from '../mask-error.ts';
import { collectFields, fragmentsIn } from '../selected-fields.ts';

export interface FieldOrder {
  /** A value at a path of the response, with the fields of its objects in order; the same where nothing is known of it. */
  order(value: unknown, path: readonly (string | number)[]): unknown;
}

/** The fields of one place in the response, in order, each with what is selected in it. */
type Fields = ReadonlyMap<string, Place>;

interface Place {
  readonly selected: readonly SelectionSetNode[];
  fields?: Fields;
}

export interface OrderedOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** coerced */
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * Type conditions are not looked at: where fragments on several types select the same fields in different
 * orders, the first of them decides for all.
 */
export function createFieldOrder({ schema, document, operation, variables }: OrderedOperation): FieldOrder {
  const source = { schema, fragments: fragmentsIn(document), variables };
  const root: Place = { selected: [operation.selectionSet] };

  function fieldsOf(place: Place): Fields {
    place.fields ??= new Map(
      [...collectFields(source, null, place.selected)].map(([key, nodes]) => [
        key,
        { selected: nodes.flatMap(({ selectionSet }) => selectionSet ?? []) },
      ]),
    );
    return place.fields;
  }

  function ordered(value: unknown, place: Place): unknown {
    // A scalar may be an object too: its members keep their own order.
    if (place.selected.length === 0 || typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => ordered(item, place));
    const found = new Map<string, unknown>(Object.entries(value));
    // Without a prototype: a field may have the alias __proto__.
    const result: Record<string, unknown> = Object.create(null);
    for (const [key, inner] of fieldsOf(place)) {
      if (found.has(key)) result[key] = ordered(found.get(key), inner);
      found.delete(key);
    }
    for (const [key, unplaced] of found) result[key] = unplaced;
    return result;
  }

  return {
    order(value, path) {
      let place: Place | undefined = root;
      for (const segment of path) {
        if (typeof segment === 'string') place = place && fieldsOf(place).get(segment);
      }
      return place ? ordered(value, place) : value;
    },
  };
}

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
export function orderedPart<Result extends object>(
  result: Result,
  { order }: FieldOrder,
  mask: GraphqlErrorMask,
): Result {
  const { data, errors, incremental }: Part = result;
  const ordered = data === undefined ? {} : { data: order(data, []) };
  const increments = incremental ? { incremental: incremental.map(increment) } : {};
  const withErrors = errors ? { errors: errors.map(plain) } : {};
  return { ...result, ...withErrors, ...ordered, ...increments };

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
    return plainError(mask(error));
  }
}
