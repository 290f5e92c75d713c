// Work that several wait for, and that is given up when the last of them has gone.

import { abortable } from '../directory/abortable.ts';
import { type Asker, OWN_WORK } from '../directory/asker.ts';
import type { AskOptions } from '../directory/directory.ts';
import { createWaiters, type Waiters, type WaitersList } from '../directory/waiters.ts';

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
  return new Flight(firstAsker, work, onGiveUp);
}

/** A class, since each look-up makes one. */
class Flight<T> implements SharedFlight<T> {
  readonly landed: Promise<T>;
  readonly #waiters: WaitersList;
  #begin: (() => void) | undefined;
  #isOver = false;

  constructor(firstAsker: Asker, work: (waiters: Waiters) => Promise<T>, onGiveUp: () => void) {
    const waiters = createWaiters(firstAsker, () => {
      if (!this.#isOver) onGiveUp();
      return !this.#isOver;
    });
    this.#waiters = waiters;
    const ended = (): void => {
      this.#isOver = true;
    };
    this.landed = new Promise<T>((resolve) => {
      this.#begin = () => {
        const answer = work(waiters);
        answer.then(ended, ended);
        resolve(answer);
      };
    });
  }

  get isGivenUp(): boolean {
    return this.#waiters.isGivenUp;
  }

  async join({ signal, asker = OWN_WORK }: Caller = {}): Promise<T> {
    const { key } = asker.client;
    const begin = this.#begin;
    this.#begin = undefined;
    this.#waiters.enter(key);
    begin?.();
    try {
      return await (signal ? abortable(this.landed, signal) : this.landed);
    } finally {
      this.#waiters.leave(key);
    }
  }
}
