// What one execution goes by, and what it leaves.

import { GraphQLError, type GraphQLObjectType } from 'graphql';
import type { Slices } from '../time.ts';
import type { ArgumentsRead } from './arguments.ts';
import { locationsOf } from './document.ts';
import type { ErrorTeller } from './mask-error.ts';
import type { WrittenErrors } from './pieces.ts';
import type { AbstractShape, PlannedField, PlannedFields, Shape } from './plan.ts';
import type { ItemSources, RememberedItems } from './remembered-items.ts';
import { type Allowance, AnswerEnded, WorkRefused } from './write.ts';

// What becomes of a field that fails: null, and an error at its place.

/** A place in the answer, from the inside out. */
export interface Path {
  readonly outer: Path | null;
  readonly key: string | number;
}

/**
 * The failure of a field that may not be null. The nearest field around it that may be null catches it. It is no Error:
 * the stack is not needed and takes most of the time of an Error, and a thousand names may fail at once.
 */
export class FieldFailure {
  readonly origin: unknown;
  readonly field: PlannedField;
  readonly path: Path;

  constructor(origin: unknown, field: PlannedField, path: Path) {
    this.origin = origin;
    this.field = field;
    this.path = path;
  }
}

/** `null` and an error at its place, or a failure of what is around it. */
export function nullFor(
  error: unknown,
  { isRequired }: Shape,
  field: PlannedField,
  outer: Path | null,
  execution: Execution,
  key: string | number = field.key,
): string {
  if (error instanceof AnswerEnded) {
    if (error instanceof WorkRefused) error.path ??= keysOf({ outer, key });
    throw error;
  }
  const failure = error instanceof FieldFailure ? error : new FieldFailure(error, field, { outer, key });
  if (isRequired) throw failure;
  return blame(failure, execution);
}

const NULL_BYTES = 4;
/** `"errors":[],` */
const ERRORS_FRAME_BYTES = 12;

/** Leaves the error at its place; `null` is what stands there. */
export function blame({ origin, field, path }: FieldFailure, execution: Execution): string {
  const keys = keysOf(path);
  const { message, extensions } = execution.tell(origin, keys);
  // What is wrong with an argument is where the argument is.
  const nodes = origin instanceof GraphQLError ? origin.nodes : undefined;
  const locations = nodes?.length ? JSON.stringify(locationsOf(nodes)) : field.locations();
  const error = `{"message":${JSON.stringify(message)},"locations":${locations},"path":${JSON.stringify(keys)},"extensions":${JSON.stringify(extensions)}}`;
  execution.allowance.bytes(
    Buffer.byteLength(error) + NULL_BYTES + (execution.errors.length === 0 ? ERRORS_FRAME_BYTES : 1),
  );
  execution.errors.add(error);
  return 'null';
}

function keysOf(path: Path): readonly (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at: Path | null = path; at !== null; at = at.outer) keys.push(at.key);
  return keys.reverse();
}

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
  readonly allowance: Allowance;
  readonly slices: Pick<Slices, keyof Slices>;
  /** what is asked of the directory goes there when all of an object, or of a list, is begun */
  readonly gate: BatchGate;
  readonly tell: ErrorTeller;
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
