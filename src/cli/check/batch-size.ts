// How many names are looked up together: few at first, so that lines come soon, then as many as take about a second.

const FIRST = 10;
const FEWEST = 5;
const MOST = 100;
const QUICK_MS = 500;
const SLOW_MS = 1_500;

export class BatchSize {
  #size = FIRST;

  get size(): number {
    return this.#size;
  }

  /** @param ms what the last batch took */
  learn(ms: number): void {
    if (ms < QUICK_MS) this.#size = Math.min(MOST, 2 * this.#size);
    else if (ms > SLOW_MS) this.#size = Math.max(FEWEST, Math.floor(this.#size / 2));
  }
}
