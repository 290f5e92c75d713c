// Which column holds the names.

import { TableError } from './table-error.ts';

/** @param asked its name, or its number from 1 */
export function chooseColumn(columns: readonly string[], asked: string | undefined): number {
  if (asked === undefined) return columns.length === 1 ? 0 : (byName(columns, 'doi') ?? notTold(columns));
  const found = byName(columns, asked);
  if (found !== undefined) return found;
  const number = /^[1-9][0-9]{0,4}$/.test(asked) ? Number(asked) : 0;
  if (number >= 1 && number <= columns.length) return number - 1;
  throw new TableError(`The file has no column ${JSON.stringify(asked)}. ${listed(columns)}`);
}

/** @param keys of the first object; others may have more */
export function chooseKey(keys: readonly string[], asked: string | undefined): string {
  if (asked !== undefined) return asked;
  const [only, ...others] = keys;
  if (only === undefined) return 'doi';
  return others.length === 0 ? only : (keys[byName(keys, 'doi') ?? notTold(keys)] as string);
}

/** As it is written, else in any case. Throws where several are called so. */
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

function notTold(columns: readonly string[]): never {
  throw new TableError(
    `Which column holds the names? Give its name or number with --column. ${listed(columns)}`,
  );
}

function listed(columns: readonly string[]): string {
  const shown = columns.slice(0, 20).map((column) => JSON.stringify(column.slice(0, 60)));
  const more = columns.length - shown.length;
  return `It has ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`;
}
