// @ts-check
// Comma-separated values (RFC 4180) that no spreadsheet takes for formulas.

/** What a spreadsheet would calculate, also after a tab or a line's end, and where a letter is full-width. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** @param {readonly (readonly (string | number | boolean | null)[])[]} rows the first is the head */
export function csvOf(rows) {
  return rows.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}

/** Nothing known is an empty cell. @param {string | number | boolean | null} value */
function cell(value) {
  const text = value === null ? '' : String(value);
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
