// How many requests to the directory run at a time, and how many may wait for their turn.

import { BulkheadRejectedError, bulkhead } from 'cockatiel';
import { abortable } from './question-deadline.ts';
import { endOfWaiting, gatewayBusy } from './upstream-failure.ts';

export interface RequestSlots {
  /**
   * Does the work when it is its turn. Rejects with GATEWAY_BUSY at once when too many are waiting, or when the
   * deadline comes before the turn does; else with the signal's reason as soon as that is aborted.
   */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** As long as requests that hang are waited for there is no room: a guess. */
const RETRY_AFTER_SECONDS = 2;

export function createRequestSlots(maxRunning: number, maxWaiting: number): RequestSlots {
  const slots = bulkhead(maxRunning, maxWaiting);
  return {
    async run(signal, work) {
      signal.throwIfAborted();
      let hasBegun = false;
      // The bulkhead must not see the signal: it drops a waiting call that was aborted without waking the
      // next one, which then waits for ever.
      const done = slots.execute(() => {
        signal.throwIfAborted();
        hasBegun = true;
        return work();
      });
      try {
        return await abortable(done, signal);
      } catch (error) {
        if (error instanceof BulkheadRejectedError) throw gatewayBusy(RETRY_AFTER_SECONDS, error);
        throw hasBegun ? error : endOfWaiting(error, RETRY_AFTER_SECONDS);
      }
    },
  };
}
