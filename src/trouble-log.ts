// A trouble that thousands of look-ups meet is one line a second, with a count, not one line for each.

import type { Log } from './log.ts';

export interface TroubleLog {
  /**
   * Writes the first trouble of a kind at once. Those that follow within a second are one line at its end, and so
   * on second by second: each line has the fields of the first that it stands for, and `count`.
   * @param kind troubles to count together, such as a code and a base URL: few, and never from the input of clients
   * @param fields an example: the error, the name or path it is about, the `requestId` of who asked
   */
  warn(kind: string, fields: Readonly<Record<string, unknown>>, message: string): void;
  /** Writes the counts that are not yet written. */
  close(): void;
}

/** Calls the task once, after that time, unless the function it returns is called before. */
export type SetTimer = (task: () => void, ms: number) => () => void;

/** A timer that does not keep the process alive. */
export const REAL_TIMER: SetTimer = (task, ms) => {
  const timer = setTimeout(task, ms).unref();
  return () => clearTimeout(timer);
};

const EVERY_MS = 1_000;

interface Counted {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
  count: number;
}

export function createTroubleLog(log: Pick<Log, 'warn'>, setTimer: SetTimer = REAL_TIMER): TroubleLog {
  // Kinds with a line within the last second, and the number since then.
  const kinds = new Map<string, { since: Counted | null; cancel: () => void }>();

  function write({ fields, message, count }: Counted): void {
    log.warn({ ...fields, count }, message);
  }

  function rest(kind: string): void {
    const cancel = setTimer(() => {
      const since = kinds.get(kind)?.since;
      kinds.delete(kind);
      if (!since) return;
      write(since);
      rest(kind);
    }, EVERY_MS);
    kinds.set(kind, { since: null, cancel });
  }

  return {
    warn(kind, fields, message) {
      const resting = kinds.get(kind);
      if (!resting) {
        write({ fields, message, count: 1 });
        rest(kind);
      } else if (resting.since) resting.since.count += 1;
      else resting.since = { fields, message, count: 1 };
    },
    close() {
      for (const { since, cancel } of kinds.values()) {
        cancel();
        if (since) write(since);
      }
      kinds.clear();
    },
  };
}
