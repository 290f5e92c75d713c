// What came of a run, in numbers.

import { type Answer, EMPTY, NOT_IN_SAMPLE } from './answered-names.ts';
import type { Field } from './fields.ts';
import { ROW_PROBLEMS } from './row.ts';

export interface Summary {
  readonly rows: number;
  /** where `exists` was asked for */
  readonly found: number;
  readonly absent: number;
  /** without a name in them */
  readonly empty: number;
  /** that are not in the sample, of which nothing follows */
  readonly unknown: number;
  /** that are no DOI names */
  readonly invalid: number;
  /** that cannot be read */
  readonly broken: number;
  /** that could not be asked for: nothing follows of them */
  readonly failed: number;
  /** of those, by the code of the error */
  readonly failures: ReadonlyMap<string, number>;
}

/** Counts every answer that is written. */
export interface Counter {
  count(answer: Answer): void;
  /** that were counted */
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
      // An answer that was read from a file is text.
      const value = String(values[exists] ?? '');
      if (value === 'true') found += 1;
      else if (value === 'false') absent += 1;
      if (error === null) return;
      if (error === EMPTY) empty += 1;
      else if (error === NOT_IN_SAMPLE) unknown += 1;
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
