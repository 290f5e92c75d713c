// Logs equal troubles of thousands of look-ups as one line a second, with a count.

import type { Log } from './log.ts';

export interface TroubleLog {
  /**
   * Writes the first trouble of a kind at once. Then writes one line each second, for all troubles of the kind in this
   * second. The line has the fields of the first of them, and `count`.
   * @param kind counts troubles together, for example by code and base URL; few kinds, never from the input of clients
   * @param fields an example: the error, the name or path, and the `requestId` of the request
   */
  warn(kind: string, fields: Readonly<Record<string, unknown>>, message: string): void;
  /** Writes the counts that are not yet written. */
  close(): void;
}

/** Calls the task once after this time. Returns a function that cancels the timer. */
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
  // Kinds with a line within the last second. `since`: their troubles after this line.
  const kinds = new Map<string, { since: Counted | null; cancel: () => void }>();

  function write({ fields, message, count }: Counted): void {
    log.warn({ ...fields, count }, message);
  }

  function pause(kind: string): void {
    const cancel = setTimer(() => {
      const since = kinds.get(kind)?.since;
      kinds.delete(kind);
      if (!since) return;
      write(since);
      pause(kind);
    }, EVERY_MS);
    kinds.set(kind, { since: null, cancel });
  }

  return {
    warn(kind, fields, message) {
      const paused = kinds.get(kind);
      if (!paused) {
        write({ fields, message, count: 1 });
        pause(kind);
      } else if (paused.since) paused.since.count += 1;
      else paused.since = { fields, message, count: 1 };
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
