// The clock and its timers, and values that are there now or soon.

import { abortable } from './abortable.ts';

/** The time and its timers. A part takes the members that it needs. Tests pass a clock that they move. */
export interface Clock {
  /** Milliseconds: since 1970 (`wallClock`), or since the start of the process (`steadyClock`, which never goes back). */
  now(): number;
  /** Rejects with the signal's reason if the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `run` once, unless the returned function is called first. Does not keep the process alive. */
  after(ms: number, run: () => void): () => void;
  /** Calls `run` repeatedly, until the returned function is called. Does not keep the process alive. */
  every(ms: number, run: () => void): () => void;
}

const TIMERS: Omit<Clock, 'now'> = {
  sleep(ms, signal) {
    let timer: NodeJS.Timeout | undefined;
    const slept = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    return (signal ? abortable(slept, signal) : slept).finally(() => clearTimeout(timer));
  },
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
  every(ms, run) {
    // Not `setInterval`: each wait begins at the end of a run, so that slow runs leave time for other tasks.
    const timer = setTimeout(() => {
      run();
      if (!stopped) timer.refresh();
    }, ms).unref();
    let stopped = false;
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  },
};

let nowMs: number | undefined;
const resolvedPromise = Promise.resolve();

/**
 * Milliseconds since the epoch. Returns the same time until the running code waits, because a read of the system clock
 * takes as long as one look-up in memory. An operation can make a thousand look-ups.
 */
export function turnClock(): number {
  if (nowMs === undefined) {
    nowMs = Date.now();
    // Not `queueMicrotask`, which makes an AsyncResource for each call.
    void resolvedPromise.then(clearNow);
  }
  return nowMs;
}

function clearNow(): void {
  nowMs = undefined;
}

/** Also true for promises of other libraries. */
export function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value;
}

/** Resolves to `otherwise` if the promise takes longer than `ms`. Does not stop what the promise stands for. */
export function withinMs<T>(ms: number, promise: Promise<T>, otherwise: T): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(otherwise), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The time of day, for the age of stored answers. */
export const wallClock: Clock = { now: turnClock, ...TIMERS };

/** For durations: it never goes back. */
export const steadyClock: Clock = { now: () => performance.now(), ...TIMERS };

/** The value itself if memory has it, else a promise. */
export type Soon<Value> = Value | Promise<Value>;

/** Applies `next` at once, or when the promise resolves. */
export function mapSoon<Value, Result>(
  value: Soon<Value>,
  next: (value: Value) => Soon<Result>,
): Soon<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
