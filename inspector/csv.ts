// Writes comma-separated values (RFC 4180). No value can become a formula in a spreadsheet.

/** A spreadsheet calculates cells that begin with these characters. The last four are full-width. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** @param rows the first row is the header */
export function csvOf(rows: readonly (readonly (string | number | boolean | null)[])[]) {
  return rows.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}

/** Null becomes an empty cell. */
function cell(value: string | number | boolean | null) {
  const text = value === null ? '' : String(value);
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
