// Counts the rows of a run by outcome.

import type { Field } from './fields.ts';
import { EMPTY, NOT_IN_SAMPLE_CODE, type RowAnswer } from './read-outcome.ts';
import { ROW_PROBLEMS } from './row.ts';

export interface Summary {
  readonly rows: number;
  /** counted only if `exists` is a requested field, as is `absent` */
  readonly found: number;
  readonly absent: number;
  /** rows without a name */
  readonly empty: number;
  /** names that are not in the sample: they may exist or not */
  readonly unknown: number;
  /** inputs that are not DOI names */
  readonly invalid: number;
  /** unreadable rows */
  readonly broken: number;
  /** failed look-ups: the names may exist or not */
  readonly failed: number;
  /** failed look-ups by error code */
  readonly failures: ReadonlyMap<string, number>;
}

/** Counts every answer that is written. */
export interface Counter {
  count(answer: RowAnswer): void;
  readonly rows: number;
  summary(): Summary;
}

export function createCounter(fields: readonly Field[]): Counter {
  const exists = fields.findIndex(({ name }) => name === 'exists');
  const failures = new Map<string, number>();
  let [rows, found, absent, empty, unknown, invalid, broken, failed] = [0, 0, 0, 0, 0, 0, 0, 0];
  return {
    count({ values, error }) {
      rows += 1;
      // Values are texts in an answer from an earlier CSV output.
      const value = String(values[exists] ?? '');
      if (value === 'true') found += 1;
      else if (value === 'false') absent += 1;
      if (error === null) return;
      if (error === EMPTY) empty += 1;
      else if (error === NOT_IN_SAMPLE_CODE) unknown += 1;
      else if (error === 'INVALID_DOI') invalid += 1;
      else if (Object.hasOwn(ROW_PROBLEMS, error)) broken += 1;
      else {
        failed += 1;
        failures.set(error, (failures.get(error) ?? 0) + 1);
      }
    },
    get rows() {
      return rows;
    },
    summary: () => ({
      rows,
      found,
      absent,
      empty,
      unknown,
      invalid,
      broken,
      failed,
      failures: new Map(failures),
    }),
  };
}
