// Counts the rows of a run by outcome.

import type { Field } from './fields.ts';
import { EMPTY, NOT_IN_SAMPLE_CODE, type RowAnswer } from './read-outcome.ts';
import { ROW_PROBLEMS } from './row.ts';

export interface Summary {
  readonly rows: number;
  /** 0 if `exists` is no requested field */
  readonly found: number;
  /** 0 if `exists` is no requested field */
  readonly absent: number;
  /** rows without a name */
  readonly empty: number;
  /** names that are not in the sample and might still exist */
  readonly unknown: number;
  /** inputs that are not DOI names */
  readonly invalid: number;
  /** unreadable rows */
  readonly broken: number;
  /** rows with a failed look-up, whose names might still exist */
  readonly failed: number;
  /** the numbers of failed rows by error code */
  readonly failures: ReadonlyMap<string, number>;
}

/** The caller passes every answer that it writes. */
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
      // In an answer from an earlier CSV output, all values are strings.
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
