// @ts-check
// Whether the page reads the input as one name, or as a text that can contain several names.

const LONGEST_LINE = 2_000;

/** A DOI name has no line end, and a name as long as a page has no spaces. @param {string} text */
export function isRunningText(text) {
  const trimmed = text.trim();
  return /[\r\n]/.test(trimmed) || (trimmed.length > LONGEST_LINE && /\s/.test(trimmed));
}
