// The time, read once for all that is done without a wait.

let now: number | undefined;
const settled = Promise.resolve();

/**
 * Milliseconds since the epoch, as it was when the code that runs now first asked. To read the system's clock takes
 * as long as a look-up in memory, and a thousand names are looked up in one go.
 */
export function turnClock(): number {
  if (now === undefined) {
    now = Date.now();
    // As a promise's: `queueMicrotask` would make an AsyncResource for each.
    void settled.then(forget);
  }
  return now;
}

function forget(): void {
  now = undefined;
}
