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

export function createReadingSlices(): ReadSoon {
  const waiting: (() => void)[] = [];
  let isReading = false;

  /** Reads only one response: the work that it causes should run before the next response is read. */
  function readOne(): void {
    waiting.shift()?.();
  }

  function startSlice(): void {
    isReading = waiting.length > 0;
    if (!isReading) return;
    const count = Math.min(MAX_PER_SLICE, waiting.length);
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
