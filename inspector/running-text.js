// @ts-check
// Whether the input is read as one name, or as a text that may contain several.

const LONGEST_LINE = 2_000;

/** No DOI name holds the end of a line, and none of the length of a page holds spaces. @param {string} text */
export function isRunningText(text) {
  const trimmed = text.trim();
  return /[\r\n]/.test(trimmed) || (trimmed.length > LONGEST_LINE && /\s/.test(trimmed));
}
