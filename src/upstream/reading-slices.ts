// Parses responses in slices, so that other work can run. A slice is one turn of the event loop and parses at most eight
// responses. If responses arrive together, the gateway frees all their connections before it parses the first response.

/** A body with more bytes than this is large: it needs the lock. Most handle records have a few kilobytes. */
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
    /** Gives the lock to the next body, in a later turn of the event loop. */
    release(): void {
      const next = waiting.shift();
      if (next) setImmediate(next);
      else isTaken = false;
    },
  };
}

/** Calls `read` in a later turn of the event loop, in the order of the calls. */
export type ReadSoon = (read: () => void) => void;

const MAX_RESPONSES_PER_SLICE = 8;

export function createReadingSlices(): ReadSoon {
  const waiting: (() => void)[] = [];
  let isReading = false;

  /** Each response has its own callback, so that its promise callbacks run before the next response is read. */
  function readOne(): void {
    waiting.shift()?.();
  }

  function startSlice(): void {
    isReading = waiting.length > 0;
    if (!isReading) return;
    const count = Math.min(MAX_RESPONSES_PER_SLICE, waiting.length);
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
