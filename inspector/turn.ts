// Runs one task at a time: a new task aborts the earlier task.

export function createTurn(): { begin(): AbortSignal; end(): void } {
  let controller = new AbortController();
  return {
    begin() {
      controller.abort();
      controller = new AbortController();
      return controller.signal;
    },
    end() {
      controller.abort();
    },
  };
}

/** Resolves after the time. Rejects if the signal is aborted earlier. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** Runs a task. Ignores the error of an aborted task. */
export async function unlessAborted(signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>) {
  try {
    await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
