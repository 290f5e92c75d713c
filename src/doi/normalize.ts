// Unicode Normalization Form C, for comparing and warning. DOI names themselves are never normalized.

/** Sorting a run of combining marks takes time quadratic in its length. */
const UNREASONABLE_MARKS = /\p{M}{256}/u;

/** The text in NFC; or as it is, where 256 combining marks in a row say that it is no one's text. */
export function toNfc(text: string): string {
  return UNREASONABLE_MARKS.test(text) ? text : text.normalize('NFC');
}
