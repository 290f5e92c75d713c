// Reads responses in slices. Responses that arrived together first free their connections, and are read later.

/** A body above this size is large. Most handle records have a few kilobytes. */
export const LARGE_BYTES = 200_000;

export interface LargeBodyLock {
  /** Resolves when no other large body has the lock. Call `release` afterwards. */
  acquire(): Promise<void>;
  /** Gives the lock to the next body, in a later slice. */
  release(): void;
}

/** The gateway receives large responses one at a time, because each response takes many times its size in memory. */
export function createLargeBodyLock(): LargeBodyLock {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  return {
    async acquire() {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
      isTaken = true;
    },
    release() {
      const next = waiting.shift();
      if (next) setImmediate(next);
      else isTaken = false;
    },
  };
}

/** Calls a function in a later slice, in the order of the calls. */
export type ReadSoon = (read: () => void) => void;

const MAX_IN_A_SLICE = 8;
/**
 * The list is cut after this many read responses, not after each response, because a cut copies the rest of the list.
 */
const MAX_READ = 100;

export function createReadingSlices(): ReadSoon {
  let waiting: (() => void)[] = [];
  let next = 0;
  let isReading = false;

  /** Reads one response, so that the work that it causes runs before the next response is read. */
  function readOne(): void {
    const read = waiting[next];
    next += 1;
    // Under load the list is never empty, so read responses must be removed here.
    if (next > MAX_READ) {
      waiting = waiting.slice(next);
      next = 0;
    }
    read?.();
  }

  function startSlice(): void {
    if (next === waiting.length) {
      waiting = [];
      next = 0;
      isReading = false;
      return;
    }
    const count = Math.min(MAX_IN_A_SLICE, waiting.length - next);
    for (let i = 0; i < count; i += 1) setImmediate(readOne);
    setImmediate(startSlice);
  }

  return (read) => {
    waiting.push(read);
    if (isReading) return;
    isReading = true;
    setImmediate(startSlice);
  };
}
