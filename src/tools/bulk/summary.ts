// Counts the rows of a run by outcome.

import type { Field } from './fields.ts';
import { EMPTY, NOT_IN_SAMPLE_CODE, type RowAnswer } from './read-outcome.ts';
import { ROW_PROBLEMS } from './row.ts';

export interface Summary {
  readonly rows: number;
  /** 0 if the user did not request the field `exists` */
  readonly found: number;
  /** 0 if the user did not request the field `exists` */
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

export function createCounter(fields: readonly Field[]) {
  const exists = fields.findIndex(({ name }) => name === 'exists');
  const failures = new Map<string, number>();
  const counts = { rows: 0, found: 0, absent: 0, empty: 0, unknown: 0, invalid: 0, broken: 0, failed: 0 };
  return {
    /** The caller passes every answer that it writes. */
    count({ values, error }: RowAnswer): void {
      counts.rows += 1;
      // In an answer from an earlier CSV output, all values are strings.
      const value = String(values[exists] ?? '');
      if (value === 'true') counts.found += 1;
      else if (value === 'false') counts.absent += 1;
      if (error === null) return;
      const outcome = outcomeOf(error);
      counts[outcome] += 1;
      if (outcome === 'failed') failures.set(error, (failures.get(error) ?? 0) + 1);
    },
    get rows() {
      return counts.rows;
    },
    summary: (): Summary => ({ ...counts, failures }),
  };
}

function outcomeOf(error: string): 'empty' | 'unknown' | 'invalid' | 'broken' | 'failed' {
  if (error === EMPTY) return 'empty';
  if (error === NOT_IN_SAMPLE_CODE) return 'unknown';
  if (error === 'INVALID_DOI') return 'invalid';
  return Object.hasOwn(ROW_PROBLEMS, error) ? 'broken' : 'failed';
}
