// Whether the page reads the input as one name, as a reference in words, or as a text that can contain several names.

const MAX_LINE_CHARACTERS = 2_000;

/** The gateway reads no more of a reference. */
export const MAX_REFERENCE_CHARACTERS = 3_000;
/** A text with fewer words is a heading. */
const MIN_WORDS = 4;

export function isInWords(text: string) {
  const words = text.slice(0, MAX_REFERENCE_CHARACTERS).match(/[\p{L}\p{N}]+/gu);
  return (words?.length ?? 0) >= MIN_WORDS;
}

/** A DOI name has no line ends, and so long a name has no spaces. */
export function isRunningText(text: string) {
  const trimmed = text.trim();
  return /[\r\n]/.test(trimmed) || (trimmed.length > MAX_LINE_CHARACTERS && /\s/.test(trimmed));
}
