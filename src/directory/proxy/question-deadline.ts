// How long one question to the directory lives: until its deadline, or until its caller goes.

import { deadlineExceeded } from './upstream-failure.ts';

/** Time as the upstream policy sees it; tests bring their own. */
export interface Time {
  /** milliseconds since any fixed moment; never goes back */
  now(): number;
  /** Rejects with the signal's reason once that is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `ring` after a while, unless the function that it returns is called before. */
  alarm(ms: number, ring: () => void): () => void;
}

export const REAL_TIME: Time = {
  now: () => performance.now(),
  sleep(ms, signal) {
    let timer: NodeJS.Timeout | undefined;
    const slept = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    return (signal ? abortable(slept, signal) : slept).finally(() => clearTimeout(timer));
  },
  alarm(ms, ring) {
    // It does not keep the process alive: a request that waits does.
    const timer = setTimeout(ring, ms).unref();
    return () => clearTimeout(timer);
  },
};

export interface Lifetime {
  /** aborted with an UpstreamFailure at the deadline, with the caller's reason when the caller goes */
  readonly signal: AbortSignal;
  leftMs(): number;
  /** Aborts the signal, for another reason than the two. */
  abort(reason: unknown): void;
  /** Must be called when the question is answered, however it is. */
  end(): void;
}

export function startLifetime(caller: AbortSignal | undefined, deadlineMs: number, time: Time): Lifetime {
  const controller = new AbortController();
  const deadline = time.now() + deadlineMs;
  const timer = setTimeout(() => controller.abort(deadlineExceeded(deadlineMs)), deadlineMs);
  const leave = () => controller.abort(caller?.reason);
  const stay = caller ? onAbort(caller, leave) : () => {};
  return {
    signal: controller.signal,
    leftMs: () => deadline - time.now(),
    abort: (reason) => controller.abort(reason),
    end() {
      clearTimeout(timer);
      stay();
    },
  };
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
 * signal all of these are one.
 */
function onAbort(signal: AbortSignal, listener: () => void): () => void {
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
