// Shares the one thread of the process: whoever works for long goes on in another turn of the event loop.

/** How long work may go on in one turn of the event loop, in milliseconds. */
const SLICE_MS = 15;

/** Fields, items or errors between two looks at the clock, and the bytes: a step may be a text of megabytes. */
const STEPS_A_LOOK = 32;
const BYTES_A_LOOK = 64_000;

export interface Turns {
  /** Resolves in a later turn of the event loop, one caller a turn, in the order in which they asked. */
  next(): Promise<void>;
  /** When work that begins now is to let others go on. What begins in one turn of the event loop shares one slice. */
  endOfFirstSlice(nowMs: number): number;
}

export function createTurns(): Turns {
  const waiting: (() => void)[] = [];

  // What came over the network meanwhile is looked at between two turns.
  function giveTurn(): void {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(giveTurn);
  }

  let endMs: number | null = null;
  function endTurn(): void {
    endMs = null;
  }

  return {
    endOfFirstSlice(nowMs) {
      if (endMs === null) setImmediate(endTurn);
      endMs ??= nowMs + SLICE_MS;
      return endMs;
    },
    next: () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 1) setImmediate(giveTurn);
      }),
  };
}

/** One piece of work, cut into slices. */
export class Slices {
  readonly #turns: Turns;
  #steps = 0;
  #bytes = 0;
  #end = 0;
  // Whoever comes after the one who saw the end of the slice sees it, too: nobody overtakes.
  #isSeen = false;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /**
   * Counts a step; true when the slice is over: `await next()`, then go on. Looks at the clock now and then.
   * @param writtenBytes by all steps so far
   */
  isOver(writtenBytes: number): boolean {
    this.#steps += 1;
    if (this.#steps % STEPS_A_LOOK !== 0 && writtenBytes - this.#bytes < BYTES_A_LOOK) return this.#isSeen;
    this.#bytes = writtenBytes;
    return this.isOverNow();
  }

  /** The same, and looks at the clock each time. */
  isOverNow(): boolean {
    const now = performance.now();
    // Most work is done before anybody looks: the first slice begins with the first look.
    if (this.#end === 0) this.#end = this.#turns.endOfFirstSlice(now);
    this.#isSeen ||= now > this.#end;
    return this.#isSeen;
  }

  async next(): Promise<void> {
    await this.#turns.next();
    this.#isSeen = false;
    this.#end = performance.now() + SLICE_MS;
  }
}
