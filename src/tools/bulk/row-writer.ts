// Writes rows with their answers as CSV or JSON Lines: first the columns of the input, then the fields, then the error.

import { type Options, stringify } from 'csv-stringify/sync';
import { csvCells } from './csv-cells.ts';
import { ERROR_COLUMN, type Field, type FieldValue } from './fields.ts';
import { errorText, type RowAnswer, readErrorText } from './read-outcome.ts';
import { BYTE_ORDER_MARK, hasEvenQuotes } from './records.ts';
import { brokenRow, objectOf, type Row } from './row.ts';
import { type FileFormat, TableError, type TableShape } from './table-shape.ts';

export interface WriterOptions {
  readonly format: FileFormat;
  /** for CSV: writes an apostrophe before cells that Excel would run as a formula, and a mark, so that Excel reads UTF-8 */
  readonly excel?: boolean | undefined;
  /** a text before the name of each new column, for a file that already has columns with these names */
  readonly prefix?: string | undefined;
}

/** Every row of the result has all columns, so many or long columns would make the result large. */
const MAX_COLUMNS = 2_000;
const MAX_COLUMN_CHARACTERS = 64_000;

/** Throws a TableError if the columns of the input conflict with the fields. */
export function createRowWriter(
  shape: TableShape,
  fields: readonly Field[],
  { format, excel = false, prefix = '' }: WriterOptions,
): RowWriter {
  const added = [...fields.map(({ name }) => `${prefix}${name}`), `${prefix}${ERROR_COLUMN}`];
  const taken = added.find((name) => shape.columns.includes(name));
  if (taken !== undefined) {
    throw new TableError(
      `The file has a column ${JSON.stringify(taken)} already. Give --prefix for the new columns.`,
    );
  }
  if (shape.format !== 'jsonl' || format !== 'jsonl') checkColumns(shape);
  if (format === 'jsonl') return jsonWriter(shape, added);
  return csvWriter(shape, added, excel, format === 'tsv' ? '\t' : undefined);
}

function checkColumns({ columns }: TableShape): void {
  if (columns.length > MAX_COLUMNS)
    throw new TableError(`The file has ${columns.length} columns. At most ${MAX_COLUMNS} are allowed.`);
  if (columns.join('').length > MAX_COLUMN_CHARACTERS)
    throw new TableError(
      `The names of the columns are longer than ${MAX_COLUMN_CHARACTERS} characters together. Is the first row a header?`,
    );
}

/** Writes JSON Lines. Keeps the JSON of the input unchanged. @param added the names of the fields and the key for errors */
function jsonWriter({ columns }: TableShape, added: readonly string[]): RowWriter {
  const seen = new Set<string>();
  const twice = columns.find((name) => seen.size === seen.add(name).size);
  if (twice !== undefined) {
    throw new TableError(
      `The file has several columns ${JSON.stringify(twice)}. JSON cannot have the same key twice. Write CSV.`,
    );
  }
  const keys = added.map((name) => JSON.stringify(name));
  const columnKeys = columns.map((name) => JSON.stringify(name));

  function beginning(row: Row): string {
    if (row.problem !== null) return `{"text":${JSON.stringify(row.text)},`;
    if (row.object === null) {
      const members = columnKeys.map((key, index) => `${key}:${JSON.stringify(row.cells[index])}`);
      return `{${members.join()},`;
    }
    const opened = row.text.slice(0, row.text.lastIndexOf('}'));
    return Object.keys(row.object).length === 0 ? opened : `${opened},`;
  }

  return {
    header: '',
    checked(row) {
      const { object } = row;
      if (object === null || !added.some((key) => Object.hasOwn(object, key))) return row;
      return brokenRow(row.start, row.end, row.text, 'TAKEN_KEY');
    },
    text: (rows, answers) =>
      rows.map((row, index) => `${beginning(row)}${members(answers[index] as RowAnswer)}}\n`).join(''),
    beginning,
    isComplete: () => true,
    readAnswer(text) {
      const object = objectOf(`{${text}`);
      if (object === null || Object.keys(object).join() !== added.join()) return null;
      const values = Object.values(object) as FieldValue[];
      return { values: values.slice(0, -1), ...readErrorText(values.at(-1) as string | null) };
    },
  };

  function members(answer: RowAnswer): string {
    return [...answer.values, errorText(answer)]
      .map((value, index) => `${keys[index]}:${JSON.stringify(value)}`)
      .join();
  }
}

/** Writes CSV and TSV. @param added the names of the fields and the column for errors */
function csvWriter(
  shape: TableShape,
  added: readonly string[],
  excel: boolean,
  delimiter = shape.delimiter === '\t' ? ',' : shape.delimiter,
): RowWriter {
  const { columns } = shape;
  if (shape.format === 'jsonl' && columns.length === 0) {
    throw new TableError(
      'The first line is not a JSON object, so there are no columns for CSV. Write JSON Lines.',
    );
  }
  const options: Options = { delimiter, record_delimiter: '\n', escape_formulas: excel };
  const known = new Set(columns);
  const mark = excel || shape.hasMark ? BYTE_ORDER_MARK.toString() : '';
  const isHeadless = !shape.hasHeader && (shape.format === 'csv' || shape.format === 'tsv');

  function cellsOf(row: Row): readonly string[] {
    if (row.problem !== null) return columns.map((_, index) => (index === 0 ? row.text : ''));
    return row.object === null ? row.cells : columns.map((key) => jsonCell(row.object, key));
  }

  return {
    header: mark + (isHeadless ? '' : stringify([[...columns, ...added]], options)),
    checked(row) {
      if (row.object === null || Object.keys(row.object).every((key) => known.has(key))) return row;
      return brokenRow(row.start, row.end, row.text, 'UNKNOWN_KEY');
    },
    text: (rows, answers) =>
      stringify(
        rows.map((row, index) => [...cellsOf(row), ...answerCells(answers[index] as RowAnswer)]),
        options,
      ),
    beginning: (row) => stringify([[...cellsOf(row), '']], options).slice(0, -1),
    isComplete: hasEvenQuotes,
    readAnswer(text) {
      const cells = csvCells(text.replace(/\n$/, ''), delimiter);
      if (cells?.length !== added.length) return null;
      return { values: cells.slice(0, -1), ...readErrorText(cells.at(-1) || null) };
    },
  };
}

function answerCells(answer: RowAnswer): readonly string[] {
  return [...answer.values.map(cellOf), errorText(answer) ?? ''];
}

/** Separates several values by spaces. */
function cellOf(value: FieldValue): string {
  return value === null ? '' : typeof value === 'object' ? value.join(' ') : String(value);
}

function jsonCell(object: Row['object'], key: string): string {
  const value = object && Object.hasOwn(object, key) ? object[key] : null;
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export interface RowWriter {
  /** A byte order mark, if the output has one, and the header. JSON Lines have neither. */
  readonly header: string;
  /** Returns the row. If the output cannot hold the row: returns a row with a problem. Call this before the look-up. */
  checked(row: Row): Row;
  /** Writes complete rows, each with a line end. */
  text(rows: readonly Row[], answers: readonly RowAnswer[]): string;
  /** Writes the part of a row before its answer. */
  beginning(row: Row): string;
  /** Whether a text contains a complete row. The caller cuts the text after a line end, which can be inside a quoted cell. */
  isComplete(text: Buffer): boolean;
  /** Reads the text after the beginning of a row. All values from CSV are strings. Returns null if the text is no answer. */
  readAnswer(text: string): RowAnswer | null;
}
