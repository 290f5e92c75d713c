// Divides a long task into slices, so that it takes turns of the event loop with other tasks.

import type { TurnsOfLongTasks } from './turns.ts';

/** A generator of list items yields this after a search that found no item. A slice can end there. */
export const NO_ITEM_YET = undefined as never;

/** A slice reads the clock after this many short steps. It also reads the clock after this many written bytes. */
const STEPS_BETWEEN_CLOCKS = 32;
const BYTES_BETWEEN_CLOCKS = 64_000;
/** From this size of the input on, one step can take as long as a turn: the slice reads the clock after each step. */
const LONG_INPUT_BYTES = 16_000;

/** The client of a task. The first read of `client` can identify the client, which takes time. */
export interface Requesting {
  readonly client: { readonly key: string };
}

/** Divides one task into slices. A slice ends with its turn of the event loop. */
export class Slices {
  readonly #turns: TurnsOfLongTasks;
  readonly #requester: Requesting | null;
  readonly #stepsBetweenClocks: number;
  #steps = 0;
  #bytes = 0;
  /** Whether a caller has seen the end of the slice. Then all callers see it until `next`, so no caller overtakes another. */
  #isEndSeen = false;

  constructor(turns: TurnsOfLongTasks, requester: Requesting | null = null, inputBytes = 0) {
    this.#turns = turns;
    this.#requester = requester;
    this.#stepsBetweenClocks = inputBytes < LONG_INPUT_BYTES ? STEPS_BETWEEN_CLOCKS : 1;
  }

  /**
   * Call it after each step of the task. If it returns true, the slice has ended: call `await next()` before the next step.
   * @param writtenBytes the bytes that all steps together have written
   */
  isOver(writtenBytes: number): boolean {
    this.#steps += 1;
    const skipsClock =
      this.#steps % this.#stepsBetweenClocks !== 0 && writtenBytes - this.#bytes < BYTES_BETWEEN_CLOCKS;
    if (skipsClock) return this.#isEndSeen;
    this.#bytes = writtenBytes;
    return this.isOverNow();
  }

  /** Like `isOver`, but reads the clock each time. */
  isOverNow(): boolean {
    this.#isEndSeen ||= !this.#turns.hasTime();
    return this.#isEndSeen;
  }

  async next(): Promise<void> {
    await this.#turns.next(this.#requester?.client.key ?? null);
    this.#isEndSeen = false;
  }
}
