// Compares the answers of a run with an earlier result of `doi bulk`, for --since. The answers of the earlier result are in
// a temporary file. Memory has up to 80 bytes for each distinct input.

import { type AnswerStore, createAnswerStore, DistinctNames, nameKey } from './distinct-names.ts';
import { ERROR_COLUMN, type Field } from './fields.ts';
import { openTable } from './input-table.ts';
import { errorText, isFailed, type RowAnswer, readErrorText } from './read-outcome.ts';
import { objectOf, ROW_PROBLEMS, type Row } from './row.ts';
import { formatOfFile, TableError, type TableShape } from './table-shape.ts';

/** The columns that --since adds before the column `error`. */
export const CHANGE_COLUMNS = ['change', 'changedFields'] as const;

/** `unknown`: the look-up failed, so the answer might have changed. */
export const CHANGES = ['changed', 'new', 'gone', 'unknown'] as const;
export type Change = (typeof CHANGES)[number];

export interface EarlierResult {
  /** Returns null if the answer did not change. Marks the input of the row as present. */
  compare(
    row: Row,
    answer: RowAnswer,
  ): { readonly change: Change; readonly fields: readonly string[] } | null;
  /** The inputs, each once, that `compare` did not get, in the order of the earlier result. */
  goneInputs(): Iterable<string>;
  close(): void;
}

interface EarlierOptions {
  /** the name of the file, for messages */
  readonly file: string;
  /** the layout of the new input */
  readonly shape: TableShape;
  readonly fields: readonly Field[];
  readonly prefix?: string | undefined;
}

/** Reads the whole earlier result in a stream. Rejects with a TableError if it is not a result with these fields. */
export async function readEarlierResult(
  bytes: AsyncIterable<Uint8Array>,
  options: EarlierOptions,
): Promise<EarlierResult> {
  const store = createAnswerStore(null);
  try {
    await storeRows(store, bytes, options);
  } catch (error) {
    store.close();
    if (error instanceof TableError)
      throw new TableError(`${options.file}: ${error.message}`, { cause: error });
    throw error;
  }
  return comparison(store, options.fields);
}

function comparison(store: AnswerStore, fields: readonly Field[]): EarlierResult {
  const present = new DistinctNames();
  return {
    compare(row, answer) {
      const key = nameKey(inputOf(row));
      present.set(key, 0);
      const earlier = store.get(key)?.values.slice(1);
      if (isFailed(answer)) return { change: 'unknown', fields: [] };
      if (earlier === undefined) return { change: 'new', fields: [] };
      const cells = [...answer.values, errorText(answer)].map(cellText);
      const names = [...fields.map(({ name }) => name), ERROR_COLUMN];
      const changed = names.filter((_, index) => cells[index] !== earlier[index]);
      return changed.length === 0 ? null : { change: 'changed', fields: changed };
    },
    *goneInputs() {
      for (const { values } of store.answers()) {
        const input = String(values[0]);
        const key = nameKey(input);
        if (present.get(key) !== undefined) continue;
        present.set(key, 0);
        yield input;
      }
    },
    close: () => store.close(),
  };
}

/** A row with a problem has no name, so its text is compared. */
function inputOf(row: Row): string {
  return cellText(row.problem === null ? row.name : row.text);
}

/** A result has the apostrophe of --excel before such cells. */
const ESCAPED = /^'(?=[=+\-@\t\r＝＋－＠])/;

/** The text of a value in CSV, so that results in all formats compare alike. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(String).join(' ').replace(ESCAPED, '');
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).replace(ESCAPED, '');
}

async function storeRows(
  store: AnswerStore,
  bytes: AsyncIterable<Uint8Array>,
  { file, shape, fields, prefix = '' }: EarlierOptions,
): Promise<void> {
  const isHeadless = !shape.hasHeader && (shape.format === 'csv' || shape.format === 'tsv');
  const nameColumn =
    typeof shape.nameColumn === 'string' ? shape.nameColumn : shape.columns[shape.nameColumn];
  const added = [...fields.map(({ name }) => name), ERROR_COLUMN].map((name) => `${prefix}${name}`);
  const table = await openTable(bytes, {
    format: formatOfFile(file) ?? undefined,
    column: '1',
    hasHeader: !isHeadless,
  });
  const { format, columns } = table.shape;
  const isJson = format === 'jsonl';
  if (isHeadless && !isJson && columns.length !== shape.columns.length + added.length)
    throw notResult(`it has ${columns.length} columns, not ${shape.columns.length + added.length}`);
  const names = isHeadless && !isJson ? [...shape.columns, ...added] : columns;
  const indexes = [nameColumn ?? '', ...added].map((name) => names.indexOf(name));
  const missing = isJson ? added.find((name) => !names.includes(name)) : missingColumn();
  if (format === 'lines' || missing !== undefined)
    throw notResult(`it has no column ${JSON.stringify(missing ?? added[0])}`);
  const partial = names.lastIndexOf(`${prefix}${CHANGE_COLUMNS[0]}`);
  if (partial !== -1 && names[partial + 1] === `${prefix}${CHANGE_COLUMNS[1]}`)
    throw new TableError('this file has only changes, because --since wrote it. Give a whole result.');

  for await (const rows of table.rows) {
    for (const row of rows) {
      const cells = isJson ? ofObject(row) : row.problem === null ? ofCells(row) : null;
      if (cells === null) {
        const problem = row.problem?.message ?? 'Keys are missing.';
        throw new TableError(
          `line ${row.start.line} cannot be read: ${problem} If the earlier run was interrupted, complete this file with --resume.`,
        );
      }
      const [input = '', ...values] = cells;
      const answer = { values: [input, ...values], error: null };
      // Of several rows with the same input, the last row whose look-up did not fail counts.
      const key = nameKey(input);
      const { error } = readErrorText(values.at(-1) || null);
      if (!isFailed({ values: [], error }) || store.get(key) === undefined) store.keep(key, answer);
    }
  }

  function missingColumn(): string | undefined {
    const at = indexes.indexOf(-1);
    return at === -1 ? undefined : [nameColumn ?? '', ...added][at];
  }

  function ofCells(row: Row): readonly string[] {
    const cells = indexes.map((index) => cellText(row.cells[index]));
    return Object.hasOwn(ROW_PROBLEMS, cells.at(-1) ?? '')
      ? [cellText(row.cells[0]), ...cells.slice(1)]
      : cells;
  }

  function ofObject(row: Row): readonly string[] | null {
    const object = row.object ?? objectOf(row.text);
    if (object === null || !added.every((key) => Object.hasOwn(object, key))) return null;
    const isBroken = Object.hasOwn(ROW_PROBLEMS, cellText(object[added.at(-1) as string]));
    const input = object[isBroken ? 'text' : (nameColumn ?? '')];
    return input === undefined ? null : [input, ...added.map((key) => object[key])].map(cellText);
  }
}

function notResult(reason: string): TableError {
  return new TableError(
    `this is not a result of the same call: ${reason}. Give --fields, --column and --prefix of the run that wrote it.`,
  );
}
