// @ts-check
// Runs one task at a time: a new task aborts the earlier task.

/** @returns {{ begin(): AbortSignal, end(): void }} */
export function createTurn() {
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

/**
 * Resolves after the time. Rejects if the signal is aborted earlier.
 * @param {number} milliseconds
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/**
 * Runs a task. Ignores the error of an aborted task.
 * @param {AbortSignal} signal
 * @param {(signal: AbortSignal) => Promise<void>} work
 */
export async function unlessAborted(signal, work) {
  try {
    await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
