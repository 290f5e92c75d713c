// @ts-check
// Shows that the page still waits when a response takes long.

import { say } from './say.js';

const LONG_MS = 3_000;

export const STILL_ASKING = 'Still asking: the directory takes longer than usual.';

/** One wait at a time: a new wait ends the earlier wait. */
export function createStillAsking() {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return {
    /** @param {() => void} put shows the sentence */
    begin(put) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        put();
        say(STILL_ASKING);
      }, LONG_MS);
    },
    end: () => clearTimeout(timer),
  };
}
