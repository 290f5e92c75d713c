// Aborts that are cheap enough for thousands of look-ups.

/** An AbortController that makes its signal at first use: of thousands of look-ups, few need one. */
export interface LazyAbort {
  readonly signal: AbortSignal;
  readonly isAborted: boolean;
  /** undefined until it is aborted */
  readonly reason: unknown;
  /** The first reason counts. */
  abort(reason: unknown): void;
}

export function createLazyAbort(): LazyAbort {
  return new LightAbort();
}

/** Like an AbortSignal with one listener, and much cheaper. */
export interface AbortState {
  readonly isAborted: boolean;
  /** undefined until it is aborted */
  readonly reason: unknown;
  /** Sets the one listener; null removes it. */
  onAbort(listener: (() => void) | null): void;
}

/** A class, because an object literal with getters is slow to make. */
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

/** The promise, or a rejection with the signal's reason when that is aborted. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const forget = onAbort(signal, () => reject(signal.reason));
    promise.then(
      (value) => {
        forget();
        resolve(value);
      },
      (error: unknown) => {
        forget();
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
 * Calls the listener when the signal is aborted, or at once if it is. Returns a function that removes the listener. A
 * signal searches all its listeners whenever one is added or removed, and one caller may look up a thousand names. So
 * the signal gets a single listener for all. A function can be added only once.
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
