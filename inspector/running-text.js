// @ts-check
// Whether the page reads the input as one name, or as a text that can contain several names.

const MAX_LINE_CHARACTERS = 2_000;

/** A DOI name has no line ends, and so long a name has no spaces. @param {string} text */
export function isRunningText(text) {
  const trimmed = text.trim();
  return /[\r\n]/.test(trimmed) || (trimmed.length > MAX_LINE_CHARACTERS && /\s/.test(trimmed));
}
