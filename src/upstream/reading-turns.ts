// When answers are read: after those that came with them have been taken in, so that their connections are at work
// again by then, and few at a time, so that what comes meanwhile does not wait.

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

/** Calls a function in a later turn of the event loop, in the order of asking. */
export type ReadSoon = (read: () => void) => void;

/** To read a record, and to go on with it, takes about 0.1 ms. */
const MOST_IN_A_TURN = 8;
/** Answers that were read stay in the list up to this number: to take each out alone would move all others. */
const MOST_READ = 100;

export function createReadingTurns(): ReadSoon {
  let waiting: (() => void)[] = [];
  let next = 0;
  let isReading = false;

  /** Each by itself: what it sets off comes before the one after it. */
  function readOne(): void {
    const read = waiting[next];
    next += 1;
    // Under load it is never empty: those that were read must not stay in memory until it is.
    if (next > MOST_READ) {
      waiting = waiting.slice(next);
      next = 0;
    }
    read?.();
  }

  function turn(): void {
    if (next === waiting.length) {
      waiting = [];
      next = 0;
      isReading = false;
      return;
    }
    const count = Math.min(MOST_IN_A_TURN, waiting.length - next);
    for (let i = 0; i < count; i += 1) setImmediate(readOne);
    setImmediate(turn);
  }

  return (read) => {
    waiting.push(read);
    if (isReading) return;
    isReading = true;
    setImmediate(turn);
  };
}
