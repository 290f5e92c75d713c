// How far a command is: one line on a terminal, written over again and again.

import type { Output } from './output.ts';

const EVERY_MS = 250;
const CLEAR = '\r\u001B[K';

export class StatusLine {
  readonly #stderr: Output;
  readonly #now: () => number;
  #shownAt = Number.NEGATIVE_INFINITY;
  #isShown = false;

  constructor(stderr: Output, now: () => number) {
    this.#stderr = stderr;
    this.#now = now;
  }

  /** Words of our own alone. Shown four times a second at most, and on a terminal alone. */
  async show(text: string): Promise<void> {
    const time = this.#now();
    if (!this.#stderr.isTerminal || time - this.#shownAt < EVERY_MS) return;
    this.#shownAt = time;
    this.#isShown = true;
    await this.#stderr.writeStyled(`${CLEAR}${text.slice(0, this.#stderr.columns - 1)}`);
  }

  /** Before anything else is written to the terminal. */
  async clear(): Promise<void> {
    if (!this.#isShown) return;
    this.#isShown = false;
    this.#shownAt = Number.NEGATIVE_INFINITY;
    await this.#stderr.writeStyled(CLEAR);
  }
}
