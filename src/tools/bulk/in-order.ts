// Several pieces of work at a time, their results in order, and never more of them in memory than that.

/**
 * Work begins in the order of the items. When `stop` is aborted no further item is taken, what has begun is finished,
 * and the items may fail. Rejects with what they reject with else, or the first work in order.
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
  let isOver = false;
  let failure: { readonly error: unknown } | null = null;
  // Set anew whenever there is nothing to do: one promise for whatever comes first.
  let wake = (): void => undefined;
  const onStop = (): void => wake();
  stop.addEventListener('abort', onStop);

  function take(): void {
    next = source
      .next()
      .then(
        ({ done, value }) => {
          if (done) isOver = true;
          else if (!stop.aborted) begun.push(begin(work(value), () => wake()));
        },
        (error: unknown) => {
          failure = { error };
          isOver = true;
        },
      )
      .then(() => {
        next = null;
        wake();
      });
  }

  try {
    for (;;) {
      isOver ||= stop.aborted;
      const [oldest] = begun;
      if (oldest?.isDone) {
        begun.shift();
        yield await oldest.result;
      } else if (isOver && begun.length === 0) break;
      else {
        if (!isOver && next === null && begun.length < most) take();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    if (failure !== null && !stop.aborted) throw (failure as { readonly error: unknown }).error;
  } finally {
    stop.removeEventListener('abort', onStop);
    // A source that waits for somebody to type hears of it no sooner than that comes.
    source.return?.().catch(() => undefined);
  }
}

interface Work<Result> {
  readonly result: Promise<Result>;
  isDone: boolean;
}

/** A failure is heard of when its turn comes. */
function begin<Result>(result: Promise<Result>, onDone: () => void): Work<Result> {
  const work: Work<Result> = { result, isDone: false };
  const done = (): void => {
    work.isDone = true;
    onDone();
  };
  result.then(done, done);
  return work;
}
