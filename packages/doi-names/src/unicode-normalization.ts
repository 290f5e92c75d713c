// Normalizes text for comparisons and warnings. DOI names themselves are never normalized. A hostile text with very long
// runs of combining marks is returned unchanged, because normalization would take too long.

import { isAscii } from './name.ts';

/** No real text has a longer run of combining marks: UAX #15 says that 30 marks are more than any language needs. */
const MAX_USUAL_RUN = 32;
/**
 * A text that needs this many sorting steps is not normalized. A run longer than MAX_USUAL_RUN needs the square of its
 * length. So a text with one run of 255 marks is normalized, and also a text with 60 runs of 33 marks.
 */
const MAX_SORTING_STEPS = 256 ** 2;

export function normalized(text: string, form: 'NFC' | 'NFD' | 'NFKD'): string {
  return !isAscii(text) && isFastToSort(text) ? text.normalize(form) : text;
}

/** U+FF9E and U+FF9F are letters, but NFKD turns them into combining marks. */
const RUN_OF_MARKS = /[\p{M}\uFF9E\uFF9F]+/gu;

/** Normalization sorts each run of combining marks. The time is quadratic in the length of the run. */
function isFastToSort(text: string): boolean {
  if (text.length <= MAX_USUAL_RUN) return true;
  let steps = 0;
  for (const [run] of text.matchAll(RUN_OF_MARKS)) {
    if (run.length > MAX_USUAL_RUN) steps += run.length ** 2;
    if (steps >= MAX_SORTING_STEPS) return false;
  }
  return true;
}
