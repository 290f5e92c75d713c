// The columns of `--reference`, and the reference that their words are.

import { chooseColumn, chooseKey, TableError, type TableShape } from './table-shape.ts';

/** Chooses the column of the names, or the columns of the references. Throws a TableError. */
export function chosenColumns(
  columns: readonly string[],
  reference: string | undefined,
  column: string | undefined,
  choose: typeof chooseColumn | typeof chooseKey,
): Pick<TableShape, 'nameColumn' | 'referenceColumns'> {
  if (reference === undefined) return { nameColumn: choose(columns, column) };
  const referenceColumns = referenceColumnsOf(columns, reference, choose === chooseKey);
  return { nameColumn: referenceColumns[0] as number | string, referenceColumns };
}

/** The columns of a list such as `author,year,3`. Throws a TableError. @param keys whether they are keys of JSON Lines */
function referenceColumnsOf(
  columns: readonly string[],
  list: string,
  keys: boolean,
): readonly (number | string)[] {
  const words = list.split(',').map((word) => word.trim());
  const given = words.filter((word) => word !== '');
  if (given.length === 0) throw new TableError('--reference needs columns, as in author,year,title.');
  return given.map((word) => (keys ? word : chooseColumn(columns, word)));
}

/** Joins the words of the cells. JSON can have numbers, and lists of authors. Other values have no words. */
export function referenceOf(cells: readonly unknown[]): string {
  const isWords = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';
  const words = cells.flatMap((cell) => (Array.isArray(cell) ? cell : [cell])).filter(isWords);
  return words
    .map((word) => String(word).replaceAll(/\s+/g, ' ').trim())
    .filter((word) => word !== '')
    .join('. ');
}
