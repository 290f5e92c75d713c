// JSON with parts that are still promises. Each part needs little memory, because thousands of parts can wait at once.

import type { Soon } from '../time.ts';
import type { Execution } from './execution.ts';
import { append, isWritten, type WrittenJson } from './pieces.ts';
import type { OperationUsage } from './write.ts';

export type SoonWritten = Soon<WrittenJson>;

/** The estimated memory of a part that is a promise: the promise, its handlers, and about half of a look-up. */
const AWAITED_BYTES = 2_500;

/** The parts of an object or a list. Neighbouring parts that are already written are joined. */
export class WrittenParts {
  /** undefined: still a promise */
  readonly #parts: (WrittenJson | undefined)[];
  readonly #usage: Pick<OperationUsage, 'addHeapBytes'>;
  #awaitedCount = 0;
  #failure: { readonly reason: unknown } | null = null;
  #resolve: ((written: WrittenJson) => void) | null = null;
  #reject: ((reason: unknown) => void) | null = null;
  readonly #fail = (reason: unknown): void => {
    // A part can fail before `join` is called.
    this.#failure ??= { reason };
    this.#reject?.(reason);
  };

  constructor(before: WrittenJson, usage: Pick<OperationUsage, 'addHeapBytes'>) {
    this.#parts = [before];
    this.#usage = usage;
  }

  /** Throws a MemoryRefused if the waiting parts need too much memory. */
  add(part: SoonWritten): void {
    const parts = this.#parts;
    if (!isWritten(part)) {
      const at = parts.push(undefined) - 1;
      this.#awaitedCount += 1;
      part.then((written) => {
        parts[at] = written;
        this.#awaitedCount -= 1;
        if (this.#awaitedCount === 0) this.#resolve?.(this.#whole());
      }, this.#fail);
      this.#usage.addHeapBytes(AWAITED_BYTES);
      return;
    }
    const last = parts.length - 1;
    const before = parts[last];
    if (before === undefined) parts.push(part);
    else parts[last] = append(before, part);
  }

  /** Joins all parts in order. Rejects with the first failure. The caller must not add parts afterwards. */
  join(): Promise<WrittenJson> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) reject(this.#failure.reason);
      else if (this.#awaitedCount === 0) resolve(this.#whole());
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  #whole(): WrittenJson {
    return (this.#parts as WrittenJson[]).reduce(append);
  }
}

/** The remaining fields of an object, or the remaining items of a list. */
interface Remaining {
  readonly from: number;
  readonly count: number;
  /** the closing bracket */
  readonly end: string;
}

/**
 * Adds one field or item.
 * @param ended null, or the error of the deadline: the field or item then becomes null with this error
 */
type Add = (at: number, ended: unknown) => void;

/**
 * Adds the remaining parts. It begins all parts before it waits for one of them, so that their look-ups make one batch.
 * Throws or rejects if `add` throws.
 */
export function writeRemaining(
  parts: WrittenParts,
  remaining: Remaining,
  execution: Execution,
  add: Add,
): Promise<WrittenJson> {
  const { usage, slices } = execution;
  const { from, count, end } = remaining;
  for (let at = from; at < count; at += 1) {
    if (slices.isOver(usage.writtenBytes)) {
      return inSlices(parts, { from: at, count, end }, execution, add);
    }
    add(at, null);
  }
  parts.add(end);
  return parts.join();
}

async function inSlices(
  parts: WrittenParts,
  { from, count, end }: Remaining,
  execution: Execution,
  add: Add,
): Promise<WrittenJson> {
  const { usage, slices, gate } = execution;
  let ended: unknown = null;
  gate.hold();
  try {
    for (let at = from; at < count; at += 1) {
      if (ended === null && slices.isOver(usage.writtenBytes)) ended = await nextSlice(execution);
      add(at, ended);
    }
  } finally {
    gate.release();
  }
  parts.add(end);
  return parts.join();
}

/** Waits for the next slice. Resolves with null, or with an error if the operation must end. */
export async function nextSlice({ slices, time }: Pick<Execution, 'slices' | 'time'>): Promise<unknown> {
  await slices.next();
  try {
    time.throwIfEnded();
    return null;
  } catch (error) {
    return error;
  }
}
