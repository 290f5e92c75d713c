// The gateway receives large bodies one at a time, because parsing a body needs many times its size in memory.

import { TURNS } from '../time.ts';

/** A body with more bytes than this is large: it needs the lock. Most handle records have a few kilobytes. */
export const LARGE_BYTES = 200_000;

export type LargeBodyLock = ReturnType<typeof createLargeBodyLock>;

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
      if (next) TURNS.runLater(next);
      else isTaken = false;
    },
  };
}
