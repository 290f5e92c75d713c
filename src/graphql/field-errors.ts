// What becomes of a field that fails: null, and an error at its place.

import { GraphQLError } from 'graphql';
import { locationsOf } from './document.ts';
import type { Execution } from './execution.ts';
import type { PlannedField, Shape } from './plan.ts';
import { ResponseEnded, WorkRefused } from './write.ts';

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
  if (error instanceof ResponseEnded) {
    if (error instanceof WorkRefused) error.path ??= keysOf({ outer, key });
    throw error;
  }
  const failure = error instanceof FieldFailure ? error : new FieldFailure(error, field, { outer, key });
  if (isRequired) throw failure;
  return reportFailure(failure, execution);
}

const NULL_BYTES = 4;

/** `"errors":[],` */
const ERRORS_FRAME_BYTES = 12;

/** Leaves the error at its place; `null` is what stands there. */
export function reportFailure({ origin, field, path }: FieldFailure, execution: Execution): string {
  const keys = keysOf(path);
  const { message, extensions } = execution.mask(origin, keys);
  // What is wrong with an argument is where the argument is.
  const nodes = origin instanceof GraphQLError ? origin.nodes : undefined;
  const locations = nodes?.length ? JSON.stringify(locationsOf(nodes)) : field.locations();
  const error = `{"message":${JSON.stringify(message)},"locations":${locations},"path":${JSON.stringify(keys)},"extensions":${JSON.stringify(extensions)}}`;
  execution.usage.addBytes(
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
