// @ts-check
// Parses the input in the browser, before the gateway does. The module for this loads after the first paint. Until then,
// or if it does not load, only the gateway parses.

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

/** Null if only the gateway can parse the text. @param {string} text @returns {ReadAtOnce | null} */
export function readNow(text) {
  return isRunningText(text) ? null : (read?.(text) ?? null);
}
