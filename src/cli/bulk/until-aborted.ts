/** The items as they come. Rejects with the signal's reason as soon as that is aborted, whatever the source does. */
export async function* untilAborted<Item>(
  source: AsyncIterable<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  const items = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await sooner(items.next(), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // A source that waits for somebody to type hears of it no sooner than that comes.
    items.return?.().catch(() => undefined);
  }
}

async function sooner<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
