// Sends one query for many names, in batches and with retries. Stops in an outage.

import { type BatchOutcome, retryNames } from './retry-names.ts';
import { type GraphqlError, NoGatewayError, type SendOperation } from './send-operation.ts';

/**
 * How the caller can react to an error. `smaller`: send fewer names in one operation. `later`: retry. `outage`: do not
 * retry now, because the gateway has already waited for its directory. `nothing`: do not retry.
 */
type Remedy = 'smaller' | 'later' | 'outage' | 'nothing';

const TOO_LARGE: ReadonlySet<string> = new Set(['TOO_MANY_LOOKUPS', 'LIMIT_EXCEEDED']);

export function remedyFor({ extensions }: GraphqlError): Remedy {
  if (TOO_LARGE.has(extensions.code)) return 'smaller';
  if (extensions['heldBack'] === true) return 'outage';
  return extensions['retryable'] === true ? 'later' : 'nothing';
}

/** A busy gateway, or a busy agency, refuses a name with one of these codes. */
export const BUSY_CODES: ReadonlySet<string | null> = new Set([
  'GATEWAY_BUSY',
  'RATE_LIMITED',
  'UPSTREAM_RATE_LIMITED',
  'DEADLINE_EXCEEDED',
]);

/** The longest wait that the errors state, in seconds; null if no error states a wait. */
export function longestWaitSeconds(errors: readonly GraphqlError[]): number | null {
  let seconds: number | null = null;
  for (const { extensions } of errors) {
    const stated = extensions['retryAfterSeconds'];
    if (typeof stated === 'number' && stated >= 0) seconds = Math.max(seconds ?? 0, stated);
  }
  return seconds;
}

/** The reason why a name has no answer, and the remedy. */
export class Failure {
  readonly message: string;
  readonly remedy: Remedy;
  readonly retryAfterSeconds: number;
  /** of the error; null if there is none */
  readonly code: string | null;

  constructor(message: string, remedy: Remedy, retryAfterSeconds = 0, code: string | null = null) {
    this.message = message;
    this.remedy = remedy;
    this.retryAfterSeconds = retryAfterSeconds;
    this.code = code;
  }
}

export function failureOf(error: GraphqlError): Failure {
  const { message, extensions } = error;
  return new Failure(message, remedyFor(error), longestWaitSeconds([error]) ?? 0, extensions.code);
}

export const NO_ANSWER = new Failure('The gateway gave no answer.', 'later');

/** The failure of one field of a name. @param errors the errors of the name */
export function failureAt(field: string, errors: readonly GraphqlError[]): Failure {
  const error = errors.find(({ path }) => path?.[2] === field || path?.length === 2);
  return error ? failureOf(error) : NO_ANSWER;
}

export interface NamesQuery<Fields, Answer> {
  /** an operation with the variable `$names`. Its data has a list `dois` with one item for each name. */
  readonly query: string;
  /** Converts a name to an item of `$names`. Default: the name itself. */
  readonly toVariable?: (name: string) => unknown;
  /** the largest number of names in one operation */
  readonly maxNames: number;
  /** Reads the fields of one name. @param errors the errors of these fields */
  readonly read: (fields: Fields | null, errors: readonly GraphqlError[]) => Answer | Failure;
  /** called when a name has its answer, perhaps before other names have answers */
  readonly onAnswer?: (name: string, answer: Answer) => void;
}

export interface BatchedQueriesOptions {
  readonly send: SendOperation;
  readonly signal: AbortSignal;
  /** Waits before a retry. Rejects when the signal is aborted. Null: no retries. */
  readonly wait: ((ms: number) => Promise<void>) | null;
  /** Lets a running query finish, without retries. The names without an answer get NO_ANSWER. */
  readonly stop?: AbortSignal | undefined;
}

/** The largest number of look-ups of one name, and of consecutive operations without any answer. */
const MAX_TRIES = 3;
const FIRST_WAIT_SECONDS = 1;
const MAX_WAIT_SECONDS = 30;
/** After this many consecutive calls without any answer, `lookUp` sends no more queries. */
const MAX_CALLS_IN_OUTAGE = 2;

export class BatchedQueries {
  readonly #options: BatchedQueriesOptions;
  /** by query: the largest number of names that the gateway accepts in one operation */
  readonly #limits = new Map<string, { maxNames: number }>();
  /** The `maxTries` of the next call. After a call in which retries did not help, the next call makes no retries. */
  #maxTries = MAX_TRIES;
  /** the number of consecutive calls without any answer, and the failure of the last call; null after an answer */
  #outage: { readonly calls: number; readonly failure: Failure } | null = null;

