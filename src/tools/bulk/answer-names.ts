// Looks up many names for bulk work. Sends one operation if possible, smaller operations if the gateway refuses, and
// retries. If all look-ups of a name fail, its answer is an error, never "absent".

import { displayForm, recommendedUrl, uriForm, urnForm } from '../../doi/encoding-forms.ts';
import { meantBy } from '../../doi/find/reference-around.ts';
import { lookalikes } from '../../doi/lookalikes.ts';
import { canonicalName, prefixOf, suffixOf } from '../../doi/name.ts';
import { parseDoi } from '../../doi/parse.ts';
import { DOI_FORMS } from '../../doi/recognise.ts';
import { asciiLookalike } from '../../doi/suggest.ts';
import { doiWarnings } from '../../doi/warnings.ts';
import { retryNames } from '../gateway-client/retry-names.ts';
import { NoGatewayError, type SendOperation } from '../gateway-client/send-operation.ts';
import { type Field, type FieldValue, queryOf } from './fields.ts';
import type { ReadName } from './read-name.ts';
import {
  allAgain,
  failedAnswer,
  type RowAnswer,
  readOutcome,
  UNREACHABLE,
  withoutLookUps,
} from './read-outcome.ts';
import type { Row } from './row.ts';

export interface BulkGateway {
  readonly ask: SendOperation;
  /** the DOIForm of all names. Default: the form of each name is recognised. */
  readonly form?: string | undefined;
  /** whether the directory is a sample. A name that the sample does not have may still exist. */
  readonly isSample?: boolean | undefined;
  /** Waits before a retry. Rejects if the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** aborts running operations */
  readonly signal?: AbortSignal | undefined;
  /** lets running operations finish, without retries */
  readonly stop?: AbortSignal | undefined;
}

/** A limit for the look-ups of one name, and for operations in a row without any answer. */
const MAX_TRIES = 5;
const FIRST_WAIT_SECONDS = 2;
const MAX_WAIT_SECONDS = 60;

/** Errors of a busy gateway. They say nothing about the name, so they do not count as attempts. */
const BUSY_CODES: ReadonlySet<string | null> = new Set([
  'GATEWAY_BUSY',
  'RATE_LIMITED',
  'UPSTREAM_RATE_LIMITED',
  'DEADLINE_EXCEEDED',
]);

/**
 * Resolves with the answers in the order of the names; undefined for names without an answer after `stop`. Rejects with
 * the signal's reason, or with a NoGatewayError if there is no gateway or if it refuses such operations.
 */
export async function answerNames(
  names: readonly string[],
  fields: readonly Field[],
  asking: BulkGateway,
): Promise<(RowAnswer | undefined)[]> {
  const query = queryOf(fields, asking.isSample);
  const { form = null, isSample, wait, signal, stop } = asking;
  const answers = await retryNames<RowAnswer>(names, {
    size: { most: names.length },
    maxTries: MAX_TRIES,
    firstWaitSeconds: FIRST_WAIT_SECONDS,
    maxWaitSeconds: MAX_WAIT_SECONDS,
    async send(inputs, isLastTry) {
      const response = await asking.ask<unknown>(query, { inputs, form }, signal).catch((error: unknown) => {
        if (error instanceof NoGatewayError && !isLastTry) return null;
        throw error;
      });
      return response
        ? readOutcome(inputs.length, response, fields, isSample)
        : allAgain(inputs.length, UNREACHABLE, fields);
    },
    wait: (ms) => wait(ms, signal),
    isBusy: ({ error }) => BUSY_CODES.has(error),
    givenUp: ({ error }) => failedAnswer(error ?? 'UNKNOWN', fields),
    stop,
  });
  return answers.map((answer, place) => withComputedFields(answer, names[place] as string));

  /** Computes the fields that need no look-up here, if the whole operation failed. */
  function withComputedFields(answer: RowAnswer | undefined, name: string): RowAnswer | undefined {
    const { values, error } = answer ?? { values: [null], error: null };
    if (error === null || values.some((value) => value !== null)) return answer;
    return withoutLookUps(readComputed(name, asking.form), fields, error);
  }
}

/** Resolves with the answers in the order of the rows. The answer of a row with a problem is this problem. */
export async function answerRows(
  rows: readonly Row[],
  fields: readonly Field[],
  asking: BulkGateway,
): Promise<(RowAnswer | undefined)[]> {
  const names = rows.flatMap(({ name }) => (name === null ? [] : [name]));
  const answers = (names.length === 0 ? [] : await answerNames(names, fields, asking)).values();
  return rows.map((row) => (row.problem === null ? answers.next().value : brokenAnswer(row, fields)));
}

function brokenAnswer({ problem, start }: Row, fields: readonly Field[]): RowAnswer {
  const code = problem?.code ?? 'UNKNOWN';
  const problemFields: Readonly<Record<string, FieldValue>> = {
    problem: code,
    message: `Line ${start.line}: ${problem?.message ?? ''}`,
  };
  return { values: fields.map(({ name }) => problemFields[name] ?? null), error: code };
}

/** The answer that the gateway would give without look-ups. */
function readComputed(input: string, form: string | undefined): ReadName {
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
    warnings: doiWarnings(name, lookalikes).map(({ code, repaired }) => ({
      code,
      repaired: repaired && { name: repaired },
    })),
    exists: null,
    record: null,
    registrationAgency: null,
    redirect: null,
    alias: null,
    suggestions: null,
  };
  return { form: parsed.form, problem: null, meant, doi };
}
