// Asks the gateway for many names: in one operation where it can be, again where something passes, in smaller parts
// where the gateway refuses so many. What cannot be asked in the end is failed, and never absent.

import { displayForm, recommendedUrl, uriForm, urnForm } from '../../doi/encoding-forms.ts';
import { meantBy } from '../../doi/find/reference-around.ts';
import { asciiLookalike } from '../../doi/lookalikes.ts';
import { canonicalName, prefixOf, suffixOf } from '../../doi/name.ts';
import { parseDoi } from '../../doi/parse.ts';
import { DOI_FORMS } from '../../doi/recognise.ts';
import { doiWarnings } from '../../doi/warnings.ts';
import { type Ask, AskError } from '../gateway-client/ask.ts';
import {
  type Answer,
  allAgain,
  failedAnswer,
  type Outcome,
  readOutcome,
  UNREACHABLE,
  withoutLookUps,
} from './answered-names.ts';
import { type Field, type FieldValue, queryOf, type ReadName } from './fields.ts';
import type { Row } from './row.ts';

export interface Asking {
  readonly ask: Ask;
  /** a DOIForm, to read all names as that; left out: the form of each is recognised */
  readonly form?: string | undefined;
  /** the directory holds a sample: of a name that is not there nothing follows */
  readonly isSample?: boolean | undefined;
  /** Waits before something is asked again. Rejects when the signal is aborted, and when `stop` is, if it knows that. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** ends what is being asked */
  readonly signal?: AbortSignal | undefined;
  /** what is being asked is finished, and nothing is asked again */
  readonly stop?: AbortSignal | undefined;
}

/** Rounds in which nothing at all was answered, one after the other. */
const MAX_IDLE_ROUNDS = 5;
/** How often one name is asked for while others are answered. */
const MAX_ATTEMPTS = 5;
const MAX_WAIT_SECONDS = 60;
/** Of a crowded gateway at least so many are asked at a time. */
const LEAST_NAMES = 16;

/** Whoever waits comes to his turn: to be refused tells nothing of the name. */
const TAKES_TURNS: ReadonlySet<string | null> = new Set([
  'GATEWAY_BUSY',
  'RATE_LIMITED',
  'UPSTREAM_RATE_LIMITED',
  'DEADLINE_EXCEEDED',
]);

/**
 * The answers, in the order of the names; undefined for those that `stop` kept from being asked for again. Rejects
 * with an AskError where there is no gateway or it refuses such operations, and with the signal's reason.
 */
export async function answerNames(
  names: readonly string[],
  fields: readonly Field[],
  asking: Asking,
): Promise<(Answer | undefined)[]> {
  const query = queryOf(fields, asking.isSample);
  const answers: (Answer | undefined)[] = new Array(names.length).fill(undefined);
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
      const countsFor = tooMany || (idle === 0 && TAKES_TURNS.has(answer.error)) ? 0 : 1;
      attempts[place] = (attempts[place] ?? 0) + countsFor;
      if (idle >= MAX_IDLE_ROUNDS || (attempts[place] ?? 0) >= MAX_ATTEMPTS) answers[place] = answer;
      else pending.push(place);
    }
    if (idle >= MAX_IDLE_ROUNDS) giveUp([...again.values()][0]?.error ?? 'UNKNOWN');
    if (tooMany) allowed = Math.ceil(places.length / 2);
    const isCrowded = again.size > 0 && !tooMany;
    size = Math.min(allowed, isCrowded ? Math.max(LEAST_NAMES, 2 * done.size) : 2 * size);
    if (isCrowded && pending.length > 0) await pause(retryAfterSeconds ?? 2 ** idle);
  } while (pending.length > 0 && !asking.stop?.aborted);
  return answers.map((answer, place) => filled(answer, names[place] as string));

  async function ask(places: readonly number[]): Promise<Outcome> {
    const inputs = places.map((place) => names[place] as string);
    const variables = { inputs, form: asking.form ?? null };
    const answer = await asking.ask<unknown>(query, variables, asking.signal).catch((error: unknown) => {
      if (error instanceof AskError && idle + 1 < MAX_IDLE_ROUNDS) return null;
      throw error;
    });
    return answer
      ? readOutcome(places.length, answer, fields, asking.isSample)
      : allAgain(places.length, UNREACHABLE, fields);
  }

  /** What is computed from a name is there also where all of its operation failed. */
  function filled(answer: Answer | undefined, name: string): Answer | undefined {
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

// The answers of a chunk of rows: those that can be read are asked for in one operation.

/** As answerNames; a row with a problem gets that. In the order of the rows, which the writer has checked. */
export async function answerRows(
  rows: readonly Row[],
  fields: readonly Field[],
  asking: Asking,
): Promise<(Answer | undefined)[]> {
  const names = rows.flatMap(({ name }) => (name === null ? [] : [name]));
  const answers = (names.length === 0 ? [] : await answerNames(names, fields, asking)).values();
  return rows.map((row) => (row.problem === null ? answers.next().value : brokenAnswer(row, fields)));
}

function brokenAnswer({ problem, start }: Row, fields: readonly Field[]): Answer {
  const code = problem?.code ?? 'UNKNOWN';
  const told: Readonly<Record<string, FieldValue>> = {
    problem: code,
    message: `Line ${start.line}: ${problem?.message ?? ''}`,
  };
  return { values: fields.map(({ name }) => told[name] ?? null), error: code };
}

// What is computed from a name needs no gateway: it is filled in also where the gateway cannot be reached.

/** As the gateway answers, without what the directory says. */
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
