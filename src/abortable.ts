// Aborts that cost little time and memory, because an operation can have thousands of look-ups.

/** The state of an abort, with one listener. Costs much less time and memory than an AbortSignal. */
export type AbortState = Readonly<Pick<LightAbort, 'isAborted' | 'reason' | 'onAbort'>>;

/** Makes `signal` at its first use: few look-ups need it. A class, because an object with getters is slower to make. */
export class LightAbort {
  isAborted = false;
  /** Undefined before the abort. */
  reason: unknown;
  #controller: AbortController | undefined;
  #listener: (() => void) | null = null;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.isAborted) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }

  /** Sets the state and calls the listener. A second call does nothing. */
  abort(reason: unknown): void {
    if (this.isAborted) return;
    this.isAborted = true;
    this.reason = reason;
    this.#controller?.abort(reason);
    this.#listener?.();
  }

  /** Sets the one listener; null removes it. */
  onAbort(listener: (() => void) | null): void {
    this.#listener = listener;
  }
}

/** Settles like the promise. If the signal is aborted first, rejects with the signal's reason. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stopListening = onSignalAbort(signal, () => reject(signal.reason));
    promise.then(
      (value) => {
        stopListening();
        resolve(value);
      },
      (error: unknown) => {
        stopListening();
        reject(error);
      },
    );
  });
}

/** For each signal: our listeners, and `callAll`, which listens to the signal and calls them. */
const listenersOf = new WeakMap<AbortSignal, ReturnType<typeof listen>>();

/**
 * Calls the listener when the signal is aborted, or at once if it is already aborted. Returns a function that removes the
 * listener. All listeners share one listener of the signal: a signal with a thousand listeners would be slow.
 */
export function onSignalAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return () => {};
  }
  const listeners = listenersOf.get(signal) ?? listen(signal);
  listeners.all.add(listener);
  return () => {
    const isLast = listeners.all.delete(listener) && listeners.all.size === 0;
    if (!isLast) return;
    listenersOf.delete(signal);
    signal.removeEventListener('abort', listeners.callAll);
  };
}

function listen(signal: AbortSignal) {
  const all = new Set<() => void>();
  const callAll = (): void => {
    for (const listener of all) listener();
  };
  const listeners = { all, callAll };
  listenersOf.set(signal, listeners);
  signal.addEventListener('abort', callAll, { once: true });
  return listeners;
}
