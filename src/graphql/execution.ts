// The state of one execution, and the functions that read the values of resolvers.

import { GraphQLError, type GraphQLObjectType } from 'graphql';
import type { Slices } from '../slices.ts';
import type { ExecutionArguments } from './arguments.ts';
import type { ErrorMask } from './mask-error.ts';
import type { WrittenErrors } from './pieces.ts';
import type { AbstractShape, PlannedField, PlannedFields, Shape } from './plan.ts';
import type { ItemSources, RememberedItems } from './remembered-items.ts';
import type { OperationUsage } from './write.ts';

/** Delays batches of look-ups while the executor adds look-ups, so that the look-ups of several slices make one batch. */
export class BatchGate {
  #holds = 0;
  #delayed: (() => void)[] = [];

  /** Call `hold` before you add look-ups. Afterwards, call `release` once. */
  hold(): void {
    this.#holds += 1;
  }

  release(): void {
    this.#holds -= 1;
    if (this.#holds > 0) return;
    for (const send of this.#delayed) this.schedule(send);
    this.#delayed = [];
  }

  /** Calls `send` at the end of the tick, or after the last `release`. This is the `batchScheduleFn` of DataLoader. */
  schedule(send: () => void): void {
    // As DataLoader does by default, waits until all promise jobs in the queue have run.
    void Promise.resolve().then(() =>
      process.nextTick(() => (this.#holds > 0 ? this.#delayed.push(send) : send())),
    );
  }
}

export interface Execution extends ExecutionArguments {
  /** the context argument of resolvers */
  readonly context: unknown;
  readonly sources: ItemSources;
  readonly usage: OperationUsage;
  readonly slices: Pick<Slices, keyof Slices>;
  /** holds batches back until the executor has begun all fields of an object or all items of a list */
  readonly gate: Pick<BatchGate, keyof BatchGate>;
  readonly mask: ErrorMask;
  /** null: nothing is remembered */
  readonly items: RememberedItems | null;
  readonly errors: WrittenErrors;
  readonly time: {
    /** Throws if the deadline has passed, or if the client has aborted the request. */
    throwIfEnded(): void;
  };
}

// These functions read the values of resolvers in the same way as graphql-js.

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
    throw new Error(`The type of a value of ${type.name} could not be found.`);
  }
  return fieldsOf(runtime as GraphQLObjectType);
}

export function itemsOf(value: unknown, { info }: PlannedField): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'object' && value !== null && Symbol.iterator in value)
    return [...(value as Iterable<unknown>)];
  const name = `${info.parentType.name}.${info.fieldName}`;
  throw new GraphQLError(`Expected Iterable, but did not find one for field "${name}".`);
}

/** Does the same as `defaultFieldResolver` of graphql-js, but faster (measured). */
export function propertyOf(
  source: unknown,
  args: object,
  { name, info }: PlannedField,
  { context }: Execution,
): unknown {
  const property = (source as Record<string, unknown> | null | undefined)?.[name];
  return typeof property === 'function' ? property.call(source, args, context, info) : property;
}

/** The cost of an item. An object costs the number of its selected fields, or 0 in introspection. Other items cost 1. */
export function costOfItem(shape: Shape): number {
  if (shape.kind !== 'object') return 1;
  const { type, list } = shape.fields();
  return type.name.startsWith('__') ? 0 : list.length;
}
