// Notices that look-ups wait for a base URL and no response arrives from it.

import type { Time } from './question-deadline.ts';
import { createResponseTimes } from './response-times.ts';

export interface Silence {
  /** A request is sent for a look-up; `end` must follow. */
  begin(): void;
  end(): void;
  /** A response has arrived, after so long, whatever it says. */
  responded(ms: number): void;
}

const SILENCE_MS = 3_000;
const LEAST_LIMIT_MS = 1_000;
/** A timer may ring a part of a millisecond early. */
const EARLY_MS = 1;

/**
 * @param onSilence called after each 3 s in which a look-up waited and no response arrived; `limitMs` is how long a
 * response to a probe may take before this silence counts as an outage
 */
export function createSilence(time: Time, onSilence: (limitMs: number) => void): Silence {
  const times = createResponseTimes(() => time.now());
  let underWay = 0;
  let since = 0;
  let isListening = false;

  // One alarm for all requests: a request that begins or ends moves no timer.
  function listen(ms: number): void {
    isListening = true;
    time.alarm(ms, () => {
      isListening = false;
      if (underWay === 0) return;
      const leftMs = since + SILENCE_MS - time.now();
      if (leftMs < EARLY_MS) onSilence(Math.max(LEAST_LIMIT_MS, 3 * times.p99()));
      listen(leftMs < EARLY_MS ? SILENCE_MS : leftMs);
    });
  }

  return {
    begin() {
      underWay += 1;
      if (underWay > 1) return;
      since = time.now();
      if (!isListening) listen(SILENCE_MS);
    },
    end() {
      underWay -= 1;
    },
    responded(ms) {
      since = time.now();
      times.add(ms);
    },
  };
}
