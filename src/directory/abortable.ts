// What ends with an AbortSignal, by the thousand.

/** An AbortController whose signal is made when it is first asked for: of thousands that wait, few need one. */
export interface LazyAbort {
  readonly signal: AbortSignal;
  readonly isAborted: boolean;
  /** undefined until it is aborted */
  readonly reason: unknown;
  /** The first reason counts. */
  abort(reason: unknown): void;
}

export function createLazyAbort(): LazyAbort {
  return new OwnAbort();
}

/** What whoever is to be ended early sees of it: an AbortSignal with one listener, which costs next to nothing. */
export interface EarlyEnd {
  readonly isAborted: boolean;
  /** undefined until it is aborted */
  readonly reason: unknown;
  /** Calls the listener after it is aborted. One at a time; null: none any more. */
  onAbort(listener: (() => void) | null): void;
}

/** A class, since an object literal with getters takes a microsecond to make. */
export class OwnAbort implements LazyAbort, EarlyEnd {
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

/** The promise, or a rejection with the signal's reason as soon as that is aborted. */
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
  /** the one listener that the signal itself has */
  readonly tell: () => void;
}

const listenersOf = new WeakMap<AbortSignal, Listeners>();

/**
 * Calls the listener when the signal is aborted, at once if it is, until what is returned is called. A signal goes
 * through all its listeners for each that comes or goes, and one caller may ask for a thousand names: to the
 * signal all of these are one. A function can listen once at a time.
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
    signal.removeEventListener('abort', listeners.tell);
  };
}

function listen(signal: AbortSignal): Listeners {
  const all = new Set<() => void>();
  const tell = (): void => {
    for (const listener of all) listener();
  };
  const listeners = { all, tell };
  listenersOf.set(signal, listeners);
  signal.addEventListener('abort', tell, { once: true });
  return listeners;
}
