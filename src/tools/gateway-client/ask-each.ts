// Asks the same of many names: in batches, in smaller ones where the gateway allows no more, and again where that may help.

import { type Ask, AskError, type GraphqlError } from './ask.ts';

// What may help where the gateway has not answered, as its error says.

/**
 * `smaller`: fewer names at once; `later`: the same again. `outage`: nothing for now, since the gateway has waited for
 * its directory: the same again would only wait again.
 */
type Remedy = 'smaller' | 'later' | 'outage' | 'nothing';

const TOO_MUCH: ReadonlySet<string> = new Set(['TOO_MANY_LOOKUPS', 'LIMIT_EXCEEDED']);

export function remedyFor({ extensions }: GraphqlError): Remedy {
  if (TOO_MUCH.has(extensions.code)) return 'smaller';
  if (extensions['heldBack'] === true) return 'outage';
  return extensions['retryable'] === true ? 'later' : 'nothing';
}

/** How long to wait before anything is asked again; null where none of the errors says it. */
export function longestWaitSeconds(errors: readonly GraphqlError[]): number | null {
  let seconds: number | null = null;
  for (const { extensions } of errors) {
    const told = extensions['retryAfterSeconds'];
    if (typeof told === 'number' && told >= 0) seconds = Math.max(seconds ?? 0, told);
  }
  return seconds;
}

/** Why there is no answer for a name, and what may help. */
export class Failure {
  readonly message: string;
  readonly remedy: Remedy;
  readonly retryAfterSeconds: number;

  constructor(message: string, remedy: Remedy, retryAfterSeconds = 0) {
    this.message = message;
    this.remedy = remedy;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export function failureOf(error: GraphqlError): Failure {
  return new Failure(error.message, remedyFor(error), longestWaitSeconds([error]) ?? 0);
}

export interface Question<Fields, Answer> {
  /** an operation on `$names` that answers `dois(inputs: $names, form: NAME)` */
  readonly query: string;
  /** names in one operation at the most */
  readonly most: number;
  /** What the fields of one name come to. `errors` are those below it. */
  readonly read: (fields: Fields | null, errors: readonly GraphqlError[]) => Answer | Failure;
  /** called as soon as a name has its answer, while others may be retried or wait */
  readonly onAnswer?: (name: string, answer: Answer) => void;
}

export interface AskEachOptions {
  readonly ask: Ask;
  readonly signal: AbortSignal;
  /** Rejects when the signal is aborted. Null: nothing is asked again. */
  readonly wait: ((ms: number) => Promise<void>) | null;
}

const MOST_RETRIES = 2;
const FIRST_WAIT_MS = 1_000;
const MOST_WAIT_MS = 30_000;
/** After so many that nothing was answered to, nobody is asked any more. */
const CALLS_OF_OUTAGE = 2;

export class EachAsker {
  readonly #options: AskEachOptions;
  /** by query: names in one operation, where the gateway has refused more */
  readonly #allowed = new Map<string, number>();
  /** None after a call in which they did not help: an outage is waited for once, and not at every batch anew. */
  #retries = MOST_RETRIES;
  /** calls one after the other that nothing was answered to, and why */
  #outage: { readonly calls: number; readonly by: Failure } | null = null;

  constructor(options: AskEachOptions) {
    this.#options = options;
  }

  /** In the order of the names, a Failure for each that could not be asked. Rejects by the signal alone. */
  async ask<Fields, Answer>(
    names: readonly string[],
    question: Question<Fields, Answer>,
  ): Promise<readonly (Answer | Failure)[]> {
    if (names.length === 0) return [];
    const { wait } = this.#options;
    const outage = this.#outage;
    // Each would take all the time that an operation has.
    if (outage !== null && outage.calls >= CALLS_OF_OUTAGE && wait !== null)
      return names.map(() => outage.by);
    const answers = new Map<string, Answer | Failure>();
    let waiting = [...new Set(names)];
    for (let retry = 0; ; retry += 1) {
      await this.#askRound(waiting, question, answers);
      const failures = waiting.flatMap((name) => failureWith(LATER, answers.get(name)) ?? []);
      if (failures.length === 0 || wait === null || retry >= this.#retries) break;
      const seconds = Math.max(...failures.map(({ retryAfterSeconds }) => retryAfterSeconds));
      await wait(Math.min(MOST_WAIT_MS, Math.max(FIRST_WAIT_MS * 2 ** retry, seconds * 1_000)));
      waiting = waiting.filter((name) => failureWith(LATER, answers.get(name)) !== null);
    }
    this.#retries = [...answers.values()].some((answer) => failureWith(LATER, answer)) ? 0 : MOST_RETRIES;
    const told = names.map((name) => answers.get(name) ?? NO_ANSWER);
    this.#outage = outageAfter(told, this.#outage?.calls ?? 0);
    return told;
  }

  /** All of them once; in smaller batches those that were too many. */
  async #askRound<Fields, Answer>(
    names: readonly string[],
    question: Question<Fields, Answer>,
    answers: Map<string, Answer | Failure>,
  ): Promise<void> {
    let waiting = names;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, this.#allowed.get(question.query) ?? question.most);
      const told = await askBatch(this.#options, batch, question);
      const tooMany = batch.filter((name, at) => {
        const answer = told[at] ?? NO_ANSWER;
        answers.set(name, answer);
        if (!(answer instanceof Failure)) question.onAnswer?.(name, answer);
        return answer instanceof Failure && answer.remedy === 'smaller' && batch.length > 1;
      });
      if (tooMany.length > 0) this.#allowed.set(question.query, Math.floor(batch.length / 2));
      waiting = [...tooMany, ...waiting.slice(batch.length)];
    }
  }
}

function outageAfter(answers: readonly unknown[], calls: number) {
  const failures = answers.map((answer) => failureWith(PASSING, answer));
  const by = failures[0] ?? null;
  return by === null || failures.includes(null) ? null : { calls: calls + 1, by };
}

const NO_ANSWER = new Failure('The gateway gave no answer.', 'later');

const LATER: readonly Remedy[] = ['later'];
const PASSING: readonly Remedy[] = ['later', 'outage'];

function failureWith(remedies: readonly Remedy[], answer: unknown): Failure | null {
  return answer instanceof Failure && remedies.includes(answer.remedy) ? answer : null;
}

async function askBatch<Fields, Answer>(
  { ask, signal }: AskEachOptions,
  names: readonly string[],
  { query, read }: Question<Fields, Answer>,
): Promise<readonly (Answer | Failure)[]> {
  try {
    const { data, errors } = await ask<{ dois: readonly (Fields | null)[] }>(query, { names }, signal);
    // A program that is no DOI gateway may send any data.
    if (!Array.isArray(data?.dois)) {
      const failure = errors[0] ? failureOf(errors[0]) : NO_ANSWER;
      return names.map(() => failure);
    }
    return names.map((_, index) =>
      read(
        data.dois[index] ?? null,
        errors.filter(({ path }) => path?.[1] === index),
      ),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AskError)) throw error;
    const failure = new Failure(error.message, 'later');
    return names.map(() => failure);
  }
}
