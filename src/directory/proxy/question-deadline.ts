// How long one question to the directory lives: until its deadline, or until its caller goes.

import { abortable, createLazyAbort, type LazyAbort, onAbort } from '../abortable.ts';
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

/** Aborted with an UpstreamFailure at the deadline, with the caller's reason when the caller goes, or by others. */
export interface Lifetime extends LazyAbort {
  leftMs(): number;
  /** Calls the listener after it is aborted. One at a time; null: none any more. */
  onAbort(listener: (() => void) | null): void;
  /** Must be called when the question is answered, however it is. */
  end(): void;
}

export interface Lifetimes {
  start(caller: AbortSignal | undefined): Lifetime;
  /** Aborts all that have not ended. */
  abortAll(reason: unknown): void;
}

/** Ends of questions in one turn of the event loop: what they set off takes long. */
const MOST_IN_A_TURN = 250;

/** All questions have the same time, so that one alarm will do: the first to begin is the first to end. */
export function createLifetimes(deadlineMs: number, time: Time): Lifetimes {
  interface Running {
    readonly deadline: number;
    abort(reason: unknown): void;
  }
  const running = new Set<Running>();
  let cancelAlarm: (() => void) | undefined;

  function setAlarm(): void {
    const [first] = running;
    if (first && !cancelAlarm) cancelAlarm = time.alarm(Math.max(1, first.deadline - time.now()), ring);
    if (first) return;
    cancelAlarm?.();
    cancelAlarm = undefined;
  }

  function ring(): void {
    cancelAlarm = undefined;
    const reason = deadlineExceeded(deadlineMs);
    let ended = 0;
    for (const life of running) {
      // A timer may be a part of a millisecond early.
      if (life.deadline - time.now() >= 1) break;
      if (ended === MOST_IN_A_TURN) {
        const next = setImmediate(ring);
        cancelAlarm = () => clearImmediate(next);
        return;
      }
      running.delete(life);
      life.abort(reason);
      ended += 1;
    }
    setAlarm();
  }

  return {
    start(caller) {
      const aborted = createLazyAbort();
      let listener: (() => void) | null = null;
      const life: Running = {
        deadline: time.now() + deadlineMs,
        abort(reason) {
          if (aborted.isAborted) return;
          aborted.abort(reason);
          listener?.();
        },
      };
      const stop = caller && onAbort(caller, () => life.abort(caller.reason));
      running.add(life);
      setAlarm();
      return {
        get signal() {
          return aborted.signal;
        },
        get isAborted() {
          return aborted.isAborted;
        },
        get reason() {
          return aborted.reason;
        },
        leftMs: () => life.deadline - time.now(),
        onAbort(next) {
          listener = next;
        },
        abort: life.abort,
        end() {
          stop?.();
          running.delete(life);
          if (running.size === 0) setAlarm();
        },
      };
    },

    abortAll(reason) {
      for (const life of running) life.abort(reason);
    },
  };
}
