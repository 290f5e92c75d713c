// How many look-ups may wait to be begun, of all requests together: each holds what is to become of its answer.

import { GatewayError } from '../errors.ts';

export interface LookUpRoom {
  /** Whether there is a place. To be ended by `leave`. */
  enter(): boolean;
  leave(): void;
  /** What those get that find none. One error for many. */
  readonly refusal: GatewayError;
}

export function createLookUpRoom(places: number): LookUpRoom {
  let taken = 0;
  return {
    enter() {
      if (taken === places) return false;
      taken += 1;
      return true;
    },
    leave() {
      taken -= 1;
    },
    refusal: new GatewayError('GATEWAY_BUSY', { details: { retryAfterSeconds: RETRY_AFTER_SECONDS } }),
  };
}

/** Of those that wait, many have begun by then. */
const RETRY_AFTER_SECONDS = 10;
