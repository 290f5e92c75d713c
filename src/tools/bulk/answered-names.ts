// What became of the names of one operation: answered for good, or to be asked for again.

import { z } from 'zod';
import { AskError, type GraphqlAnswer, type GraphqlError } from '../gateway-client/ask.ts';
import { longestWaitSeconds, remedyFor } from '../gateway-client/ask-each.ts';
import { type Field, type FieldValue, ReadName } from './fields.ts';
import { ROW_PROBLEMS } from './row.ts';

/** What a name gets. */
export interface Answer {
  /** of each field that was asked for, in their order; null where there is none, or it failed */
  readonly values: readonly FieldValue[];
  /** a code of src/errors.ts or of a row's problem; null where all was answered */
  readonly error: string | null;
}

/** Whether nothing is known of the name: the look-up of its row is repeated when a run is resumed. */
export function isFailed({ error }: Answer): boolean {
  return error !== null && error !== 'INVALID_DOI' && error !== EMPTY && !Object.hasOwn(ROW_PROBLEMS, error);
}

const BulkData = z.object({ parseDois: z.array(ReadName) });

/** The gateway itself gave no answer. */
export const UNREACHABLE = 'UNREACHABLE';

/** Of a name that is not in a sample nothing follows. */
export const NOT_IN_SAMPLE = 'NOT_IN_SAMPLE';

/** By the places of the names in the operation. */
export interface Outcome {
  readonly done: ReadonlyMap<number, Answer>;
  /** with what they get if they are not asked for again */
  readonly again: ReadonlyMap<number, Answer>;
  /** they were too many for one operation */
  readonly tooMany: boolean;
  /** null where nobody says how long */
  readonly retryAfterSeconds: number | null;
}

/** Throws an AskError where the gateway refuses every operation like this one, or its data has another shape. */
export function readOutcome(
  count: number,
  { data, errors }: GraphqlAnswer<unknown>,
  fields: readonly Field[],
  isSample = false,
): Outcome {
  if (data === null) return refused(count, errors, fields);
  const errorsAt = byName(errors);
  const done = new Map<number, Answer>();
  const again = new Map<number, Answer>();
  const passing: GraphqlError[] = [];
  let tooMany = false;
  for (const [index, name] of namesOf(data, count).entries()) {
    const ofName = errorsAt.get(index) ?? [];
    const answer = answerOf(name, ofName, fields, isSample);
    const isTooMuch = count > 1 && ofName.some((error) => remedyFor(error) === 'smaller');
    const passes = ofName.filter((error) => remedyFor(error) === 'later');
    (isTooMuch || passes.length > 0 ? again : done).set(index, answer);
    passing.push(...passes);
    tooMany ||= isTooMuch;
  }
  return { done, again, tooMany, retryAfterSeconds: longestWaitSeconds(passing) };
}

/** A program that is no DOI gateway, or one of another version, may send anything. */
function namesOf(data: unknown, count: number): readonly ReadName[] {
  const read = BulkData.safeParse(data);
  const names = read.data?.parseDois;
  if (names?.length === count) return names;
  const [issue] = read.error?.issues ?? [];
  const where = ['data', ...(issue?.path ?? ['parseDois'])].join('.');
  const what = issue?.message ?? `expected ${count} names, received ${names?.length}`;
  throw new AskError(
    `The gateway sent data of an unexpected shape (${where}: ${what}). Check that its address is that of a DOI gateway, and that it has the version of this program.`,
  );
}

/** Of all names the same. */
export function allAgain(count: number, code: string, fields: readonly Field[]): Outcome {
  return { done: new Map(), again: allFailed(count, code, fields), tooMany: false, retryAfterSeconds: null };
}

export function failedAnswer(code: string, fields: readonly Field[]): Answer {
  return { values: fields.map(() => null), error: code };
}

function refused(count: number, errors: readonly GraphqlError[], fields: readonly Field[]): Outcome {
  const [error] = errors;
  const code = error?.extensions.code ?? 'UNKNOWN';
  const all = allFailed(count, code, fields);
  const none: Outcome['done'] = new Map();
  const remedy = error && remedyFor(error);
  if (remedy === 'smaller') {
    const isOne = count === 1;
    return { done: isOne ? all : none, again: isOne ? none : all, tooMany: !isOne, retryAfterSeconds: null };
  }
  if (remedy === 'outage') return { done: all, again: none, tooMany: false, retryAfterSeconds: null };
  if (remedy === 'later') {
    return { done: none, again: all, tooMany: false, retryAfterSeconds: longestWaitSeconds(errors) };
  }
  throw new AskError(
    `The gateway refuses the question: ${error?.message ?? 'it does not say why.'} (${code})`,
  );
}

function allFailed(count: number, code: string, fields: readonly Field[]): ReadonlyMap<number, Answer> {
  const answer = failedAnswer(code, fields);
  return new Map(Array.from({ length: count }, (_, index) => [index, answer]));
}

function answerOf(
  name: ReadName,
  errors: readonly GraphqlError[],
  fields: readonly Field[],
  isSample: boolean,
): Answer {
  if (name.problem) return { values: fields.map((field) => field.read(name)), error: codeOf(name.problem) };
  if (isSample && name.doi?.exists === false) return withoutLookUps(name, fields, NOT_IN_SAMPLE);
  return { values: fields.map((field) => field.read(name)), error: errors[0]?.extensions.code ?? null };
}

/** An empty cell is no fault of the file. */
function codeOf({ code }: NonNullable<ReadName['problem']>): string {
  return code === EMPTY ? EMPTY : 'INVALID_DOI';
}

export const EMPTY = 'EMPTY';

/** What is computed from the name, and why the rest is missing. */
export function withoutLookUps(name: ReadName, fields: readonly Field[], code: string): Answer {
  const values = fields.map((field) => (field.asksDirectory ? null : field.read(name)));
  return { values, error: name.problem ? codeOf(name.problem) : code };
}

function byName(errors: readonly GraphqlError[]): ReadonlyMap<number, readonly GraphqlError[]> {
  const found = new Map<number, GraphqlError[]>();
  for (const error of errors) {
    const index = error.path?.[1];
    if (typeof index !== 'number') continue;
    const known = found.get(index);
    if (known) known.push(error);
    else found.set(index, [error]);
  }
  return found;
}
