// Which rows are one DOI.

import type { Row } from './row.ts';

/** Rows that all name one DOI. */
export interface SameDoi {
  /** counted from 1, in the order of their first rows */
  readonly group: number;
  /** index of the first row */
  readonly first: number;
  readonly size: number;
}

/**
 * By `doiKey`; keys that only one row has are left out. The gateway sorts what it gets in one request; the
 * keys join the parts of a list that takes several.
 */
export function sameDois(rows: readonly Row[]): ReadonlyMap<string, SameDoi> {
  const sizes = new Map<string, { first: number; size: number }>();
  for (const { doiKey, index } of rows) {
    if (doiKey === null) continue;
    const counted = sizes.get(doiKey);
    if (counted) counted.size += 1;
    else sizes.set(doiKey, { first: index, size: 1 });
  }
  const several = [...sizes].filter(([, { size }]) => size > 1);
  return new Map(several.map(([key, { first, size }], place) => [key, { group: place + 1, first, size }]));
}
