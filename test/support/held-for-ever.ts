// An answer that memory never lets go of.

import type { HeldAnswer } from '../../src/directory/directory.ts';

export function heldForEver<Answer>(answer: Answer): HeldAnswer<Answer> {
  return {
    answer,
    isLive: () => true,
    settledFrom: Number.NEGATIVE_INFINITY,
    settledUntil: Number.POSITIVE_INFINITY,
  };
}
