let now: number | undefined;
const settled = Promise.resolve();

/**
 * Milliseconds since the epoch, read once for all code that runs without waiting. To read the system's clock takes as
 * long as a look-up in memory, and one operation may look up a thousand names.
 */
export function turnClock(): number {
  if (now === undefined) {
    now = Date.now();
    // Not `queueMicrotask`, which makes an AsyncResource for each call.
    void settled.then(forget);
  }
  return now;
}

function forget(): void {
  now = undefined;
}
