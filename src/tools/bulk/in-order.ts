// Runs several tasks at the same time and yields their results in order.

/**
 * Yields the results in the order of the items. Rejects if `items` or `task` rejects. After `stop`, it starts no more tasks,
 * yields the results of the running tasks, and ignores a failure of `items`.
 * @param maxRunning the largest number of tasks at the same time
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  maxRunning: number,
  task: (item: Item) => Promise<Result>,
  stop: AbortSignal,
): AsyncGenerator<Result> {
  const source = items[Symbol.asyncIterator]();
  const begun: { readonly result: Promise<Result>; isDone: boolean }[] = [];
  let isTaking = false;
  let hasEnded = false;
  let failure: { readonly error: unknown } | null = null;
  // Every event calls `wake`, so that the loop below looks at the new state.
  let wake = (): void => undefined;
  const onStop = (): void => wake();
  stop.addEventListener('abort', onStop);

  function begin(result: Promise<Result>): void {
    const running = { result, isDone: false };
    const done = (): void => {
      running.isDone = true;
      wake();
    };
    // A failure stays in `result` until the loop awaits `result`. `then` prevents an unhandled rejection.
    result.then(done, done);
    begun.push(running);
  }

  async function takeItem(): Promise<void> {
    isTaking = true;
    try {
      const { done, value } = await source.next();
      if (done) hasEnded = true;
      else if (!stop.aborted) begin(task(value));
    } catch (error) {
      hasEnded = true;
      failure = { error };
    }
    isTaking = false;
    wake();
  }

  try {
    for (;;) {
      hasEnded ||= stop.aborted;
      const [oldest] = begun;
      if (oldest?.isDone) {
        begun.shift();
        yield await oldest.result;
      } else if (hasEnded && begun.length === 0) break;
      else {
        if (!hasEnded && !isTaking && begun.length < maxRunning) void takeItem();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    if (failure !== null && !stop.aborted) throw (failure as { readonly error: unknown }).error;
  } finally {
    stop.removeEventListener('abort', onStop);
    // Without `await`, because a source that waits for keyboard input ends only with the next input.
    source.return?.().catch(() => undefined);
  }
}
