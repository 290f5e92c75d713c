// Runs several pieces of work at the same time and yields their results in order.

/**
 * Starts work in the order of the items. After `stop` it starts no more work, yields the results of the running work, and
 * ignores a failure of the source. Rejects if the source or a piece of work rejects.
 * @param most the largest number of pieces at the same time
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  most: number,
  work: (item: Item) => Promise<Result>,
  stop: AbortSignal,
): AsyncGenerator<Result> {
  const source = items[Symbol.asyncIterator]();
  const begun: Work<Result>[] = [];
  let next: Promise<void> | null = null;
  let hasEnded = false;
  let failure: { readonly error: unknown } | null = null;
  // Resolves the promise that the loop below waits for. Every event calls it.
  let wake = (): void => undefined;
  const onStop = (): void => wake();
  stop.addEventListener('abort', onStop);

  function take(): void {
    next = source
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
        next = null;
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
        if (!hasEnded && next === null && begun.length < most) take();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    if (failure !== null && !stop.aborted) throw (failure as { readonly error: unknown }).error;
  } finally {
    stop.removeEventListener('abort', onStop);
    // Not awaited: a source that waits for keyboard input ends only with the next input.
    source.return?.().catch(() => undefined);
  }
}

interface Work<Result> {
  readonly result: Promise<Result>;
  isDone: boolean;
}

/** A failure waits in `result` until the caller reads the results in order. */
function begin<Result>(result: Promise<Result>, onDone: () => void): Work<Result> {
  const work: Work<Result> = { result, isDone: false };
  const done = (): void => {
    work.isDone = true;
    onDone();
  };
  result.then(done, done);
  return work;
}
