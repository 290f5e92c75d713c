// Limits the log in an outage: for each kind of trouble, it writes at most one line a second, with a count.

import type { Log } from './log.ts';
import { type Clock, steadyClock } from './time.ts';

export interface TroubleLog {
  /**
   * Writes the first trouble of a kind at once. Counts later troubles of this kind, and writes one line for them each
   * second. The line has the fields of the first trouble of that second, and `count`.
   * @param kind for example, an error code at one base URL. Troubles of one kind share a line. Never make a kind from the
   *   input of clients, because there must be few kinds.
   * @param fields the error, the name or path, and the `requestId`
   */
  warn(kind: string, fields: Readonly<Record<string, unknown>>, message: string): void;
  /** Writes the lines that still wait for the end of their second. */
  close(): void;
}

const EVERY_MS = 1_000;

/** A line for the log. `count` is the number of troubles in the line. */
interface Line {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
  count: number;
}

export function createTroubleLog(
  log: Pick<Log, 'warn'>,
  after: Clock['after'] = steadyClock.after,
): TroubleLog {
  // The kinds that have written a line in the last second. `next` is written at the end of this second.
  const kinds = new Map<string, { next: Line | null; cancel: () => void }>();

  function write({ fields, message, count }: Line): void {
    log.warn({ ...fields, count }, message);
  }

  function startSecond(kind: string): void {
    const cancel = after(EVERY_MS, () => {
      const next = kinds.get(kind)?.next;
      kinds.delete(kind);
      if (!next) return;
      write(next);
      startSecond(kind);
    });
    kinds.set(kind, { next: null, cancel });
  }

  return {
    warn(kind, fields, message) {
      const second = kinds.get(kind);
      if (!second) {
        write({ fields, message, count: 1 });
        startSecond(kind);
      } else if (second.next) second.next.count += 1;
      else second.next = { fields, message, count: 1 };
    },
    close() {
      for (const { next, cancel } of kinds.values()) {
        cancel();
        if (next) write(next);
      }
      kinds.clear();
    },
  };
}
