// Finds workers that do not answer. The primary pings each worker regularly.

/**
 * The primary pings each worker this often, and kills a worker that leaves MAX_UNANSWERED pings unanswered: 10 seconds.
 * It counts pings and not time, because after a pause of the primary the answers are still unread.
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
