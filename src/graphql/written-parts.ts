// JSON of which something is still waited for. Thousands may wait at once: each takes one promise and two functions.

import type { Soon } from '../time.ts';
import type { Execution } from './execution.ts';
import { appended, isWritten, type Written } from './pieces.ts';
import type { OperationUsage } from './write.ts';

export type Writing = Soon<Written>;

/** What a part that is waited for takes: its promise, what waits for it, and its half of a look-up. */
const AWAITED_BYTES = 2_500;

/** What has been written goes on in one piece; only what is waited for stands apart. */
export class WrittenParts {
  /** undefined: still to come */
  readonly #parts: (Written | undefined)[];
  readonly #usage: Pick<OperationUsage, 'keep'>;
  #awaited = 0;
  #failure: { readonly reason: unknown } | null = null;
  #resolve: ((written: Written) => void) | null = null;
  #reject: ((reason: unknown) => void) | null = null;
  readonly #fail = (reason: unknown): void => {
    // It may fail before anybody waits for it.
    this.#failure ??= { reason };
    this.#reject?.(reason);
  };

  constructor(before: Written, usage: Pick<OperationUsage, 'keep'>) {
    this.#parts = [before];
    this.#usage = usage;
  }

  /** Throws a WorkRefused where too much is waited for. */
  add(part: Writing): void {
    const parts = this.#parts;
    if (!isWritten(part)) {
      const at = parts.push(undefined) - 1;
      this.#awaited += 1;
      part.then((written) => {
        parts[at] = written;
        this.#awaited -= 1;
        if (this.#awaited === 0) this.#resolve?.(this.#whole());
      }, this.#fail);
      this.#usage.keep(AWAITED_BYTES);
      return;
    }
    const last = parts.length - 1;
    const before = parts[last];
    if (before === undefined) parts.push(part);
    else parts[last] = appended(before, part);
  }

  /** Rejects with the first that fails. Nothing may be added any more. */
  together(): Promise<Written> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) reject(this.#failure.reason);
      else if (this.#awaited === 0) resolve(this.#whole());
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  #whole(): Written {
    return (this.#parts as Written[]).reduce(appended);
  }
}

// What is left of an object or a list where something of it is waited for, or a slice of work is over.

interface Rest {
  readonly from: number;
  readonly count: number;
  /** what stands behind the last one */
  readonly end: string;
}

/**
 * @param ended null, or why there is nothing to be done any more: what is left is null, and says so
 */
type Add = (at: number, ended: unknown) => void;

/**
 * Adds what is left. All of it is begun before any of it is waited for, so that what it asks of the directory goes
 * there in one batch. Throws, or rejects, with what `add` throws.
 */
export function writeRest(parts: WrittenParts, rest: Rest, execution: Execution, add: Add): Promise<Written> {
  const { usage, slices } = execution;
  const { from, count, end } = rest;
  for (let at = from; at < count; at += 1) {
    if (slices.isOver(usage.writtenBytes)) {
      return inSlices(parts, { from: at, count, end }, execution, add);
    }
    add(at, null);
  }
  parts.add(end);
  return parts.together();
}

async function inSlices(
  parts: WrittenParts,
  { from, count, end }: Rest,
  execution: Execution,
  add: Add,
): Promise<Written> {
  const { usage, slices, gate } = execution;
  let ended: unknown = null;
  gate.hold();
  try {
    for (let at = from; at < count; at += 1) {
      if (ended === null && slices.isOver(usage.writtenBytes)) ended = await endedBefore(execution);
      add(at, ended);
    }
  } finally {
    gate.release();
  }
  parts.add(end);
  return parts.together();
}

/** Waits for the next slice; gives why there is nothing to be done in it any more. */
export async function endedBefore({ slices, time }: Pick<Execution, 'slices' | 'time'>): Promise<unknown> {
  await slices.next();
  try {
    time.throwIfEnded();
    return null;
  } catch (error) {
    return error;
  }
}
