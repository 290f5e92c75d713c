// @ts-check
// Parses the input in the browser, before the gateway does. The parser loads after the first paint. Until then, or if the
// parser does not load, only the gateway parses.

import { isRunningText } from './running-text.js';

/** @import { ReadAtOnce } from './answers.js' */

/** @type {((input: string) => ReadAtOnce | null) | null} */
let parser = null;

async function load() {
  try {
    parser = (await import('./read-at-once.js')).readAtOnce;
  } catch {
    // The page works without the parser.
  }
}

requestAnimationFrame(() => setTimeout(load));

/** Null if only the gateway can parse the text. @param {string} text @returns {ReadAtOnce | null} */
export function readNow(text) {
  return isRunningText(text) ? null : (parser?.(text) ?? null);
}
