// Large answers of the directory, one at a time: each takes memory many times its size, and a tenth of a second.

/** Hardly any handle record has more than a few kilobytes. */
export const LARGE_BYTES = 200_000;

export interface LargeBodies {
  /** Resolves when nobody else is inside. To be ended by `leave`. */
  enter(): Promise<void>;
  /** Lets the next one in, in another turn of the event loop. */
  leave(): void;
}

export function createLargeBodies(): LargeBodies {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  return {
    async enter() {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
      isTaken = true;
    },
    leave() {
      const next = waiting.shift();
      if (next) setImmediate(next);
      else isTaken = false;
    },
  };
}
