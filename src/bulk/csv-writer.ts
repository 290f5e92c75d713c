// Rows and their answers as CSV.

import { type Options, stringify } from 'csv-stringify/sync';
import type { Answer } from './answered-names.ts';
import { csvCells } from './csv-cells.ts';
import type { FieldValue } from './fields.ts';
import { hasEvenQuotes } from './records.ts';
import { brokenRow, type Row } from './row.ts';
import type { RowWriter } from './row-writer.ts';
import { TableError } from './table-error.ts';
import type { TableShape } from './table-shape.ts';

/** @param added the names of the fields, and of the column for errors */
export function csvWriter(shape: TableShape, added: readonly string[], excel: boolean): RowWriter {
  const { columns } = shape;
  if (shape.format === 'jsonl' && columns.length === 0) {
    throw new TableError(
      'The first line is no JSON object, so that there are no columns for CSV. Write JSON Lines.',
    );
  }
  const delimiter = shape.delimiter === ';' ? ';' : ',';
  const options: Options = { delimiter, record_delimiter: '\n', escape_formulas: excel };
  const known = new Set(columns);
  const isHeadless = !shape.hasHeader && (shape.format === 'csv' || shape.format === 'tsv');

  function cellsOf(row: Row): readonly string[] {
    if (row.problem !== null) return columns.map((_, index) => (index === 0 ? row.text : ''));
    return row.object === null ? row.cells : columns.map((key) => jsonCell(row.object, key));
  }

  return {
    header: isHeadless ? '' : stringify([[...columns, ...added]], options),
    checked(row) {
      if (row.object === null || Object.keys(row.object).every((key) => known.has(key))) return row;
      return brokenRow(row.start, row.end, row.text, 'UNKNOWN_KEY');
    },
    text: (rows, answers) =>
      stringify(
        rows.map((row, index) => [...cellsOf(row), ...answerCells(answers[index] as Answer)]),
        options,
      ),
    beginning: (row) => stringify([[...cellsOf(row), '']], options).slice(0, -1),
    isWhole: hasEvenQuotes,
    readAnswer(text) {
      const cells = csvCells(text.replace(/\n$/, ''), delimiter);
      if (cells?.length !== added.length) return null;
      return { values: cells.slice(0, -1), error: cells.at(-1) || null };
    },
  };
}

function answerCells({ values, error }: Answer): readonly string[] {
  return [...values.map(cellOf), error ?? ''];
}

/** Several are divided by spaces. */
function cellOf(value: FieldValue): string {
  return value === null ? '' : typeof value === 'object' ? value.join(' ') : String(value);
}

function jsonCell(object: Row['object'], key: string): string {
  const value = object && Object.hasOwn(object, key) ? object[key] : null;
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
