// Large answers of the directory, a few at a time: each takes memory many times its size, and a tenth of a second.

/** Hardly any handle record has more than a few kilobytes. */
export const LARGE_BYTES = 200_000;

const AT_A_TIME = 2;

export interface LargeBodies {
  /** Resolves when there is room for one more. To be ended by `leave`. */
  enter(): Promise<void>;
  /** Lets the next one in, in another turn of the event loop. */
  leave(): void;
}

export function createLargeBodies(): LargeBodies {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return {
    async enter() {
      if (inside >= AT_A_TIME) await new Promise<void>((resolve) => waiting.push(resolve));
      else inside += 1;
    },
    leave() {
      const next = waiting.shift();
      if (next) setImmediate(next);
      else inside -= 1;
    },
  };
}
