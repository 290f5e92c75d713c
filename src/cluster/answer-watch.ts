// Finds workers that do not answer. The primary sends a ping to each worker regularly.

/**
 * The time between two pings. The primary kills a worker after MAX_UNANSWERED pings without an answer: 10 seconds. It
 * counts pings and not time. So a paused primary kills no worker whose answers it has not yet read.
 */
export const PING_EVERY_MS = 2_000;
const MAX_UNANSWERED = 5;
export const SILENT_SECONDS = (MAX_UNANSWERED * PING_EVERY_MS) / 1_000;

export function createAnswerWatch<Worker extends object>() {
  const unanswered = new WeakMap<Worker, number>();
  return {
    answered: (worker: Worker): void => void unanswered.set(worker, 0),
    /** What to do now. `nothing`: the worker has been killed and has not yet ended. */
    next(worker: Worker): 'ping' | 'kill' | 'nothing' {
      const count = unanswered.get(worker) ?? 0;
      unanswered.set(worker, count + 1);
      if (count < MAX_UNANSWERED) return 'ping';
      return count === MAX_UNANSWERED ? 'kill' : 'nothing';
    },
  };
}
