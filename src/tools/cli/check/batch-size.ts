// The number of names that `doi check` looks up together.

const FIRST_SIZE = 10;
const MIN_SIZE = 5;
const MAX_SIZE = 100;
const QUICK_MS = 500;
const SLOW_MS = 1_500;

/** The number of names to look up together. It begins small, and changes until a batch takes about a second. */
export class BatchSize {
  #size = FIRST_SIZE;

  get size(): number {
    return this.#size;
  }

  /** @param ms the duration of the last batch */
  learn(ms: number): void {
    if (ms < QUICK_MS) this.#size = Math.min(MAX_SIZE, 2 * this.#size);
    else if (ms > SLOW_MS) this.#size = Math.max(MIN_SIZE, Math.floor(this.#size / 2));
  }
}
