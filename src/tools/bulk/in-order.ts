// Runs several pieces of work at the same time and yields their results in order.

/**
 * Yields the results in the order of the items. Rejects if `items` or `work` rejects. After `stop`, it starts no more work,
 * yields the results of the running work, and ignores a failure of `items`.
 * @param maxRunning the largest number of pieces of work at the same time
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  maxRunning: number,
  work: (item: Item) => Promise<Result>,
  stop: AbortSignal,
): AsyncGenerator<Result> {
  const source = items[Symbol.asyncIterator]();
  const begun: Work<Result>[] = [];
  let nextItem: Promise<void> | null = null;
  let hasEnded = false;
  let failure: { readonly error: unknown } | null = null;
  // Every event calls `wake`, so that the loop below looks at the new state.
  let wake = (): void => undefined;
  const onStop = (): void => wake();
  stop.addEventListener('abort', onStop);

  function takeItem(): void {
    nextItem = source
      .next()
      .then(
        ({ done, value }) => {
          if (done) hasEnded = true;
          else if (!stop.aborted) begun.push(begin(work(value), () => wake()));
        },
        (error: unknown) => {
          failure = { error };
          hasEnded = true;
        },
      )
      .then(() => {
        nextItem = null;
        wake();
      });
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
        if (!hasEnded && nextItem === null && begun.length < maxRunning) takeItem();
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

interface Work<Result> {
  readonly result: Promise<Result>;
  isDone: boolean;
}

/** The failure of a piece of work stays in `result` until the loop awaits `result`. `then` prevents an unhandled rejection. */
function begin<Result>(result: Promise<Result>, onDone: () => void): Work<Result> {
  const work: Work<Result> = { result, isDone: false };
  const done = (): void => {
    work.isDone = true;
    onDone();
  };
  result.then(done, done);
  return work;
}
