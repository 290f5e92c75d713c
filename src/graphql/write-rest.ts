// What is left of an object or a list where something of it is waited for, or a slice of work is over.

import type { Execution } from './execution.ts';
import type { Written } from './pieces.ts';
import type { WrittenParts } from './written-parts.ts';

export interface Rest {
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
  const { allowance, slices } = execution;
  const { from, count, end } = rest;
  for (let at = from; at < count; at += 1) {
    if (slices.isOver(allowance.writtenBytes)) {
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
  const { allowance, slices, gate } = execution;
  let ended: unknown = null;
  gate.hold();
  try {
    for (let at = from; at < count; at += 1) {
      if (ended === null && slices.isOver(allowance.writtenBytes)) ended = await endedBefore(execution);
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
