// Writes the errors of failed fields. A failed field becomes null.

import { GraphQLError } from 'graphql';
import { locationsOf } from './document.ts';
import type { Execution } from './execution.ts';
import type { PlannedField, Shape } from './plan.ts';
import { MemoryRefused, ResponseEnded } from './write.ts';

/** A position in the response, as a linked list from the inside to the outside. */
export interface Path {
  readonly outer: Path | null;
  readonly key: string | number;
}

/**
 * The failure of a field. `nullFor` throws it if the field cannot be null, and the nearest nullable field outside catches
 * it. The class does not extend Error, because a stack costs time and a thousand names can fail at once.
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

/** Reports the error and returns `null`. But throws a FieldFailure for a required field, and rethrows a ResponseEnded. */
export function nullFor(
  error: unknown,
  { isRequired }: Shape,
  field: PlannedField,
  outer: Path | null,
  execution: Execution,
  key: string | number = field.key,
): string {
  if (error instanceof ResponseEnded) {
    if (error instanceof MemoryRefused) error.path ??= keysOf({ outer, key });
    throw error;
  }
  const failure = error instanceof FieldFailure ? error : new FieldFailure(error, field, { outer, key });
  if (isRequired) throw failure;
  return reportFailure(failure, execution);
}

const NULL_BYTES = 4;

/** The length of `"errors":[],`. */
const ERRORS_FRAME_BYTES = 12;

/** Adds the error to the response. Returns `null`, the value of the field. */
export function reportFailure({ origin, field, path }: FieldFailure, execution: Execution): string {
  const keys = keysOf(path);
  const { message, extensions } = execution.mask(origin, keys);
  // An error about an argument has the location of the argument.
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
