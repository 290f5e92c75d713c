// Aborts that cost little, because an operation may have thousands of look-ups.

/** An AbortController that makes its signal at first use, because few look-ups need a signal. */
export interface LazyAbort {
  readonly signal: AbortSignal;
  readonly isAborted: boolean;
  /** Undefined before the abort. */
  readonly reason: unknown;
  /** The first reason counts. */
  abort(reason: unknown): void;
}

export function createLazyAbort(): LazyAbort {
  return new LightAbort();
}

/** Like an AbortSignal with only one listener, but much cheaper. */
export interface AbortState {
  readonly isAborted: boolean;
  /** Undefined before the abort. */
  readonly reason: unknown;
  /** Sets the one listener; null removes it. */
  onAbort(listener: (() => void) | null): void;
}

/** A class, because an object literal with getters is slower to make. */
export class LightAbort implements LazyAbort, AbortState {
  isAborted = false;
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

  abort(why: unknown): void {
    if (this.isAborted) return;
    this.isAborted = true;
    this.reason = why;
    this.#controller?.abort(why);
    this.#listener?.();
  }

  onAbort(next: (() => void) | null): void {
    this.#listener = next;
  }
}

/** Settles as the promise does. If the signal is aborted first, rejects with its reason. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stopListening = onAbort(signal, () => reject(signal.reason));
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

interface Listeners {
  readonly all: Set<() => void>;
  /** the only listener of the signal itself */
  readonly callAll: () => void;
}

const listenersOf = new WeakMap<AbortSignal, Listeners>();

/**
 * Calls the listener when the signal is aborted. If the signal is already aborted, calls the listener at once. Returns a
 * function that removes the listener. A signal searches all its listeners whenever one is added or removed, and one
 * caller may look up a thousand names. So all listeners share a single listener of the signal. Adding the same function
 * twice has no effect.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
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

function listen(signal: AbortSignal): Listeners {
  const all = new Set<() => void>();
  const callAll = (): void => {
    for (const listener of all) listener();
  };
  const listeners = { all, callAll };
  listenersOf.set(signal, listeners);
  signal.addEventListener('abort', callAll, { once: true });
  return listeners;
}
