// The largest size of a result, which the gateway reserves on disk when a file arrives.

import type { Field } from '../tools/bulk/fields.ts';
import { hasReferences, type JobTask } from './store/job-store.ts';

/** The reserved bytes for fields whose values do not contain the name. A longer value uses reserved bytes of other rows. */
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
  tombstone: 80,
  chosenBy: 40,
  via: 150,
  alias: 120,
  title: 300,
  year: 8,
  creators: 600,
  container: 150,
  citation: 1_000,
  kind: 20,
  abstract: 3_000,
  licenses: 200,
  funders: 300,
  issn: 30,
  isbn: 40,
  subjects: 600,
  affiliations: 1_500,
  citationCount: 10,
  referenceCount: 10,
  bibtex: 4_000,
  updates: 300,
  outcome: 16,
  doi: 60,
  agrees: 80,
  differs: 600,
  candidates: 300,
};
/** For fields that can have several names: for how many names the gateway reserves bytes. */
const NAMES_IN_FIELD: Readonly<Record<string, number>> = { repaired: 2, meant: 3, suggestion: 3 };
/** The bytes of the name of a work that a search finds. */
const FOUND_NAME_BYTES = 60;
/** The bytes around a name in a field: the beginning of a link, the quotation marks and the delimiter. */
const AROUND_NAME = 28;
/** The bytes of an error code with a service, the delimiter and the line end. */
const ERROR_BYTES = 112;
/** The bytes around a cell. CSV: the delimiter and an apostrophe. JSON: two quotation marks, a colon and a comma. */
const AROUND_CELL = { csv: 2, jsonl: 4 };

/**
 * Computes the largest number of bytes of a row in the result. When a file arrives, the gateway reserves these bytes on
 * disk. Workers write no larger results.
 */
export function createResultSize(task: JobTask, fields: readonly Field[]) {
  const { shape, format, prefix } = task;
  const isCopied = format === 'jsonl' && shape.format === 'jsonl';
  const columns = isCopied ? [] : shape.columns;
  const cells = columns.length + fields.length + 1;
  const keys = format === 'jsonl' ? [...columns, ...fields.map(({ name }) => prefix + name)] : [];
  const keyBytes = keys.reduce((sum, key) => sum + Buffer.byteLength(JSON.stringify(key)), 0);
  const fieldBytes = fields.reduce((sum, { name }) => sum + (FIXED_BYTES[name] ?? AROUND_NAME), 0);
  const names = fields.reduce(
    (sum, { name }) => sum + (name in FIXED_BYTES ? 0 : (NAMES_IN_FIELD[name] ?? 1)),
    0,
  );
  const nameBytes = (name: string) => (hasReferences(task) ? FOUND_NAME_BYTES : encodedBytes(name));
  const fixedRowBytes = keyBytes + cells * AROUND_CELL[format] + fieldBytes + prefix.length + ERROR_BYTES;
  return {
    /** the number of cells in each row */
    cells,
    /**
     * Returns the largest number of bytes of a row.
     * @param stored the row as `storedRow` writes it
     * @param name the name or the reference of the row
     */
    bytesOf: (stored: string, name: string | null) =>
      fixedRowBytes + Buffer.byteLength(stored) + (name === null ? 0 : names * nameBytes(name)),
  };
}

/** Returns the number of bytes of a name in a link. No other form of the name is longer. */
function encodedBytes(name: string): number {
  return encodeURIComponent(name.toWellFormed()).length;
}
