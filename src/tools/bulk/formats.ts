// Detects the format of a file of names by the name or the first line of the file.

import { extname } from 'node:path';
import { parseDoi } from '../../doi/parse.ts';

/** `lines`: a file with one name on each line and nothing else */
export const INPUT_FORMATS = ['csv', 'tsv', 'jsonl', 'lines'] as const;
export type InputFormat = (typeof INPUT_FORMATS)[number];

export const OUTPUT_FORMATS = ['csv', 'jsonl'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Formats that `doi bulk` writes. TSV is CSV with another delimiter. */
export const FILE_FORMATS = ['csv', 'tsv', 'jsonl'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

const BY_ENDING: ReadonlyMap<string, InputFormat> = new Map([
  ['.csv', 'csv'],
  ['.tsv', 'tsv'],
  ['.tab', 'tsv'],
  ['.jsonl', 'jsonl'],
  ['.ndjson', 'jsonl'],
]);

/** Returns null if the ending of the file name does not say the format. Example: `names.txt`. */
export function formatOfFile(name: string): InputFormat | null {
  return BY_ENDING.get(extname(name).toLowerCase()) ?? null;
}

/** @param line the first line that is not blank */
export function formatOfLine(line: string): InputFormat {
  if (line.startsWith('{')) return 'jsonl';
  if (line.includes('\t')) return 'tsv';
  // A DOI name can also contain these characters.
  const isHeader = /[,;|]/.test(line) || /^\s*"?doi"?\s*$/i.test(line);
  return isHeader && parseDoi(line).problem !== null ? 'csv' : 'lines';
}

/** Finds the delimiter of CSV in a header. In countries with a decimal comma, spreadsheets write semicolons. */
export function delimiterOf(header: string): string {
  return [',', ';', '|'].find((delimiter) => header.includes(delimiter)) ?? ',';
}

/** The delimiter of a first line such as `sep=;`, which spreadsheets write; null for any other line. */
export function statedDelimiter(line: string): string | null {
  return /^\uFEFF?"?sep=([^"\w\s]|\t)"?$/i.exec(line)?.[1] ?? null;
}
