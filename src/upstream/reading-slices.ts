// Parses responses in slices, so that other work can run. Responses that arrive together first free all their
// connections, and then the gateway parses them.

/** A larger body is a large body. Most handle records have a few kilobytes. */
export const LARGE_BYTES = 200_000;

export type LargeBodyLock = ReturnType<typeof createLargeBodyLock>;

/** The gateway receives large bodies one at a time, because parsing a body needs many times its size in memory. */
export function createLargeBodyLock() {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  return {
    /** Resolves when no other large body has the lock. Call `release` afterwards. */
    async acquire(): Promise<void> {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
      isTaken = true;
    },
    /** Gives the lock to the next body, in a later slice. */
    release(): void {
      const next = waiting.shift();
      if (next) setImmediate(next);
      else isTaken = false;
    },
  };
}

/** Calls a function in a later slice, in the order of the calls. */
export type ReadSoon = (read: () => void) => void;

const MAX_PER_SLICE = 8;
/** Responses that were read are removed from the list in groups of this size, because each removal copies the list. */
const MAX_READ = 100;

export function createReadingSlices(): ReadSoon {
  let waiting: (() => void)[] = [];
  let next = 0;
  let isReading = false;

  /** Reads only one response: the work that it causes should run before the next response is read. */
  function readOne(): void {
    const read = waiting[next];
    next += 1;
    // Under load, the list never becomes empty, so it must be shortened here.
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
    const count = Math.min(MAX_PER_SLICE, waiting.length - next);
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
