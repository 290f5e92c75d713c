// Work that several wait for, and that is given up when the last of them has gone.

import type { AskOptions } from '../directory/directory.ts';
import { abortable } from '../directory/proxy/question-deadline.ts';

export type Caller = Pick<AskOptions, 'signal' | 'asker'>;

export interface SharedFlight<T> {
  /** how the work ends, whoever waits for it */
  readonly landed: Promise<T>;
  /** aborted when nobody waits any more */
  readonly givenUp: AbortSignal;
  /**
   * Waits for the work; until the signal is aborted, then rejects with its reason. Who has no signal waits to
   * the end. A flight that was given up must not be joined.
   */
  join(signal?: AbortSignal): Promise<T>;
}

/** @param onGiveUp is called before the work hears of it: from now on nobody may find the flight */
export function startFlight<T>(
  work: (givenUp: AbortSignal) => Promise<T>,
  onGiveUp: () => void,
): SharedFlight<T> {
  const controller = new AbortController();
  let waiting = 0;
  let isOver = false;
  const landed = work(controller.signal).finally(() => {
    isOver = true;
  });
  return {
    landed,
    givenUp: controller.signal,
    async join(signal) {
      waiting += 1;
      try {
        return await (signal ? abortable(landed, signal) : landed);
      } finally {
        waiting -= 1;
        if (waiting === 0 && !isOver) {
          onGiveUp();
          controller.abort();
        }
      }
    },
  };
}
