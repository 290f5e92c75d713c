// Shows that the page still waits when a response takes long.

import { say } from './say.ts';

const LONG_MS = 3_000;

export const STILL_WAITING = 'Still waiting: the directory takes longer than usual.';

/** One wait at a time: a new wait ends the earlier wait. */
export function createStillWaiting() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    /** @param put shows the sentence */
    begin(put: () => void) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        put();
        say(STILL_WAITING);
      }, LONG_MS);
    },
    end: () => clearTimeout(timer),
  };
}
