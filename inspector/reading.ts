// Parses the input in the browser, before the gateway does. The parser loads after the first paint. Until then, or if the
// parser does not load, only the gateway parses.

import type { ReadAtOnce } from './answers.ts';
import { isRunningText } from './running-text.ts';

let parser: ((input: string) => ReadAtOnce | null) | null = null;

async function load() {
  try {
    parser = (await import('./read-at-once.ts')).readAtOnce;
  } catch {
    // The page works without the parser.
  }
}

requestAnimationFrame(() => setTimeout(load));

/** Null if only the gateway can parse the text. */
export function readNow(text: string): ReadAtOnce | null {
  return isRunningText(text) ? null : (parser?.(text) ?? null);
}
