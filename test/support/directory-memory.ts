// An answer that memory never lets go of.

import type { DirectoryMemory, KeptAnswer } from '../../src/directory/directory.ts';

export function keptForever<Answer>(answer: Answer): KeptAnswer<Answer> {
  return {
    answer,
    isCurrent: () => true,
    noCheckFrom: Number.NEGATIVE_INFINITY,
    noCheckUntil: Number.POSITIVE_INFINITY,
  };
}

/** A memory that is read each time: NaN equals no generation, so nothing counts as live without a check. */
export function memoryWith(parts: Partial<DirectoryMemory>): DirectoryMemory {
  const nothing = { record: () => undefined, agency: () => undefined, now: () => 0 };
  return { ...nothing, ...parts, generation: Number.NaN };
}
