// The synchronous memory of a directory: an answer that never expires, and a memory without generations.

import type { DirectoryMemory, KeptAnswer } from '../../src/directory/directory.ts';

export function keptForever<Answer>(answer: Answer): KeptAnswer<Answer> {
  return {
    answer,
    isCurrent: () => true,
    noCheckFrom: Number.NEGATIVE_INFINITY,
    noCheckUntil: Number.POSITIVE_INFINITY,
  };
}

/** A memory that is read each time: NaN equals no generation, so no answer counts as fresh without a check. */
export function memoryWith(parts: Partial<DirectoryMemory>): DirectoryMemory {
  const nothing = { record: () => undefined, agency: () => undefined, now: () => 0 };
  return { ...nothing, ...parts, generation: Number.NaN };
}
