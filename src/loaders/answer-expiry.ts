// Decides how long clients and caches may keep a response: until the first of its parts expires.

import { LIFETIMES } from '../lifetimes.ts';

/** A part of a response. */
export interface Perishable {
  /** milliseconds since 1970 */
  readonly freshUntil: number;
  readonly stale: boolean;
}

/** Collects when the parts of a response expire. Without parts, the response depends only on names and never expires. */
export class AnswerExpiry {
  /** The number of calls of `mustNotBeCached`. If it does not grow while a part is made, the part may be remembered. */
  refusals = 0;
  #end = Number.POSITIVE_INFINITY;

  /** Must be called for each part of the response. */
  include({ freshUntil, stale }: Perishable): void {
    this.#end = stale ? Number.NEGATIVE_INFINITY : Math.min(this.#end, freshUntil);
  }

  /** Must be called if the response is only for this request: the next look-up or draw can give another response. */
  mustNotBeCached(): void {
    this.refusals += 1;
    this.#end = Number.NEGATIVE_INFINITY;
  }

  /** The whole seconds after `now` for which the response may be kept, at most a day. 0: it must not be kept. */
  secondsFrom(now: number): number {
    return Math.floor(Math.max(0, Math.min(LIFETIMES.record, this.#end - now)) / 1000);
  }
}
