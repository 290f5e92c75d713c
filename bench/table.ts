// Prints tables that are legible in a terminal and valid in Markdown.

export type Cell = string | number | null;

/** Prints a table: numbers are right-aligned, texts left-aligned, and null is a dash. */
export function printTable(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): void {
  const texts = rows.map((row) => columns.map((_, at) => cellText(row[at] ?? null)));
  const widths = columns.map((column, at) =>
    Math.max(column.length, ...texts.map((row) => row[at]?.length ?? 0)),
  );
  const isNumeric = columns.map((_, at) => rows.every((row) => typeof (row[at] ?? 0) === 'number'));
  const pad = (cell: string, at: number): string =>
    isNumeric[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0);
  const line = (cells: readonly string[]): string => `| ${cells.map(pad).join(' | ')} |`;
  const rule = widths.map((width, at) => '-'.repeat(width + 1) + (isNumeric[at] ? ':' : '-'));
  console.log([`\n${title}`, line(columns), `|${rule.join('|')}|`, ...texts.map(line)].join('\n'));
}

/** Writes fractions with about three significant digits. */
export function cellText(cell: Cell): string {
  if (cell === null) return '–';
  if (typeof cell === 'string') return cell;
  if (cell === 0 || Number.isInteger(cell)) return String(cell);
  const digits = Math.abs(cell) >= 100 ? 0 : Math.abs(cell) >= 10 ? 1 : Math.abs(cell) >= 1 ? 2 : 3;
  return cell.toFixed(digits);
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Returns a quantile of sorted numbers, for a share from 0 (the smallest) to 1 (the largest). NaN if there are no numbers. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}
