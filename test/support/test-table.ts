// A table of cases as one test, whose message lists each row that fails.

import { inspect } from 'node:util';
import { test } from 'vitest';

/** The timeout of one row. */
const ROW_TIMEOUT_MS = 20_000;

/** The longest timeout of a whole table. */
const MAX_TIMEOUT_MS = 180_000;

/** The message shows this much of a row. */
const MAX_ROW_CHARACTERS = 200;

type Declare<Row extends readonly unknown[]> = (title: string, check: (...row: [...Row]) => unknown) => void;

/**
 * Like `test.each`, but one test: `testTable(ROWS)('%s is %s', check)`. `check` gets the elements of each row, or the
 * row itself if it is no array, one row after the other. The message lists every failing row with its error. A row that
 * takes longer than 20 s fails.
 */
export function testTable<Row extends unknown[] | [unknown]>(rows: readonly Row[]): Declare<Row>;
export function testTable<Row extends readonly unknown[]>(rows: readonly Row[]): Declare<Row>;
export function testTable<Row>(rows: readonly Row[]): Declare<[Row]>;
export function testTable(rows: readonly unknown[]): Declare<unknown[]> {
  return (title, check) => {
    const name = title.replace(/%[sdifjoO]|\$[\w.]+/g, '…');
    const timeout = Math.min(rows.length * ROW_TIMEOUT_MS + ROW_TIMEOUT_MS, MAX_TIMEOUT_MS);
    test(`${name} (${rows.length} rows)`, { timeout }, async () => {
      const failures: string[] = [];
      for (const row of rows) {
        const start = performance.now();
        try {
          await check(...(Array.isArray(row) ? row : [row]));
          const elapsedMs = performance.now() - start;
          if (elapsedMs > ROW_TIMEOUT_MS) throw new Error(`The row took ${Math.round(elapsedMs)} ms.`);
        } catch (error) {
          failures.push(`${shown(row)}\n${error instanceof Error ? error.message : inspect(error)}`);
        }
      }
      if (rows.length === 0) throw new Error('The table has no rows.');
      if (failures.length > 0)
        throw new Error(`${failures.length} of ${rows.length} rows fail:\n\n${failures.join('\n\n')}`);
    });
  };
}

function shown(row: unknown): string {
  const text = inspect(row, { breakLength: Number.POSITIVE_INFINITY });
  return text.length > MAX_ROW_CHARACTERS ? `${text.slice(0, MAX_ROW_CHARACTERS)}…` : text;
}
