// Receives and reads responses in slices, so that other work can run. A slice is one turn of the event loop.

/** A body with more bytes than this is large: it needs the lock. Most handle records have a few kilobytes. */
export const LARGE_BYTES = 200_000;

export type LargeBodyLock = ReturnType<typeof createLargeBodyLock>;

/** The gateway receives large bodies one at a time, because parsing a body needs many times its size in memory. */
export function createLargeBodyLock() {
  const queue: (() => void)[] = [];
  let isTaken = false;
  return {
    /** Resolves when no other large body has the lock. Call `release` afterwards. */
    async acquire(): Promise<void> {
      if (isTaken) await new Promise<void>((resolve) => queue.push(resolve));
      isTaken = true;
    },
    /** Gives the lock to the next body, in a later turn of the event loop. */
    release(): void {
      const next = queue.shift();
      if (next) setImmediate(next);
      else isTaken = false;
    },
  };
}

/** Calls `read` in a later turn of the event loop, in the order of the calls. */
export type RunInLaterSlice = (read: () => void) => void;

const MAX_RESPONSES_PER_SLICE = 8;

/** Makes a function that runs reads in slices. If responses arrive together, all their connections become free first. */
export function createReadingSlices(): RunInLaterSlice {
  const queue: (() => void)[] = [];
  let isReading = false;

  /** Each response has its own callback, so that its promise callbacks run before the next response is read. */
  function readOne(): void {
    queue.shift()?.();
  }

  function startSlice(): void {
    isReading = queue.length > 0;
    if (!isReading) return;
    const count = Math.min(MAX_RESPONSES_PER_SLICE, queue.length);
    for (let i = 0; i < count; i += 1) setImmediate(readOne);
    setImmediate(startSlice);
  }

  return (read) => {
    queue.push(read);
    if (isReading) return;
    isReading = true;
    setImmediate(startSlice);
  };
}

export type ParsingSlices = ReturnType<typeof createParsingSlices>;

/** After this time, the event loop runs other work, even if more bytes have arrived. */
const MAX_SLICE_MS = 5;

/** Limits how long the HTTP parser runs in one slice. */
export function createParsingSlices(now: () => number = () => performance.now()) {
  let queue: (() => void)[] = [];
  /** Null until the parser gets the first bytes of this slice. */
  let startedAt: number | null = null;

  function takeTime(): boolean {
    if (startedAt === null) {
      startedAt = now();
      setImmediate(startSlice);
      return true;
    }
    return now() - startedAt < MAX_SLICE_MS;
  }

  function startSlice(): void {
    startedAt = null;
    const ready = queue;
    queue = [];
    let next = 0;
    while (next < ready.length && takeTime()) {
      ready[next]?.();
      next += 1;
    }
    queue = [...ready.slice(next), ...queue];
  }

  return {
    /** Returns whether this slice has time left. If not, a later slice calls `again`, in the order of the calls. */
    hasTime(again: () => void): boolean {
      if (takeTime()) return true;
      queue.push(again);
      return false;
    },
  };
}
