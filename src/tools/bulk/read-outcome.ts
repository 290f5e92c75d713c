// Reads the response to one operation: which names have an answer, and which names need a retry.

import { z } from 'zod';
import { ERROR_KINDS, isErrorCode } from '../../errors.ts';
import { longestWaitSeconds, remedyFor } from '../gateway-client/batched-queries.ts';
import type { BatchOutcome } from '../gateway-client/retry-names.ts';
import { type GraphqlError, type GraphqlResponse, NoGatewayError } from '../gateway-client/send-operation.ts';
import type { Field, FieldValue } from './fields.ts';
import { NameResponse } from './name-response.ts';
import { ROW_PROBLEMS } from './row.ts';

/** The error code if the gateway did not answer. */
export const UNREACHABLE_CODE = 'UNREACHABLE';

/** The values of one row. */
export interface RowAnswer {
  /** the values of the requested fields, in order. A value is null if the field has no value, or if its look-up failed. */
  readonly values: readonly FieldValue[];
  /** a code of src/errors.ts or of a row's problem; null if there is no error */
  readonly error: string | null;
  /** the agency and the host of the service that failed: `mEDRA data.medra.org`. Undefined if no service failed. */
  readonly at?: string | undefined;
}

/** The error code for a name that is not in the sample. The name might still exist. */
export const NOT_IN_SAMPLE_CODE = 'NOT_IN_SAMPLE';
/** The error code of an input without a name. */
export const EMPTY_CODE = 'EMPTY';
/** The error code of a cell with several names. */
export const SEVERAL_NAMES_CODE = 'SEVERAL_NAMES';

/** The codes of errors that a new look-up cannot change. */
const FINAL_CODES: ReadonlySet<string> = new Set([
  EMPTY_CODE,
  SEVERAL_NAMES_CODE,
  'INVALID_DOI',
  ...Object.keys(ROW_PROBLEMS),
]);

/** Whether the look-up failed, or the name is not in the sample. A resumed run looks up such a row again. */
export function isFailed({ error }: RowAnswer): boolean {
  return error !== null && !FINAL_CODES.has(error);
}

/** Whether a later look-up of the row might succeed: the gateway did not answer, or its error is temporary. */
export function isRetryable({ error }: RowAnswer): boolean {
  if (error === null) return false;
  return isErrorCode(error) ? ERROR_KINDS[error].retryable : error === UNREACHABLE_CODE;
}

/** Whether a service failed, or the gateway has the values of some look-ups. Then the directory itself may be there. */
export function concernsService({ values, at }: RowAnswer, fields: readonly Field[]): boolean {
  return at !== undefined || values.some((value, index) => value !== null && fields[index]?.isLookUp);
}

const BulkData = z.object({ parseDois: z.array(NameResponse) });

/** Throws a NoGatewayError if the gateway refuses every such operation, or if the shape of its data is wrong. */
export function readOutcome(
  count: number,
  { data, errors }: GraphqlResponse<unknown>,
  fields: readonly Field[],
  isSample = false,
): BatchOutcome<RowAnswer> {
  if (data === null) return outcomeOfRefusal(count, errors, fields);
  const errorsAt = new Map<unknown, GraphqlError[]>();
  for (const error of errors) {
    const index = error.path?.[1];
    const known = errorsAt.get(index);
    if (known) known.push(error);
    else errorsAt.set(index, [error]);
  }
  const done = new Map<number, RowAnswer>();
  const toRetry = new Map<number, RowAnswer>();
  const retryable: GraphqlError[] = [];
  let isTooLarge = false;
  for (const [index, name] of namesOf(data, count).entries()) {
    const nameErrors = errorsAt.get(index) ?? [];
    const answer = answerTo(name, nameErrors, fields, isSample);
    const isTooMuch = count > 1 && nameErrors.some((error) => remedyFor(error) === 'smaller');
    const temporary = nameErrors.filter((error) => remedyFor(error) === 'later');
    (isTooMuch || temporary.length > 0 ? toRetry : done).set(index, answer);
    retryable.push(...temporary);
    isTooLarge ||= isTooMuch;
  }
  return { done, toRetry, isTooLarge, retryAfterSeconds: longestWaitSeconds(retryable) };
}

