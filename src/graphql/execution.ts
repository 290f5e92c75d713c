// What one execution goes by, and what it leaves.

import { GraphQLError, type GraphQLObjectType } from 'graphql';
import type { Slices } from '../time.ts';
import type { ArgumentsRead } from './arguments.ts';
import type { ErrorMask } from './mask-error.ts';
import type { WrittenErrors } from './pieces.ts';
import type { AbstractShape, PlannedField, PlannedFields, Shape } from './plan.ts';
import type { ItemSources, RememberedItems } from './remembered-items.ts';
import type { OperationUsage } from './write.ts';

// Holds back what is asked of the directory until all of it is known: work that is cut into slices asks in one batch.

export interface BatchGate {
  /** There is more to come. To be ended by `release`, as often as it was called. */
  hold(): void;
  release(): void;
  /** When DataLoader sends a batch: at the end of the tick, and not while anybody holds it. */
  schedule(send: () => void): void;
}

export function createBatchGate(): BatchGate {
  return new Gate();
}

class Gate implements BatchGate {
  #holders = 0;
  #waiting: (() => void)[] = [];

  hold(): void {
    this.#holders += 1;
  }

  release(): void {
    this.#holders -= 1;
    if (this.#holders > 0) return;
    for (const send of this.#waiting) this.schedule(send);
    this.#waiting = [];
  }

  schedule(send: () => void): void {
    // As DataLoader does without a schedule: after all promise jobs in the queue.
    void Promise.resolve().then(() =>
      process.nextTick(() => (this.#holders > 0 ? this.#waiting.push(send) : send())),
    );
  }
}

export interface Execution extends ArgumentsRead {
  /** what each resolver gets */
  readonly context: unknown;
  readonly sources: ItemSources;
  readonly usage: OperationUsage;
  readonly slices: Pick<Slices, keyof Slices>;
  /** what is asked of the directory goes there when all of an object, or of a list, is begun */
  readonly gate: BatchGate;
  readonly mask: ErrorMask;
  /** null: nothing is remembered */
  readonly items: RememberedItems | null;
  readonly errors: WrittenErrors;
  readonly time: {
    /** Throws when the execution is to go no further: its time is over, or its client is gone. */
    throwIfEnded(): void;
  };
}

// What resolvers give, looked at as graphql-js looks at it.

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
