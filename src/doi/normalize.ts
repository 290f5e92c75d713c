// Unicode normalization, for comparing and warning. DOI names themselves are never normalized.

import { isAscii } from './name.ts';

/** UAX #15 calls 30 combining marks in a row more than any language or notation needs. */
const LONGEST_USUAL_RUN = 32;

/** Of the runs that are longer, all together: one of 255 marks, or 60 of 33. */
const MAX_SORTING_STEPS = 256 ** 2;

/** The text in NFC; or as it is, where its runs of combining marks say that it is no one's text. */
export function toNfc(text: string): string {
  return normalized(text, 'NFC');
}

/** The text in NFD; or as it is, likewise. */
export function toNfd(text: string): string {
  return normalized(text, 'NFD');
}

/** The text in NFKD, which is the NFD of its NFKC; or as it is, likewise. */
export function toNfkd(text: string): string {
  return normalized(text, 'NFKD');
}

function normalized(text: string, form: 'NFC' | 'NFD' | 'NFKD'): string {
  return !isAscii(text) && isSortedSoon(text) ? text.normalize(form) : text;
}

/** The halfwidth sound marks are letters, and the only ones of which compatibility makes nothing but marks. */
const RUN_OF_MARKS = /[\p{M}\uFF9E\uFF9F]+/gu;

/** Normalizing sorts each run of combining marks, in a time quadratic in its length. */
function isSortedSoon(text: string): boolean {
  if (text.length <= LONGEST_USUAL_RUN) return true;
  let steps = 0;
  for (const [run] of text.matchAll(RUN_OF_MARKS)) {
    if (run.length > LONGEST_USUAL_RUN) steps += run.length ** 2;
    if (steps >= MAX_SORTING_STEPS) return false;
  }
  return true;
}