  constructor(options: BatchedQueriesOptions) {
    this.#options = options;
  }

  /** Resolves in the order of the names, with a Failure for each failed name. Rejects only with the signal's reason. */
  async lookUp<Fields, Answer>(
    names: readonly string[],
    query: NamesQuery<Fields, Answer>,
  ): Promise<readonly (Answer | Failure)[]> {
    if (names.length === 0) return [];
    const { wait, stop } = this.#options;
    const outage = this.#outage;
    // In an outage, each operation would last until its deadline.
    if (outage !== null && outage.calls >= MAX_CALLS_IN_OUTAGE && wait !== null)
      return names.map(() => outage.failure);
    const distinct = [...new Set(names)];
    const limit = this.#limits.get(query.query) ?? { maxNames: query.maxNames };
    this.#limits.set(query.query, limit);
    const found = await retryNames<Answer | Failure>(distinct, {
      limit,
      maxTries: wait === null ? 1 : this.#maxTries,
      firstWaitSeconds: FIRST_WAIT_SECONDS,
      maxWaitSeconds: MAX_WAIT_SECONDS,
      send: async (batch) => outcomeOf(batch, await sendBatch(this.#options, batch, query), query),
      wait: (ms) => wait?.(ms) ?? Promise.resolve(),
      isBusy: (answer) => answer instanceof Failure && BUSY_CODES.has(answer.code),
      answerInOutage: (last) => last,
      stop,
    });
    this.#maxTries = found.some((answer) => failureWith(LATER, answer)) ? 1 : MAX_TRIES;
    const answers = new Map(distinct.map((name, at) => [name, found[at] ?? NO_ANSWER]));
    const results = names.map((name) => answers.get(name) ?? NO_ANSWER);
    this.#outage = outageAfter(results, this.#outage?.calls ?? 0);
    return results;
  }
}

/** Divides a batch into names with a final answer and names for a retry. */
function outcomeOf<Fields, Answer>(
  batch: readonly string[],
  answers: readonly (Answer | Failure)[],
  { onAnswer }: NamesQuery<Fields, Answer>,
): BatchOutcome<Answer | Failure> {
  const done = new Map<number, Answer | Failure>();
  const toRetry = new Map<number, Failure>();
  for (const [at, answer] of answers.entries()) {
    if (!(answer instanceof Failure)) onAnswer?.(batch[at] as string, answer);
    const failure = failureWith(batch.length > 1 ? RETRY : LATER, answer);
    if (failure) toRetry.set(at, failure);
    else done.set(at, answer);
  }
  const failures = [...toRetry.values()];
  const seconds = Math.max(0, ...failures.map(({ retryAfterSeconds }) => retryAfterSeconds));
  const isTooLarge = failures.some(({ remedy }) => remedy === 'smaller');
  return { done, toRetry, isTooLarge, retryAfterSeconds: seconds || null };
}

function outageAfter(answers: readonly unknown[], calls: number) {
  const failures = answers.map((answer) => failureWith(OUTAGE, answer));
  const failure = failures[0] ?? null;
  return failure === null || failures.includes(null) ? null : { calls: calls + 1, failure };
}

const LATER: readonly Remedy[] = ['later'];
const RETRY: readonly Remedy[] = ['later', 'smaller'];
const OUTAGE: readonly Remedy[] = ['later', 'outage'];

function failureWith(remedies: readonly Remedy[], answer: unknown): Failure | null {
  return answer instanceof Failure && remedies.includes(answer.remedy) ? answer : null;
}

async function sendBatch<Fields, Answer>(
  { send, signal }: BatchedQueriesOptions,
  names: readonly string[],
  { query, toVariable = (name) => name, read }: NamesQuery<Fields, Answer>,
): Promise<readonly (Answer | Failure)[]> {
  try {
    const variables = { names: names.map(toVariable) };
    const { data, errors } = await send<{ dois: readonly (Fields | null)[] }>(query, variables, signal);
    // A program that is not a DOI gateway can send any data.
    if (!Array.isArray(data?.dois)) {
      const failure = errors[0] ? failureOf(errors[0]) : NO_ANSWER;
      return names.map(() => failure);
    }
    const errorsAt = (index: number) => errors.filter(({ path }) => path?.[1] === index);
    return names.map((_, index) => read(data.dois[index] ?? null, errorsAt(index)));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof NoGatewayError)) throw error;
    const failure = new Failure(error.message, 'later');
    return names.map(() => failure);
  }
}
