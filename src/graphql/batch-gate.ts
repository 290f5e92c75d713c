// Holds back what is asked of the directory until all of it is known: work that is cut into slices asks in one batch.

export interface BatchGate {
  /** There is more to come. To be ended by `release`, as often as it was called. */
  hold(): void;
  release(): void;
  /** When DataLoader sends a batch: at the end of the tick, and not while anybody holds it. */
  readonly schedule: (send: () => void) => void;
}

export function createBatchGate(): BatchGate {
  let holders = 0;
  let waiting: (() => void)[] = [];
  const atEndOfTick = (send: () => void): void => {
    // As DataLoader does by itself: after all promise jobs that are there.
    void Promise.resolve().then(() => process.nextTick(() => (holders > 0 ? waiting.push(send) : send())));
  };
  return {
    hold() {
      holders += 1;
    },
    release() {
      holders -= 1;
      if (holders > 0) return;
      for (const send of waiting) atEndOfTick(send);
      waiting = [];
    },
    schedule: atEndOfTick,
  };
}