/** Checks the shape of the data, because the sender can be another program or a gateway of another version. */
function namesOf(data: unknown, count: number): readonly NameResponse[] {
  const read = BulkData.safeParse(data);
  const names = read.data?.parseDois;
  if (names?.length === count) return names;
  const [issue] = read.error?.issues ?? [];
  const where = ['data', ...(issue?.path ?? ['parseDois'])].join('.');
  const what = issue?.message ?? `expected ${count} names, received ${names?.length}`;
  throw new NoGatewayError(
    `The gateway sent data of an unexpected shape (${where}: ${what}). Check that a DOI gateway listens at its address, and that both programs have the same version.`,
  );
}

/** The outcome of an operation in which all names failed alike. @param then `toRetry` if the names need a retry */
export function allFailed(
  then: 'toRetry' | 'done',
  count: number,
  code: string,
  fields: readonly Field[],
): BatchOutcome<RowAnswer> {
  const answer = failedAnswer(code, fields);
  const all = new Map(Array.from({ length: count }, (_, index) => [index, answer]));
  const none = { done: new Map(), toRetry: new Map(), isTooLarge: false, retryAfterSeconds: null };
  return { ...none, [then]: all };
}

/** The text of an error in a row: its code, and then the service that failed. */
export function errorText({ error, at }: RowAnswer): string | null {
  return error === null || at === undefined ? error : `${error} ${at}`;
}

/** Reads what `errorText` has written. */
export function readErrorText(text: string | null): Pick<RowAnswer, 'error' | 'at'> {
  const [, error = null, at] = /^(\S+) (.+)$/s.exec(text ?? '') ?? [];
  return error === null ? { error: text } : { error, at };
}

export function failedAnswer(code: string, fields: readonly Field[]): RowAnswer {
  return { values: fields.map(() => null), error: code };
}

function outcomeOfRefusal(
  count: number,
  errors: readonly GraphqlError[],
  fields: readonly Field[],
): BatchOutcome<RowAnswer> {
  const [error] = errors;
  const code = error?.extensions.code ?? 'UNKNOWN';
  const remedy = error && remedyFor(error);
  if (remedy === 'outage' || (remedy === 'smaller' && count === 1))
    return allFailed('done', count, code, fields);
  const toRetry = allFailed('toRetry', count, code, fields);
  if (remedy === 'smaller') return { ...toRetry, isTooLarge: true };
  if (remedy === 'later') return { ...toRetry, retryAfterSeconds: longestWaitSeconds(errors) };
  throw new NoGatewayError(
    `The gateway refuses the operation: ${error?.message ?? 'it gives no reason.'} (${code})`,
  );
}

function answerTo(
  name: NameResponse,
  errors: readonly GraphqlError[],
  fields: readonly Field[],
  isSample: boolean,
): RowAnswer {
  if (isSample && name.doi?.exists === false) return withoutLookUps(name, fields, NOT_IN_SAMPLE_CODE);
  const values = fields.map((field) => field.read(name));
  if (name.problem) return { values, error: codeOf(name.problem) };
  const [error] = errors;
  return { values, error: error?.extensions.code ?? null, at: error && serviceOf(error) };
}

const MAX_SERVICE_CHARACTERS = 100;

/** The service that an error names. The sender can be another program, so the text has one line and a limited length. */
function serviceOf({ extensions }: GraphqlError): string | undefined {
  const { agency, host } = extensions;
  const words = [agency, host].filter((word): word is string => typeof word === 'string' && word !== '');
  const text = words.join(' ').replaceAll(/\s+/g, ' ').slice(0, MAX_SERVICE_CHARACTERS);
  return text === '' ? undefined : text;
}

/** An empty cell is no mistake, so it has a separate code. */
function codeOf({ code }: NonNullable<NameResponse['problem']>): string {
  return code === EMPTY_CODE ? EMPTY_CODE : 'INVALID_DOI';
}

/** An answer with only the computed fields. @param code the error code: why the other fields have no value */
export function withoutLookUps(name: NameResponse, fields: readonly Field[], code: string): RowAnswer {
  const values = fields.map((field) => (field.isLookUp ? null : field.read(name)));
  return { values, error: name.problem ? codeOf(name.problem) : code };
}
