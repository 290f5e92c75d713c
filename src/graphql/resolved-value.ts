// What resolvers give, looked at as graphql-js looks at it.

import { GraphQLError, type GraphQLObjectType } from 'graphql';
import type { Execution } from './execution.ts';
import type { AbstractShape, PlannedField, PlannedFields, Shape } from './plan.ts';

export function fieldsOfValue(
  value: unknown,
  { type, fieldsOf }: AbstractShape,
  field: PlannedField,
  { context }: Execution,
): PlannedFields {
  const { schema } = field.info;
  const name = type.resolveType?.(value, context, field.info, type);
  const runtime = typeof name === 'string' ? schema.getType(name) : undefined;
  if (!runtime || !schema.isSubType(type, runtime as GraphQLObjectType)) {
    throw new Error(`The type of a value of ${type.name} could not be told.`);
  }
  return fieldsOf(runtime as GraphQLObjectType);
}

export function itemsOf(value: unknown, { parentType, name }: PlannedField): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'object' && value !== null && Symbol.iterator in value)
    return [...(value as Iterable<unknown>)];
  throw new GraphQLError(`Expected Iterable, but did not find one for field "${parentType.name}.${name}".`);
}

/** What an item costs where it is there: itself and the fields that are asked of it. */
export function costOfItem(shape: Shape): number {
  return shape.kind === 'object' ? shape.fields().list.length : 1;
}

/** What graphql-js does for a field without a resolver. */
export function propertyOf(
  source: unknown,
  name: string,
  args: object,
  context: unknown,
  info: PlannedField['info'],
): unknown {
  const property = (source as Record<string, unknown> | null | undefined)?.[name];
  return typeof property === 'function' ? property.call(source, args, context, info) : property;
}

export function nullInRequired({ parentType, name }: PlannedField): Error {
  return new Error(`Cannot return null for non-nullable field ${parentType.name}.${name}.`);
}
