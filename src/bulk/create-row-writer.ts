// The writer of CSV or of JSON Lines.

import { csvWriter } from './csv-writer.ts';
import { ERROR_COLUMN, type Field } from './fields.ts';
import type { FileFormat } from './formats.ts';
import { jsonWriter } from './json-writer.ts';
import type { RowWriter } from './row-writer.ts';
import { TableError } from './table-error.ts';
import type { TableShape } from './table-shape.ts';

export interface WriterOptions {
  readonly format: FileFormat;
  /** cells that a spreadsheet would take for a formula get an apostrophe before them (CSV) */
  readonly excel?: boolean | undefined;
  /** before the name of each field, for a file that has columns of the same names */
  readonly prefix?: string | undefined;
}

/** Every row of the result has each of them, however short the row was. */
const MAX_COLUMNS = 2_000;
const MAX_COLUMN_CHARACTERS = 64_000;

/** Throws a TableError where the input's columns and the fields do not go together. */
export function createRowWriter(
  shape: TableShape,
  fields: readonly Field[],
  { format, excel = false, prefix = '' }: WriterOptions,
): RowWriter {
  const added = [...fields.map(({ name }) => `${prefix}${name}`), `${prefix}${ERROR_COLUMN}`];
  const taken = added.find((name) => shape.columns.includes(name));
  if (taken !== undefined) {
    throw new TableError(
      `The file has a column ${JSON.stringify(taken)} already. Give --prefix for the new ones.`,
    );
  }
  if (shape.format !== 'jsonl' || format !== 'jsonl') checkColumns(shape);
  if (format === 'jsonl') return jsonWriter(shape, added);
  return csvWriter(shape, added, excel, format === 'tsv' ? '\t' : undefined);
}

function checkColumns({ columns }: TableShape): void {
  if (columns.length > MAX_COLUMNS)
    throw new TableError(`The file has ${columns.length} columns. There may be ${MAX_COLUMNS}.`);
  if (columns.join('').length > MAX_COLUMN_CHARACTERS)
    throw new TableError(
      `The names of the columns are longer than ${MAX_COLUMN_CHARACTERS} characters together. Is the first row a header?`,
    );
}
