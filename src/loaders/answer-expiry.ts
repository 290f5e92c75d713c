// Decides how long clients and caches may keep a response: until the first of its parts expires.

import { LONGEST_LIFE_MS } from '../handle/value.ts';

/** A part of a response. */
export interface Perishable {
  /** milliseconds since 1970 */
  readonly freshUntil: number;
  readonly stale: boolean;
}

export interface AnswerExpiry {
  /** The caller calls it for each part of the response. */
  include(part: Perishable): void;
  /** The response is only for this request: the next look-up or random choice can give another response. */
  mustNotBeCached(): void;
  /** The number of calls of `mustNotBeCached`. If it does not grow while a part is made, the part may be remembered. */
  readonly refusals: number;
  /** The whole seconds after `now` for which the response may be kept, at most a day. 0: it must not be kept. */
  secondsFrom(now: number): number;
}

/** A response without parts never expires, because it depends only on names. */
export function createAnswerExpiry(): AnswerExpiry {
  return new EarliestExpiry();
}

/** A class, because each request makes an instance and an object literal is slower to make. */
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
