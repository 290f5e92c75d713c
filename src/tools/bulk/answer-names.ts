// Looks up many names for `doi bulk` and for jobs, with retries. If all look-ups of a name fail, the answer of the name is
// an error, never "absent".

import { canonicalName } from 'doi-names';
import { lookalikes } from 'doi-names/lookalikes';
import {
  asciiLookalike,
  DOI_FORMS,
  displayForm,
  meantBy,
  nameWarnings,
  parseDoi,
  prefixOf,
  recommendedUrl,
  suffixOf,
  uriForm,
  urnForm,
} from 'doi-names/parts';
import { BUSY_CODES } from '../gateway-client/batched-queries.ts';
import { retryNames } from '../gateway-client/retry-names.ts';
import { NoGatewayError, type SendOperation } from '../gateway-client/send-operation.ts';
import { type Field, type FieldValue, queryOf } from './fields.ts';
import type { NameResponse } from './name-response.ts';
import {
  allFailed,
  concernsService,
  failedAnswer,
  type RowAnswer,
  readOutcome,
  UNREACHABLE_CODE,
  withoutLookUps,
} from './read-outcome.ts';
import type { Row } from './row.ts';

export interface BulkGateway {
  readonly send: SendOperation;
  /** the DOIForm of all names. Default: the gateway recognises the form of each name. */
  readonly form?: string | undefined;
  /** whether the directory is a sample. A name that the sample does not have might still exist. */
  readonly isSample?: boolean | undefined;
  /** Waits before a retry. Rejects if the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** aborts running operations */
  readonly signal?: AbortSignal | undefined;
  /** lets running operations finish, without retries */
  readonly stop?: AbortSignal | undefined;
}

/** The largest number of look-ups of one name, and of consecutive operations without any answer. */
const MAX_TRIES = 5;
const FIRST_WAIT_SECONDS = 2;
const MAX_WAIT_SECONDS = 60;

/**
 * Resolves with the answers in the order of the names; undefined for names without an answer after `stop`. Rejects with
 * the signal's reason. Rejects with a NoGatewayError if there is no gateway, or if the gateway refuses the operation.
 */
export async function answerNames(
  names: readonly string[],
  fields: readonly Field[],
  gateway: BulkGateway,
): Promise<(RowAnswer | undefined)[]> {
  const query = queryOf(fields, gateway.isSample);
  const { form = null, isSample, wait, signal, stop } = gateway;
  const answers = await retryNames<RowAnswer>(names, {
    limit: { maxNames: names.length },
    maxTries: MAX_TRIES,
    firstWaitSeconds: FIRST_WAIT_SECONDS,
    maxWaitSeconds: MAX_WAIT_SECONDS,
    async send(inputs, isLastTry) {
      const response = await gateway
        .send<unknown>(query, { inputs, form }, signal)
        .catch((error: unknown) => {
          if (error instanceof NoGatewayError && !isLastTry) return null;
          throw error;
        });
      return response
        ? readOutcome(inputs.length, response, fields, isSample)
        : allFailed('toRetry', inputs.length, UNREACHABLE_CODE, fields);
    },
    wait: (ms) => wait(ms, signal),
    isBusy: ({ error }) => BUSY_CODES.has(error),
    concernsSome: (answer) => concernsService(answer, fields),
    answerInOutage: ({ error }) => failedAnswer(error ?? 'UNKNOWN', fields),
    stop,
  });
  return answers.map((answer, index) => withComputedFields(answer, names[index] as string));

  /** If an answer has an error and no values, fills in the fields that need no look-up. */
  function withComputedFields(answer: RowAnswer | undefined, name: string): RowAnswer | undefined {
    const { values, error } = answer ?? { values: [null], error: null };
    if (error === null || values.some((value) => value !== null)) return answer;
    return { ...computedAnswer(name, fields, error, gateway.form), at: answer?.at };
  }
}

/** The answer of a name whose look-up failed: only the fields that need no look-up have values. */
export function computedAnswer(
  name: string,
  fields: readonly Field[],
  error: string,
  form: string | undefined,
): RowAnswer {
  return withoutLookUps(computedFrom(name, form), fields, error);
}

/** Like `answerNames`, for rows. A row with a problem gets no look-up. The code of the problem is the error of its answer. */
export async function answerRows(
  rows: readonly Row[],
  fields: readonly Field[],
  gateway: BulkGateway,
): Promise<(RowAnswer | undefined)[]> {
  const names = rows.flatMap(({ name }) => (name === null ? [] : [name]));
  const answers = (await answerNames(names, fields, gateway)).values();
  return rows.map((row) => (row.problem === null ? answers.next().value : problemAnswer(row, fields)));
}

export function problemAnswer({ problem, start }: Row, fields: readonly Field[]): RowAnswer {
  const code = problem?.code ?? 'UNKNOWN';
  const problemFields: Readonly<Record<string, FieldValue>> = {
    problem: code,
    message: `Line ${start.line}: ${problem?.message ?? ''}`,
  };
  return { values: fields.map(({ name }) => problemFields[name] ?? null), error: code };
}

/** Computes what the gateway would compute from the input alone. */
function computedFrom(input: string, form: string | undefined): NameResponse {
  const parsed = parseDoi(input, DOI_FORMS.find((known) => known === form) ?? null);
  const meant = meantBy(parsed).map((match) => ({ doi: { name: match.name } }));
  const { name, problem } = parsed;
  if (name === null) return { form: parsed.form, problem, meant, doi: null };
  const doi = {
    name,
    canonicalName: canonicalName(name),
    uri: uriForm(name),
    url: recommendedUrl(name),
    urn: urnForm(name),
    display: displayForm(name),
    prefix: prefixOf(name),
    suffix: suffixOf(name),
    asciiLookalike: asciiLookalike(name, lookalikes),
    warnings: nameWarnings(name, lookalikes).map(({ code, repaired }) => ({
      code,
      repaired: repaired && { name: repaired },
    })),
  };
  return { form: parsed.form, problem: null, meant, doi };
}
