// Reads responses in slices. Before a slice, all responses that arrived together free their connections.

/** Few handle records have more than some kilobytes. */
export const LARGE_BYTES = 200_000;

export interface LargeBodyLock {
  /** Resolves when no other large body is inside. Call `leave` afterwards. */
  acquire(): Promise<void>;
  /** Lets the next body in, in a later slice. */
  release(): void;
}

/** Large responses are received one at a time: each takes memory many times its size. */
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
/** So many read responses stay in the list and are removed together: each removal moves all others. */
const MAX_READ = 100;

export function createReadingSlices(): ReadSoon {
  let waiting: (() => void)[] = [];
  let next = 0;
  let isReading = false;

  /** One response in each call, so that the work it causes runs before the next one. */
  function readOne(): void {
    const read = waiting[next];
    next += 1;
    // Under load the list is never empty, so responses that were read are removed here.
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
