// The formats that a file of names may have, and how one is told from its name or its first line.

import { extname } from 'node:path';
import { parseDoi } from '../../doi/parse.ts';

/** `lines`: one name a line, and nothing else */
export const INPUT_FORMATS = ['csv', 'tsv', 'jsonl', 'lines'] as const;
export type InputFormat = (typeof INPUT_FORMATS)[number];

export const OUTPUT_FORMATS = ['csv', 'jsonl'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Formats of files that `doi bulk` writes: TSV is CSV with another delimiter. */
export const FILE_FORMATS = ['csv', 'tsv', 'jsonl'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

const BY_ENDING: ReadonlyMap<string, InputFormat> = new Map([
  ['.csv', 'csv'],
  ['.tsv', 'tsv'],
  ['.tab', 'tsv'],
  ['.jsonl', 'jsonl'],
  ['.ndjson', 'jsonl'],
]);

/** Null where the name does not tell: `names.txt` may be anything. */
export function formatOfFile(name: string): InputFormat | null {
  return BY_ENDING.get(extname(name).toLowerCase()) ?? null;
}

/** @param line the first that is not blank */
export function formatOfLine(line: string): InputFormat {
  if (line.startsWith('{')) return 'jsonl';
  if (line.includes('\t')) return 'tsv';
  // These may be a DOI name's own.
  const isHeader = /[,;|]/.test(line) || /^\s*"?doi"?\s*$/i.test(line);
  return isHeader && parseDoi(line).problem !== null ? 'csv' : 'lines';
}

/** What divides the cells of a CSV file: a semicolon where spreadsheets write a comma into numbers. */
export function delimiterOf(header: string): string {
  return [',', ';', '|'].find((delimiter) => header.includes(delimiter)) ?? ',';
}

/** Of a first line such as `sep=;`, by which spreadsheets say it; null for any other line. */
export function saidDelimiter(line: string): string | null {
  return /^\uFEFF?"?sep=([^"\w\s]|\t)"?$/i.exec(line)?.[1] ?? null;
}
