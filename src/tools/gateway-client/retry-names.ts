// Sends one operation for many names. Sends smaller operations if the gateway refuses so many names, and retries names
// whose look-up failed. `doi check`, `doi bulk`, jobs and tools for agents share this loop.

/** The result of one operation. The keys are positions in its list of names. */
export interface BatchOutcome<Answer> {
  /** the final answers */
  readonly done: ReadonlyMap<number, Answer>;
  /** names for a retry, each with the answer that it gets if no retry follows */
  readonly again: ReadonlyMap<number, Answer>;
  /** whether there were too many names for one operation */
  readonly tooMany: boolean;
  /** null if the gateway did not say */
  readonly retryAfterSeconds: number | null;
}

export interface RetryNames<Answer> {
  /** the largest number of names in one operation. The loop lowers it when the gateway refuses so many names. */
  readonly size: { most: number };
  /** the limit for look-ups of one name, and for operations in a row without any answer */
  readonly maxTries: number;
  readonly firstWaitSeconds: number;
  readonly maxWaitSeconds: number;
  /** @param isLastTry no retry follows if this operation has no answer for any name */
  readonly send: (names: readonly string[], isLastTry: boolean) => Promise<BatchOutcome<Answer>>;
  readonly wait: (ms: number) => Promise<void>;
  /** Whether an answer is a refusal because the gateway is busy. Such an attempt does not count. Default: never. */
  readonly isBusy?: (answer: Answer) => boolean;
  /** The answer of names that are not sent because of an outage. @param last the answer of a name in the last operation */
  readonly givenUp: (last: Answer) => Answer;
  /** ends the loop after the running operation, without retries */
  readonly stop?: AbortSignal | undefined;
}

/** The smallest operation while the gateway is busy. */
const MIN_NAMES = 16;

/** Resolves in the order of the names; undefined for names without an answer after `stop`. Rejects if `send` or `wait` does. */
export async function retryNames<Answer>(
  names: readonly string[],
  { size: allowed, maxTries, send, wait, stop, ...options }: RetryNames<Answer>,
): Promise<(Answer | undefined)[]> {
  const answers: (Answer | undefined)[] = new Array(names.length).fill(undefined);
  const tries = new Uint8Array(names.length);
  let pending = [...names.keys()];
  let size = allowed.most;
  /** operations in a row without any answer */
  let idle = 0;
  while (pending.length > 0 && !stop?.aborted) {
    const places = pending.slice(0, size);
    const sent = places.map((place) => names[place] as string);
    const { done, again, tooMany, retryAfterSeconds } = await send(sent, idle + 1 >= maxTries);
    for (const [index, answer] of done) answers[places[index] as number] = answer;
    idle = done.size > 0 || tooMany ? 0 : idle + 1;
    pending = pending.slice(size);
    for (const [index, answer] of again) {
      const place = places[index] as number;
      const counts = !tooMany && (idle > 0 || !options.isBusy?.(answer));
      tries[place] = (tries[place] ?? 0) + Number(counts);
      if (idle >= maxTries || (tries[place] ?? 0) >= maxTries) answers[place] = answer;
      else pending.push(place);
    }
    const [last] = again.values();
    if (idle >= maxTries && last !== undefined) {
      for (const place of pending) answers[place] = options.givenUp(last);
      break;
    }
    if (tooMany) allowed.most = Math.ceil(places.length / 2);
    const isCrowded = again.size > 0 && !tooMany;
    size = Math.min(allowed.most, isCrowded ? Math.max(MIN_NAMES, 2 * done.size) : 2 * size);
    if (!isCrowded || pending.length === 0 || stop?.aborted) continue;
    const failures = Math.max(idle, ...[...again.keys()].map((index) => tries[places[index] as number] ?? 0));
    const seconds = retryAfterSeconds ?? Math.max(1, options.firstWaitSeconds * 2 ** (failures - 1));
    await wait(Math.min(seconds, options.maxWaitSeconds) * 1_000).catch((error: unknown) => {
      if (!stop?.aborted) throw error;
    });
  }
  return answers;
}
