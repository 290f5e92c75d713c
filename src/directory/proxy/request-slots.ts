// How many requests to the directory run at a time, and how many may wait for their turn.

import { BulkheadRejectedError, bulkhead } from 'cockatiel';
import { abortable } from './question-deadline.ts';
import { heldBack } from './upstream-failure.ts';

export interface RequestSlots {
  /**
   * Does the work when it is its turn. Rejects at once with UPSTREAM_UNAVAILABLE when too many are waiting,
   * and with the signal's reason as soon as that is aborted.
   */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export function createRequestSlots(maxRunning: number, maxWaiting: number): RequestSlots {
  const slots = bulkhead(maxRunning, maxWaiting);
  return {
    async run(signal, work) {
      signal.throwIfAborted();
      // The bulkhead must not see the signal: it drops a waiting call that was aborted without waking the
      // next one, which then waits for ever.
      const done = slots.execute(() => {
        signal.throwIfAborted();
        return work();
      });
      try {
        return await abortable(done, signal);
      } catch (error) {
        throw error instanceof BulkheadRejectedError ? heldBack(error) : error;
      }
    },
  };
}
