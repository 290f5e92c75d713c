// The writer of CSV or of JSON Lines.

import { csvWriter } from './csv-writer.ts';
import { ERROR_COLUMN, type Field } from './fields.ts';
import type { OutputFormat } from './formats.ts';
import { jsonWriter } from './json-writer.ts';
import type { RowWriter } from './row-writer.ts';
import { TableError } from './table-error.ts';
import type { TableShape } from './table-shape.ts';

export interface WriterOptions {
  readonly format: OutputFormat;
  /** cells that a spreadsheet would take for a formula get an apostrophe before them (CSV) */
  readonly excel?: boolean | undefined;
  /** before the name of each field, for a file that has columns of the same names */
  readonly prefix?: string | undefined;
}

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
  return format === 'csv' ? csvWriter(shape, added, excel) : jsonWriter(shape, added);
}
