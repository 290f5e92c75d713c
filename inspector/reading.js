// @ts-check
// Reads what is typed before the gateway does. The module for it comes after the first paint; until then, and in a page
// that does not get it, the gateway alone reads.

import { isRunningText } from './running-text.js';

/** @import { ReadAtOnce } from './answers.js' */

/** @type {((input: string) => ReadAtOnce | null) | null} */
let read = null;

async function load() {
  try {
    read = (await import('./read-at-once.js')).readAtOnce;
  } catch {
    // The page works without it.
  }
}

requestAnimationFrame(() => setTimeout(load));

/** Null where only the gateway can say what the text is. @param {string} text @returns {ReadAtOnce | null} */
export function readNow(text) {
  return isRunningText(text) ? null : (read?.(text) ?? null);
}
