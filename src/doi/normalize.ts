// Unicode Normalization Form C, for comparing and warning. DOI names themselves are never normalized.

import { isAscii } from './name.ts';

/** UAX #15 calls 30 combining marks in a row more than any language or notation needs. */
const LONGEST_USUAL_RUN = 32;

/** Of the runs that are longer, all together: one of 255 marks, or 60 of 33. */
const MAX_SORTING_STEPS = 256 ** 2;

/** The text in NFC; or as it is, where its runs of combining marks say that it is no one's text. */
export function toNfc(text: string): string {
  return !isAscii(text) && isSortedSoon(text) ? text.normalize('NFC') : text;
}

/** Normalizing sorts each run of combining marks, in a time quadratic in its length. */
function isSortedSoon(text: string): boolean {
  let steps = 0;
  for (const [run] of text.matchAll(/\p{M}+/gu)) {
    if (run.length > LONGEST_USUAL_RUN) steps += run.length ** 2;
    if (steps >= MAX_SORTING_STEPS) return false;
  }
  return true;
}
