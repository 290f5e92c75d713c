// Puts the fields of a response in the order of the query, because Yoga's executor writes them in another order.

import type { SelectionSetNode } from 'graphql';
import { collectFields, type SelectedOperation } from '../selected-fields.ts';

/** Orders the fields of a value at a path of the response. Returns the same value if the query has no such path. */
export type FieldOrder = (value: unknown, path: readonly (string | number)[]) => unknown;

/** The fields of one place in the response, in order. */
type Fields = ReadonlyMap<string, Place>;

interface Place {
  readonly selected: readonly SelectionSetNode[];
  fields?: Fields;
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
export function createFieldOrder(operation: SelectedOperation): FieldOrder {
  const root: Place = { selected: [operation.operation.selectionSet] };

  function fieldsOf(place: Place): Fields {
    place.fields ??= new Map(
      [...collectFields(operation, null, place.selected)].map(([key, nodes]) => [
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

  return (value, path) => {
    let place: Place | undefined = root;
    for (const segment of path) {
      if (typeof segment === 'string') place = place && fieldsOf(place).get(segment);
    }
    return place ? ordered(value, place) : value;
  };
}
