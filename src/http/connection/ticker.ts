// Time for what looks at something every so often: the process's own, or one that a test moves on.

export interface Ticker {
  /** milliseconds that only go forward */
  now(): number;
  /** Returns what stops it. */
  every(ms: number, run: () => void): () => void;
}

export const systemTicker: Ticker = {
  now: () => performance.now(),
  every(ms, run) {
    // Counted from the end of a run, so that slow ones do not pile up.
    const timer = setTimeout(() => {
      run();
      if (!stopped) timer.refresh();
    }, ms).unref();
    let stopped = false;
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  },
};
