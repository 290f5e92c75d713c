// Chooses the column of a table, or the key of JSON Lines, that contains the names.

import { TableError } from './table-shape.ts';

/** Returns the index of the column. @param given the name of the column, or its number from 1 */
export function chooseColumn(columns: readonly string[], given: string | undefined): number {
  if (given === undefined)
    return columns.length === 1 ? 0 : (byName(columns, 'doi') ?? columnMissing(columns));
  const found = byName(columns, given);
  if (found !== undefined) return found;
  const number = /^[1-9][0-9]{0,4}$/.test(given) ? Number(given) : 0;
  if (number >= 1 && number <= columns.length) return number - 1;
  throw new TableError(`The file has no column ${JSON.stringify(given)}. ${listed(columns)}`);
}

/** @param keys the keys of the first object */
export function chooseKey(keys: readonly string[], given: string | undefined): string {
  if (given !== undefined) return given;
  const [only, ...others] = keys;
  if (only === undefined) return 'doi';
  return others.length === 0 ? only : (keys[byName(keys, 'doi') ?? columnMissing(keys)] as string);
}

/** Prefers a column with exactly this name to a column that differs in letter case. Throws if several columns match. */
function byName(columns: readonly string[], name: string): number | undefined {
  const wanted = name.trim().toLowerCase();
  const exact = columns.flatMap((column, index) => (column === name ? [index] : []));
  const alike = columns.flatMap((column, index) => (column.trim().toLowerCase() === wanted ? [index] : []));
  const [found, ...more] = exact.length > 0 ? exact : alike;
  if (more.length === 0) return found;
  throw new TableError(
    `The file has several columns ${JSON.stringify(name)}. Give the number of one with --column.`,
  );
}

function columnMissing(columns: readonly string[]): never {
  throw new TableError(
    `Which column holds the names? Give its name or number with --column. ${listed(columns)}`,
  );
}

function listed(columns: readonly string[]): string {
  const shown = columns.slice(0, 20).map((column) => JSON.stringify(column.slice(0, 60)));
  const more = columns.length - shown.length;
  return `It has ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`;
}
