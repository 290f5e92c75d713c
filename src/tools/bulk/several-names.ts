// Cells with several names: `10.1000/182||10.1000/183`. Repositories and people write them. The parser reads most of these
// cells as one name, so such a cell must not become one absent name.

import { canonicalName, type DoiName } from 'doi-names';
import { findDois, USUAL_NAME } from 'doi-names/parts';
import { answerNames, type BulkGateway, computedAnswer } from './answer-names.ts';
import { type Field, type FieldValue, readFields } from './fields.ts';
import { withMember } from './json-member.ts';
import { isFailed, NOT_IN_SAMPLE_CODE, type RowAnswer, SEVERAL_NAMES_CODE } from './read-outcome.ts';
import type { Row } from './row.ts';
import type { TableShape } from './table-shape.ts';

/** A longer cell is not searched, because a cell is searched in one turn of the event loop. */
const MAX_SEARCHED_CHARACTERS = 20_000;

/** The distinct names in a cell. Empty if the finder finds fewer than two names. Two equal names give one name. */
function severalNamesIn(cell: string): readonly DoiName[] {
  if (cell.length > MAX_SEARCHED_CHARACTERS) return [];
  // The finder is slow, and most cells contain the digits `10` only once, so they cannot have a second name.
  if (cell.indexOf('10', cell.indexOf('10') + 2) === -1 || USUAL_NAME.test(cell)) return [];
  const matches = findDois(cell);
  if (matches.length < 2) return [];
  const seen = new Set<string>();
  return matches.flatMap(({ name }) => (seen.size === seen.add(canonicalName(name)).size ? [] : [name]));
}

/** A cell with more names is not split, so that a short file does not become a huge file. */
const MAX_PARTS = 100;
/** The rows that replace one row have at most this many characters together. */
const MAX_SPLIT_CHARACTERS = 250_000;

/** The rows that replace a row with several names: one for each name. Empty if the row has one name, or is too large. */
export function splitRow(row: Row, { nameColumn }: Pick<TableShape, 'nameColumn'>): readonly Row[] {
  if (row.name === null || row.whole) return [];
  const names = severalNamesIn(row.name);
  const characters = row.cells.reduce((sum, cell) => sum + cell.length, row.text.length);
  if (names.length > MAX_PARTS || names.length * characters > MAX_SPLIT_CHARACTERS) return [];
  return names.map((name) => ({
    ...row,
    whole: row,
    name,
    cells: row.cells.map((cell, index) => (index === nameColumn ? name : cell)),
    ...(row.object !== null && {
      text: withMember(row.text, String(nameColumn), name),
      object: { ...row.object, [nameColumn]: name },
    }),
  }));
}

export interface SortedRows {
  /** the rows, with the rows of `split` in the place of the rows that they replace */
  readonly rows: readonly Row[];
  /** the answers of rows with several names, and of rows where the look-up of the whole cell as one name failed */
  readonly answers: ReadonlyMap<Row, RowAnswer>;
}

export interface SortOptions {
  readonly fields: readonly Field[];
  readonly gateway: BulkGateway;
  /** Returns the rows that replace a row with several names. Null: no row is replaced. */
  readonly split: ((row: Row) => readonly Row[]) | null;
  /** whether a row has an answer already */
  readonly isKnown?: (row: Row) => boolean;
}

const EXISTS = readFields('exists');

/**
 * Finds the rows with several names. A real name can contain `;` or `,`. So the function first looks up such a cell as
 * one name. If this name exists, the row has one name. If no field needs a look-up, the function makes no look-up. After
 * `stop`, a cell whose look-up has no answer counts as one name.
 */
export async function sortOutSeveralNames(
  rows: readonly Row[],
  { fields, gateway, split, isKnown = () => false }: SortOptions,
): Promise<SortedRows> {
  const several = new Map<Row, readonly DoiName[]>();
  for (const row of rows) {
    if (row.name === null || row.whole || isKnown(row)) continue;
    const names = severalNamesIn(row.name);
    if (names.length > 0) several.set(row, names);
  }
  if (several.size === 0) return { rows, answers: new Map() };
  const hasLookUps = fields.some(({ isLookUp }) => isLookUp);
  const cells = [...several.keys()].map(({ name }) => name as string);
  const found = hasLookUps ? await answerNames(cells, EXISTS, gateway) : [];
  const answers = new Map<Row, RowAnswer>();
  const parts = new Map<Row, readonly Row[]>();
  for (const [index, [row, names]] of [...several].entries()) {
    const whole = found[index];
    if (hasLookUps && (!whole || whole.values[0] === true)) continue;
    if (whole && isFailed(whole) && whole.error !== NOT_IN_SAMPLE_CODE) {
      answers.set(row, computedAnswer(cells[index] as string, fields, whole.error as string, gateway.form));
      continue;
    }
    const replacing = split?.(row) ?? [];
    if (replacing.length > 0) parts.set(row, replacing);
    else answers.set(row, severalAnswer(names, fields));
  }
  return { rows: rows.flatMap((row) => parts.get(row) ?? [row]), answers };
}

function severalAnswer(names: readonly DoiName[], fields: readonly Field[]): RowAnswer {
  const values: Readonly<Record<string, FieldValue>> = {
    problem: SEVERAL_NAMES_CODE,
    message: 'The cell has several names. Give each name its own row, or use the option split.',
    meant: names,
  };
  return { values: fields.map(({ name }) => values[name] ?? null), error: SEVERAL_NAMES_CODE };
}
