// Looks up many names with one operation. If the gateway refuses so many names, sends smaller operations. Retries the names
// whose look-up failed. The command line, jobs and tools for agents use this loop.

/** The result of one operation. The keys of the maps are positions in the list of names. */
export interface BatchOutcome<Answer> {
  /** the final answers */
  readonly done: ReadonlyMap<number, Answer>;
  /** names for a retry, each with the answer that the name gets if no retry follows */
  readonly toRetry: ReadonlyMap<number, Answer>;
  /** whether the operation had too many names */
  readonly isTooLarge: boolean;
  /** the wait that the gateway stated; null if the gateway stated no wait */
  readonly retryAfterSeconds: number | null;
}

export interface RetryNamesOptions<Answer> {
  /** the largest number of names in one operation. The loop lowers it when the gateway refuses so many names. */
  readonly limit: { maxNames: number };
  /** the largest number of look-ups of one name, and of consecutive operations without any answer */
  readonly maxTries: number;
  readonly firstWaitSeconds: number;
  readonly maxWaitSeconds: number;
  /** @param isLastTry whether the loop ends if this operation has no answer for any name */
  readonly send: (names: readonly string[], isLastTry: boolean) => Promise<BatchOutcome<Answer>>;
  readonly wait: (ms: number) => Promise<void>;
  /** Whether a busy gateway refused a name. Such a refusal is no try if other names have answers. Default: never. */
  readonly isBusy?: (answer: Answer) => boolean;
  /** Returns the answer for names that the loop does not send in an outage. @param last an answer of the last operation */
  readonly answerInOutage: (last: Answer) => Answer;
  /** Whether a failure concerns only some names, such as those of one agency. Then it is no outage. Default: never. */
  readonly concernsSome?: (answer: Answer) => boolean;
  /** ends the loop after the running operation, without retries */
  readonly stop?: AbortSignal | undefined;
}

/** The smallest number of names in an operation while the gateway is busy. */
const MIN_NAMES = 16;

/**
 * Resolves with the answers in the order of the names; undefined for names without an answer after `stop`. Rejects if `send`
 * or `wait` rejects.
 */
export async function retryNames<Answer>(
  names: readonly string[],
  { limit, maxTries, send, wait, stop, ...options }: RetryNamesOptions<Answer>,
): Promise<(Answer | undefined)[]> {
  const answers: (Answer | undefined)[] = new Array(names.length).fill(undefined);
  const tries = new Uint8Array(names.length);
  const lastFailures = new Map<number, Answer>();
  let pending = [...names.keys()];
  let size = limit.maxNames;
  /** the number of consecutive operations without any answer */
  let unanswered = 0;
  while (pending.length > 0 && !stop?.aborted) {
    const sentIndexes = pending.slice(0, size);
    const sent = sentIndexes.map((at) => names[at] as string);
    const { done, toRetry, isTooLarge, retryAfterSeconds } = await send(sent, unanswered + 1 >= maxTries);
    for (const [index, answer] of done) answers[sentIndexes[index] as number] = answer;
    unanswered = done.size > 0 || isTooLarge ? 0 : unanswered + 1;
    pending = pending.slice(size);
    for (const [index, answer] of toRetry) {
      const at = sentIndexes[index] as number;
      const isTry = !isTooLarge && (unanswered > 0 || !options.isBusy?.(answer));
      tries[at] = (tries[at] ?? 0) + Number(isTry);
      lastFailures.set(at, answer);
      if (unanswered >= maxTries || (tries[at] ?? 0) >= maxTries) answers[at] = answer;
      else pending.push(at);
    }
    const [last] = toRetry.values();
    if (unanswered >= maxTries && last !== undefined) {
      const isOutage = !options.concernsSome?.(last);
      for (const at of pending) answers[at] = isOutage ? options.answerInOutage(last) : lastFailures.get(at);
      if (isOutage) break;
      pending = pending.filter((at) => !lastFailures.has(at));
      unanswered = 0;
      size = limit.maxNames;
      continue;
    }
    if (isTooLarge) limit.maxNames = Math.ceil(sentIndexes.length / 2);
    const hasFailedNames = toRetry.size > 0 && !isTooLarge;
    size = Math.min(limit.maxNames, hasFailedNames ? Math.max(MIN_NAMES, 2 * done.size) : 2 * size);
    if (!hasFailedNames || pending.length === 0 || stop?.aborted) continue;
    const failures = Math.max(
      unanswered,
      ...[...toRetry.keys()].map((index) => tries[sentIndexes[index] as number] ?? 0),
    );
    const seconds = retryAfterSeconds ?? Math.max(1, options.firstWaitSeconds * 2 ** (failures - 1));
    await wait(Math.min(seconds, options.maxWaitSeconds) * 1_000).catch((error: unknown) => {
      if (!stop?.aborted) throw error;
    });
  }
  return answers;
}
