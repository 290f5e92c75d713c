// What one execution goes by, and what it leaves.

import type { Slices } from '../time.ts';
import type { ArgumentsRead } from './arguments.ts';
import type { ErrorTeller } from './mask-error.ts';
import type { WrittenErrors } from './pieces.ts';
import type { ItemSources, RememberedItems } from './remembered-items.ts';
import type { Allowance } from './write.ts';

// Holds back what is asked of the directory until all of it is known: work that is cut into slices asks in one batch.

export interface BatchGate {
  /** There is more to come. To be ended by `release`, as often as it was called. */
  hold(): void;
  release(): void;
  /** When DataLoader sends a batch: at the end of the tick, and not while anybody holds it. */
  schedule(send: () => void): void;
}

export function createBatchGate(): BatchGate {
  return new Gate();
}

class Gate implements BatchGate {
  #holders = 0;
  #waiting: (() => void)[] = [];

  hold(): void {
    this.#holders += 1;
  }

  release(): void {
    this.#holders -= 1;
    if (this.#holders > 0) return;
    for (const send of this.#waiting) this.schedule(send);
    this.#waiting = [];
  }

  schedule(send: () => void): void {
    // As DataLoader does by itself: after all promise jobs that are there.
    void Promise.resolve().then(() =>
      process.nextTick(() => (this.#holders > 0 ? this.#waiting.push(send) : send())),
    );
  }
}

export interface Execution extends ArgumentsRead {
  /** what each resolver gets */
  readonly context: unknown;
  readonly sources: ItemSources;
  readonly allowance: Allowance;
  readonly slices: Pick<Slices, keyof Slices>;
  /** what is asked of the directory goes there when all of an object, or of a list, is begun */
  readonly gate: BatchGate;
  readonly tell: ErrorTeller;
  /** null: nothing is remembered */
  readonly items: RememberedItems | null;
  readonly errors: WrittenErrors;
  readonly time: {
    /** Throws when the execution is to go no further: its time is over, or its client is gone. */
    throwIfEnded(): void;
  };
}
