// Looks up many names: in one operation if possible, in smaller ones if the gateway refuses, with retries. A name whose
// look-up fails in the end is failed, never absent.

import { displayForm, recommendedUrl, uriForm, urnForm } from '../../doi/encoding-forms.ts';
import { meantBy } from '../../doi/find/reference-around.ts';
import { asciiLookalike } from '../../doi/lookalikes.ts';
import { canonicalName, prefixOf, suffixOf } from '../../doi/name.ts';
import { parseDoi } from '../../doi/parse.ts';
import { DOI_FORMS } from '../../doi/recognise.ts';
import { doiWarnings } from '../../doi/warnings.ts';
import { NoGatewayError, type SendOperation } from '../gateway-client/send-operation.ts';
import {
  allAgain,
  failedAnswer,
  type Outcome,
  type RowAnswer,
  readOutcome,
  UNREACHABLE,
  withoutLookUps,
} from './answered-names.ts';
import { type Field, type FieldValue, queryOf, type ReadName } from './fields.ts';
import type { Row } from './row.ts';

export interface BulkGateway {
  readonly ask: SendOperation;
  /** the DOIForm of all names; left out: the form of each name is recognised */
  readonly form?: string | undefined;
  /** the directory is a sample: a name that is not in it may still exist */
  readonly isSample?: boolean | undefined;
  /** Waits before a retry. Rejects when the signal is aborted, or `stop` if it listens to that. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** aborts running operations */
  readonly signal?: AbortSignal | undefined;
  /** lets running operations finish, without retries */
  readonly stop?: AbortSignal | undefined;
}

/** Rounds in a row without any answer. */
const MAX_IDLE_ROUNDS = 5;
/** Look-ups of one name while others are answered. */
const MAX_ATTEMPTS = 5;
const MAX_WAIT_SECONDS = 60;
/** Names of one operation, at least, while the gateway is busy. */
const MIN_NAMES = 16;

/** Refusals that pass when the client waits: they say nothing about the name and do not count as attempts. */
const PASSES_BY_WAITING: ReadonlySet<string | null> = new Set([
  'GATEWAY_BUSY',
  'RATE_LIMITED',
  'UPSTREAM_RATE_LIMITED',
  'DEADLINE_EXCEEDED',
]);

/**
 * The answers, in the order of the names; undefined for names that `stop` kept from a retry. Rejects with a
 * NoGatewayError if there is no gateway or it refuses such operations, and with the signal's reason.
 */
export async function answerNames(
  names: readonly string[],
  fields: readonly Field[],
  asking: BulkGateway,
): Promise<(RowAnswer | undefined)[]> {
  const query = queryOf(fields, asking.isSample);
  const answers: (RowAnswer | undefined)[] = new Array(names.length).fill(undefined);
  const attempts = new Uint8Array(names.length);
  let pending = [...names.keys()];
  let allowed = names.length;
  let size = names.length;
  let idle = 0;
  do {
    const places = pending.slice(0, size);
    const { done, again, tooMany, retryAfterSeconds } = await ask(places);
    for (const [index, answer] of done) answers[places[index] as number] = answer;
    idle = done.size > 0 || tooMany ? 0 : idle + 1;
    pending = pending.slice(size);
    for (const [index, answer] of again) {
      const place = places[index] as number;
      const countsFor = tooMany || (idle === 0 && PASSES_BY_WAITING.has(answer.error)) ? 0 : 1;
      attempts[place] = (attempts[place] ?? 0) + countsFor;
      if (idle >= MAX_IDLE_ROUNDS || (attempts[place] ?? 0) >= MAX_ATTEMPTS) answers[place] = answer;
      else pending.push(place);
    }
    if (idle >= MAX_IDLE_ROUNDS) giveUp([...again.values()][0]?.error ?? 'UNKNOWN');
    if (tooMany) allowed = Math.ceil(places.length / 2);
    const isCrowded = again.size > 0 && !tooMany;
    size = Math.min(allowed, isCrowded ? Math.max(MIN_NAMES, 2 * done.size) : 2 * size);
    if (isCrowded && pending.length > 0) await pause(retryAfterSeconds ?? 2 ** idle);
  } while (pending.length > 0 && !asking.stop?.aborted);
  return answers.map((answer, place) => filled(answer, names[place] as string));

  async function ask(places: readonly number[]): Promise<Outcome> {
    const inputs = places.map((place) => names[place] as string);
    const variables = { inputs, form: asking.form ?? null };
    const answer = await asking.ask<unknown>(query, variables, asking.signal).catch((error: unknown) => {
      if (error instanceof NoGatewayError && idle + 1 < MAX_IDLE_ROUNDS) return null;
      throw error;
    });
    return answer
      ? readOutcome(places.length, answer, fields, asking.isSample)
      : allAgain(places.length, UNREACHABLE, fields);
  }

  /** Computed fields have values even if the whole operation failed. */
  function filled(answer: RowAnswer | undefined, name: string): RowAnswer | undefined {
    const { values, error } = answer ?? { values: [null], error: null };
    if (error === null || values.some((value) => value !== null)) return answer;
    return withoutLookUps(readComputed(name, asking.form), fields, error);
  }

  function giveUp(code: string): void {
    for (const place of pending) answers[place] = failedAnswer(code, fields);
    pending = [];
  }

  async function pause(seconds: number): Promise<void> {
    const { wait, signal, stop } = asking;
    if (stop?.aborted) return;
    await wait(Math.min(seconds, MAX_WAIT_SECONDS) * 1_000, signal).catch((error: unknown) => {
      if (!stop?.aborted) throw error;
    });
  }
}

/** The answers of rows that the writer has checked, in their order. A row with a problem gets its problem. */
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

/** The gateway's answer without look-ups: computed fields need no gateway. */
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
    asciiLookalike: asciiLookalike(name),
    warnings: doiWarnings(name).map(({ code, repaired }) => ({
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
