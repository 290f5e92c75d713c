// How many parts may follow the first, and what is said where there would be more.

import { GatewayError } from '../../errors.ts';
import { type CountedOperation, createFoundCounter, type FoundList } from './count-parts.ts';

/** Whoever waits for n parts one by one looks at n² of them: 40 MB and a quarter of a second for as many as these. */
export const MAX_PARTS = 1_000;

export function tooManyParts(parts: number): GatewayError {
  const found = Number.isFinite(parts) ? `${parts}` : 'more';
  return new GatewayError('LIMIT_EXCEEDED', {
    message: `The answer would come in ${found} parts, of the ${MAX_PARTS} that may follow the first. Ask for fewer names at once, or defer and stream less.`,
  });
}

/**
 * The parts of lists whose length nobody knew before: counted when they are there, before the executor begins one
 * for each item.
 */
export class FoundParts {
  readonly #partsOf: ReturnType<typeof createFoundCounter>;
  #parts = 0;

  constructor(operation: CountedOperation) {
    this.#partsOf = createFoundCounter(operation);
  }

  /** Tells that a list has become longer. Throws LIMIT_EXCEEDED where that makes too many parts. */
  grow(list: FoundList, from: number, to: number): void {
    this.#parts += this.#partsOf(list, to) - this.#partsOf(list, from);
    if (this.#parts > MAX_PARTS) throw tooManyParts(this.#parts);
  }
}
