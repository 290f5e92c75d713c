// How long clients and caches may keep the answer to one request: until its first part expires.

import { LONGEST_LIFE_MS } from '../handle/value.ts';

/** A part of the answer with its expiry, from the directory's response. */
export interface Perishable {
  /** milliseconds since the epoch */
  readonly freshUntil: number;
  readonly stale: boolean;
}

export interface AnswerExpiry {
  /** The answer depends on this part. */
  include(part: Perishable): void;
  /** The answer is only for this request. The next look-up or random choice may give another answer. */
  mustNotBeCached(): void;
  /** The number of calls of `mustNotBeCached`. If it is the same before and after a part, the part may be remembered. */
  readonly refusals: number;
  /** How many whole seconds after `now` the answer may be kept, at most a day; 0: not at all. */
  secondsFrom(now: number): number;
}

/** Starts without an end, because an answer that follows from names alone never expires. */
export function createAnswerExpiry(): AnswerExpiry {
  return new EarliestExpiry();
}

/** A class, because each request makes one, and an object literal is slower to make. */
class EarliestExpiry implements AnswerExpiry {
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
