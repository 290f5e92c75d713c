// The columns of `--reference`, and the name or the reference that the cells of a row have.

import { chooseColumn, chooseKey, TableError, type TableShape } from './table-shape.ts';

type ChosenColumns = Pick<TableShape, 'nameColumn' | 'referenceColumns'>;

/** Chooses the column of the names, or the columns of the references. Throws a TableError. */
export function chosenColumns(
  columns: readonly string[],
  reference: string | undefined,
  column: string | undefined,
  choose: typeof chooseColumn | typeof chooseKey,
): ChosenColumns {
  if (reference === undefined) return { nameColumn: choose(columns, column) };
  const referenceColumns = referenceColumnsOf(columns, reference, choose === chooseKey);
  return { nameColumn: referenceColumns[0] as number | string, referenceColumns };
}

/** The details of a reference have fewer columns. */
const MAX_REFERENCE_COLUMNS = 20;

/** The columns of a list such as `author,year,3`. Throws a TableError. @param keys whether they are keys of JSON Lines */
function referenceColumnsOf(
  columns: readonly string[],
  list: string,
  keys: boolean,
): readonly (number | string)[] {
  const words = list.split(',').map((word) => word.trim());
  const given = words.filter((word) => word !== '');
  if (given.length === 0) throw new TableError('--reference needs columns, as in author,year,title.');
  if (given.length > MAX_REFERENCE_COLUMNS) {
    throw new TableError(
      `--reference has ${given.length} columns. At most ${MAX_REFERENCE_COLUMNS} are allowed.`,
    );
  }
  return given.map((word) => (keys ? word : chooseColumn(columns, word)));
}

/** Throws a TableError if an option for names is given beside --reference. @param options the options for names */
export function refuseOptionsForNames(options: Readonly<Record<string, unknown>>): void {
  const [given] = Object.entries(options).find(([, value]) => value !== undefined && value !== false) ?? [];
  if (given === undefined) return;
  throw new TableError(`--reference and --${given} do not go together: rows with references have no names.`);
}

/** The name or the reference of a row of cells. */
export function nameInCells(
  cells: readonly string[],
  { nameColumn, referenceColumns }: ChosenColumns,
): string {
  if (referenceColumns) return referenceOf(referenceColumns.map((column) => cells[Number(column)]));
  return cells[Number(nameColumn)] ?? '';
}

/** The name or the reference of a JSON object. Null if the object has no text under the key of the names. */
export function nameInObject(
  object: Readonly<Record<string, unknown>>,
  { nameColumn, referenceColumns }: ChosenColumns,
): string | null {
  const cellAt = (key: string | number): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);
  if (referenceColumns) return referenceOf(referenceColumns.map(cellAt));
  const name = cellAt(nameColumn);
  return typeof name === 'string' ? name : null;
}

/** Joins the words of the cells. JSON can have numbers, and lists of authors. Other values have no words. */
function referenceOf(cells: readonly unknown[]): string {
  const isWords = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';
  const words = cells.flatMap((cell) => (Array.isArray(cell) ? cell : [cell])).filter(isWords);
  return words
    .map((word) => String(word).replaceAll(/\s+/g, ' ').trim())
    .filter((word) => word !== '')
    .join('. ');
}
