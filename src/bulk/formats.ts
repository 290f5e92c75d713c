// The formats that a file of names may have, and how one is told from its name or its first line.

import { extname } from 'node:path';
import { parseDoi } from '../doi/parse.ts';

/** `lines`: one name a line, and nothing else */
export const INPUT_FORMATS = ['csv', 'tsv', 'jsonl', 'lines'] as const;
export type InputFormat = (typeof INPUT_FORMATS)[number];

export const OUTPUT_FORMATS = ['csv', 'jsonl'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

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
  // Commas and semicolons may be a DOI name's own.
  const isHeader = /[,;]/.test(line) || /^\s*"?doi"?\s*$/i.test(line);
  return isHeader && parseDoi(line).problem !== null ? 'csv' : 'lines';
}

/** What divides the cells of a CSV file: a semicolon where spreadsheets write a comma into numbers. */
export function delimiterOf(header: string): ',' | ';' {
  return header.includes(';') && !header.includes(',') ? ';' : ',';
}
