// How long the answer to one request may be kept: as long as the shortest-lived of what it rests on.

import { LONGEST_LIFE_MS } from '../handle/value.ts';

/** A part of the answer with its expiry, from the directory's response. */
export interface Perishable {
  /** milliseconds since the epoch */
  readonly freshUntil: number;
  readonly stale: boolean;
}

export interface AnswerExpiry {
  /** Something of this, or something that follows from it, is in the answer. */
  include(part: Perishable): void;
  /** The answer is for this request only: a second look-up, or another random choice, may give another answer. */
  mustNotBeCached(): void;
  /** how often `mustNotBeCached` was called: code that keeps a part of the answer compares it before and after the part */
  readonly refusals: number;
  /** Whole seconds it may be kept from `now` on, a day at most; 0 where it may not be kept at all. */
  secondsFrom(now: number): number;
}

/** Of an answer that rests on nothing yet: what follows from names alone never ends. */
export function createAnswerExpiry(): AnswerExpiry {
  return new Life();
}

/** A class, since an object literal with a getter takes a microsecond to make. */
class Life implements AnswerExpiry {
  refusals = 0;
  #end = Number.POSITIVE_INFINITY;

  include({ freshUntil, stale }: Perishable): void {
    this.#end = stale ? Number.NEGATIVE_INFINITY : Math.min(this.#end, freshUntil);
  }

  mustNotBeCached(): void {
    this.refusals += 1;
    this.#end = Number.NEGATIVE_INFINITY;
  }

  secondsFrom(now: number): number {
    return Math.floor(Math.max(0, Math.min(LONGEST_LIFE_MS, this.#end - now)) / 1000);
  }
}
