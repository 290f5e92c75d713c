// JSON of which something is still waited for. Thousands may wait at once: each takes one promise and two functions.

import { appended, isWritten, type Written } from './pieces.ts';
import type { Allowance } from './write.ts';

export type Writing = Written | Promise<Written>;

/** What a part that is waited for takes: its promise, what waits for it, and its half of a look-up. */
const AWAITED_BYTES = 2_500;

/** What has been written goes on in one piece; only what is waited for stands apart. */
export class WrittenParts {
  /** undefined: still to come */
  readonly #parts: (Written | undefined)[];
  readonly #allowance: Pick<Allowance, 'keep'>;
  #awaited = 0;
  #failure: { readonly reason: unknown } | null = null;
  #resolve: ((written: Written) => void) | null = null;
  #reject: ((reason: unknown) => void) | null = null;
  readonly #fail = (reason: unknown): void => {
    // It may fail before anybody waits for it.
    this.#failure ??= { reason };
    this.#reject?.(reason);
  };

  constructor(before: Written, allowance: Pick<Allowance, 'keep'>) {
    this.#parts = [before];
    this.#allowance = allowance;
  }

  /** Throws a WorkRefused where too much is waited for. */
  add(part: Writing): void {
    const parts = this.#parts;
    if (!isWritten(part)) {
      const at = parts.push(undefined) - 1;
      this.#awaited += 1;
      part.then((written) => {
        parts[at] = written;
        this.#awaited -= 1;
        if (this.#awaited === 0) this.#resolve?.(this.#whole());
      }, this.#fail);
      this.#allowance.keep(AWAITED_BYTES);
      return;
    }
    const last = parts.length - 1;
    const before = parts[last];
    if (before === undefined) parts.push(part);
    else parts[last] = appended(before, part);
  }

  /** Rejects with the first that fails. Nothing may be added any more. */
  together(): Promise<Written> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) reject(this.#failure.reason);
      else if (this.#awaited === 0) resolve(this.#whole());
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  #whole(): Written {
    return (this.#parts as Written[]).reduce(appended);
  }
}
