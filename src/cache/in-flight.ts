// Work that several wait for, and that is given up when the last of them has gone.

import { abortable } from '../directory/abortable.ts';
import { type Asker, OWN_WORK } from '../directory/asker.ts';
import type { AskOptions } from '../directory/directory.ts';
import { createWaiters, type Waiters } from '../directory/waiters.ts';

export type Caller = Pick<AskOptions, 'signal' | 'asker'>;

export interface SharedFlight<T> {
  /** how the work ends, whoever waits for it */
  readonly landed: Promise<T>;
  readonly isGivenUp: boolean;
  /**
   * Waits for the work, which the first to join begins; until the signal is aborted, then rejects with its reason.
   * Without a signal it waits until the work has ended. A flight that was given up must not be joined.
   */
  join(caller?: Caller): Promise<T>;
}

/**
 * @param firstAsker who is to join first
 * @param work is given up when nobody waits, unless a watcher says that it goes on
 * @param onGiveUp is called before the work hears of it: from now on nobody may find the flight
 */
export function startFlight<T>(
  firstAsker: Asker,
  work: (waiters: Waiters) => Promise<T>,
  onGiveUp: () => void,
): SharedFlight<T> {
  const waiters = createWaiters(firstAsker, () => {
    if (!isOver) onGiveUp();
    return !isOver;
  });
  let isOver = false;
  let begin: (() => void) | undefined;
  const landed = new Promise<T>((resolve) => {
    begin = () => resolve(work(waiters));
  }).finally(() => {
    isOver = true;
  });
  return {
    landed,
    get isGivenUp() {
      return waiters.isGivenUp;
    },
    async join({ signal, asker = OWN_WORK } = {}) {
      const { key } = asker.client;
      waiters.enter(key);
      begin?.();
      begin = undefined;
      try {
        return await (signal ? abortable(landed, signal) : landed);
      } finally {
        waiters.leave(key);
      }
    },
  };
}
