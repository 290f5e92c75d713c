// The most bytes that a row can take in the result. The gateway reserves this size on disk, and a worker writes no
// more.

import type { Field } from '../tools/bulk/fields.ts';
import type { OutputFormat } from '../tools/bulk/formats.ts';
import type { TableShape } from '../tools/bulk/table-shape.ts';

/** Bytes of fields whose values do not grow with the name. A longer value may use space that other rows do not use. */
const FIXED_BYTES: Readonly<Record<string, number>> = {
  form: 16,
  problem: 32,
  message: 300,
  looksLike: 32,
  warning: 60,
  exists: 8,
  statusCode: 8,
  status: 24,
  agency: 60,
  target: 250,
  chosenBy: 40,
  via: 150,
  alias: 120,
  title: 300,
  year: 8,
  creators: 600,
  container: 150,
  citation: 1_000,
  bibtex: 4_000,
  updates: 300,
};
/** Fields that may hold several names. */
const NAMES: Readonly<Record<string, number>> = { repaired: 2, meant: 3, suggestion: 3 };
/** Bytes of a link without the name: the URL before the name, the quotation marks and the delimiter. */
const AROUND_NAME = 28;
/** Bytes of an error code, with the delimiter and the line end. */
const ERROR_BYTES = 48;
/** In CSV, the delimiter and apostrophe of a cell. In JSON, the quotation marks, colon and comma of a member. */
const AROUND_CELL = { csv: 2, jsonl: 4 };

export interface ResultForm {
  readonly shape: TableShape;
  readonly format: OutputFormat;
  readonly prefix: string;
}

export interface ResultSize {
  /** the number of cells in each row */
  readonly cells: number;
  /** The most bytes of a row. @param kept the row as stored */
  bytesOf(kept: string, name: string | null): number;
}

export function createResultSize(
  { shape, format, prefix }: ResultForm,
  fields: readonly Field[],
): ResultSize {
  const isCopied = format === 'jsonl' && shape.format === 'jsonl';
  const columns = isCopied ? [] : shape.columns;
  const cells = columns.length + fields.length + 1;
  const keys = format === 'jsonl' ? [...columns, ...fields.map(({ name }) => prefix + name)] : [];
  const ofKeys = keys.reduce((sum, key) => sum + Buffer.byteLength(JSON.stringify(key)), 0);
  const ofFields = fields.reduce((sum, { name }) => sum + (FIXED_BYTES[name] ?? AROUND_NAME), 0);
  const names = fields.reduce((sum, { name }) => sum + (name in FIXED_BYTES ? 0 : (NAMES[name] ?? 1)), 0);
  const ofRow = ofKeys + cells * AROUND_CELL[format] + ofFields + prefix.length + ERROR_BYTES;
  return {
    cells,
    bytesOf: (kept, name) =>
      ofRow + Buffer.byteLength(kept) + (name === null ? 0 : names * encodedBytes(name)),
  };
}

/** The bytes of a name in a link. No other form of the name is longer. */
function encodedBytes(name: string): number {
  return encodeURIComponent(name.toWellFormed()).length;
}
