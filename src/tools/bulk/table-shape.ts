// The layout of a file of names: its format, encoding and delimiter, and the column that contains the names.

import { extname } from 'node:path';
import { parseDoi } from 'doi-names/parts';
import { editDistance } from '../../edit-distance.ts';
import type { Position } from './row.ts';

/** `lines`: a file with one name on each line and nothing else */
export const INPUT_FORMATS = ['csv', 'tsv', 'jsonl', 'lines'] as const;
export type InputFormat = (typeof INPUT_FORMATS)[number];

/** the formats of the result of a job */
export const OUTPUT_FORMATS = ['csv', 'jsonl'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** The formats of `doi bulk`, which can also write TSV. */
export const FILE_FORMATS = ['csv', 'tsv', 'jsonl'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export const ENCODINGS = ['utf-8', 'windows-1252'] as const;
export type FileEncoding = (typeof ENCODINGS)[number];

/** The file cannot be used as requested. The message is for the user. */
export class TableError extends Error {
  override readonly name = 'TableError';
}

/** Plain data, because jobs store the shape as JSON. */
export interface TableShape {
  readonly format: InputFormat;
  /** the delimiter of CSV and TSV */
  readonly delimiter: string;
  /** Default: UTF-8, and Windows-1252 as a guess for rows that are not UTF-8. */
  readonly encoding?: FileEncoding;
  /** Whether the file begins with a byte order mark. Missing in jobs of earlier versions. */
  readonly hasMark?: boolean;
  /** Whether a return alone ends each line. Missing in other files. */
  readonly hasReturns?: boolean;
  /** whether the first row is a header, not a name */
  readonly hasHeader: boolean;
  /** the names of the columns. Without a header: `column1`, `column2`, … For JSON Lines: the keys of the first object. */
  readonly columns: readonly string[];
  /** the index of the column with the names. For JSON Lines: the key of the names. */
  readonly nameColumn: number | string;
  /** The columns that together hold a reference, in this order; for JSON Lines the keys. Missing if the rows have names. */
  readonly referenceColumns?: readonly (number | string)[];
  /** the start of the rows, after the header */
  readonly start: Position;
}

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
  const mayBeHeader = /[,;|]/.test(line) || /^\s*"?doi"?\s*$/i.test(line);
  return mayBeHeader && parseDoi(line).problem !== null ? 'csv' : 'lines';
}

/** Finds the delimiter of CSV in a header. In countries with a decimal comma, spreadsheets write semicolons. */
export function delimiterOf(header: string): string {
  return [',', ';', '|'].find((delimiter) => header.includes(delimiter)) ?? ',';
}

/** The delimiter of a first line such as `sep=;`, which spreadsheets write; null for any other line. */
export function statedDelimiter(line: string): string | null {
  return /^\uFEFF?"?sep=([^"\w\s]|\t)"?$/i.exec(line)?.[1] ?? null;
}

/** Reads the option for the delimiter. Throws a TableError. */
export function readDelimiter(text: string): string {
  if (/^(?:tab|\\t|\t)$/i.test(text)) return '\t';
  if (/^[^\w\s"]$/u.test(text)) return text;
  throw new TableError('--delimiter must be one character such as ; or |, or "tab".');
}

/** Returns the index of the column. @param given the name of the column, or its number from 1 */
export function chooseColumn(columns: readonly string[], given: string | undefined): number {
  if (given === undefined)
    return columns.length === 1 ? 0 : (byName(columns, 'doi') ?? throwNoColumn(columns));
  const found = byName(columns, given);
  if (found !== undefined) return found;
  const number = /^[1-9][0-9]{0,4}$/.test(given) ? Number(given) : 0;
  if (number >= 1 && number <= columns.length) return number - 1;
  throw new TableError(
    `The file has no column ${JSON.stringify(given.slice(0, 60))}. ${listOfColumns(columns, given)}`,
  );
}

/** @param keys the keys of the first object */
export function chooseKey(keys: readonly string[], given: string | undefined): string {
  if (given !== undefined) return given;
  const [only, ...others] = keys;
  if (only === undefined) return 'doi';
  return others.length === 0 ? only : (keys[byName(keys, 'doi') ?? throwNoColumn(keys)] as string);
}

/** Prefers a column with exactly this name to a column that differs in letter case. Throws if several columns match. */
function byName(columns: readonly string[], name: string): number | undefined {
  const wanted = name.trim().toLowerCase();
  const exactMatches = columns.flatMap((column, index) => (column === name ? [index] : []));
  const matches = columns.flatMap((column, index) => (column.trim().toLowerCase() === wanted ? [index] : []));
  const [found, ...more] = exactMatches.length > 0 ? exactMatches : matches;
  if (more.length === 0) return found;
  throw new TableError(`The file has several columns ${JSON.stringify(name)}. Choose one by its number.`);
}

function throwNoColumn(columns: readonly string[]): never {
  throw new TableError(
    `Which column holds the names? Give its name or number with --column. ${listOfColumns(columns)}`,
  );
}

const MAX_SHOWN_COLUMNS = 5;

/** Lists a few columns, because a file can have hundreds. The columns that are most like `given` come first. */
function listOfColumns(columns: readonly string[], given = ''): string {
  const wanted = given.slice(0, MAX_COMPARED).toLowerCase();
  const distance = (column: string) => editDistance(wanted, column.slice(0, MAX_COMPARED).toLowerCase());
  const ranked = columns.slice(0, MAX_RANKED).map((column) => ({ column, distance: distance(column) }));
  if (wanted !== '' && columns.length > MAX_SHOWN_COLUMNS) ranked.sort((a, b) => a.distance - b.distance);
  const shown = ranked.slice(0, MAX_SHOWN_COLUMNS).map(({ column }) => JSON.stringify(column.slice(0, 30)));
  const more = columns.length - shown.length;
  return `It has ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`;
}

/** At most this many columns are compared with the given column, and at most this many characters of each. */
const MAX_RANKED = 500;
const MAX_COMPARED = 30;
