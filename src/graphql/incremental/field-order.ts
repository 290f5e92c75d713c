// Puts the fields of a response in the order of the query, because Yoga's executor writes them in another order.

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
  /** Orders the fields of a value at a path of the response. Returns the same value if the query has no such path. */
  order(value: unknown, path: readonly (string | number)[]): unknown;
}

/** The fields of one place in the response, in order. */
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
 * Objects without the members of Object.prototype, because a field can have the alias __proto__. They need less time and
 * memory than objects of `Object.create(null)`.
 */
class NullObject {
  [field: string]: unknown;
}
Object.setPrototypeOf(NullObject.prototype, null);

/** Ignores type conditions. If fragments on several types order their fields differently, the first fragment decides. */
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
    // A scalar can be an object too. The order of its members stays.
    if (place.selected.length === 0 || typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => ordered(item, place));
    const found = value as Readonly<Record<string, unknown>>;
    const fields = fieldsOf(place);
    const result = new NullObject();
    for (const [key, inner] of fields) {
      if (Object.hasOwn(found, key)) result[key] = ordered(found[key], inner);
    }
    for (const key of Object.keys(found)) if (!fields.has(key)) result[key] = found[key];
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

/** A whole result, the first part, or a later part. */
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

/** Orders the fields and masks the errors. Errors become plain objects, so that Yoga does not search for their lines. */
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
