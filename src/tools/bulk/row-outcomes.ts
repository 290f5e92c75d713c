// The outcomes of rows. Each row has exactly one, so the counts of a file add up. The command line and jobs count with this table.

import type { Field } from './fields.ts';
import { EMPTY_CODE, NOT_IN_SAMPLE_CODE, type RowAnswer, SEVERAL_NAMES_CODE } from './read-outcome.ts';
import { REFERENCE_OUTCOMES, referenceOutcome } from './reference-fields.ts';
import { ROW_PROBLEMS } from './row.ts';

/** The words of each outcome, in the order of the summary. */
export const ROW_OUTCOMES = {
  ...REFERENCE_OUTCOMES,
  absent: 'absent',
  /** The row has an answer, but `exists` is not among its fields. */
  answered: 'answered',
  severalNames: 'with several names',
  empty: 'empty',
  notInSample: 'not in the sample (they might exist)',
  invalid: 'no DOI name',
  unreadable: 'unreadable',
  /** The look-up of a field failed, such as the title, even if the name exists. --resume looks up this row again. */
  failed: 'failed',
} as const;

export type RowOutcome = keyof typeof ROW_OUTCOMES;
export type OutcomeCounts = Readonly<Record<RowOutcome, number>>;

export const OUTCOME_NAMES = Object.keys(ROW_OUTCOMES) as readonly RowOutcome[];

const BY_CODE: ReadonlyMap<string, RowOutcome> = new Map<string, RowOutcome>([
  [EMPTY_CODE, 'empty'],
  [NOT_IN_SAMPLE_CODE, 'notInSample'],
  [SEVERAL_NAMES_CODE, 'severalNames'],
  ['INVALID_DOI', 'invalid'],
  ...Object.keys(ROW_PROBLEMS).map((code) => [code, 'unreadable'] as const),
]);

/** @param fields the fields of the answer. In an answer from an earlier CSV output, all values are strings. */
export function rowOutcome(answer: RowAnswer, fields: readonly Field[]): RowOutcome {
  const { values, error } = answer;
  if (error !== null) return BY_CODE.get(error) ?? 'failed';
  const ofReference = referenceOutcome(answer, fields);
  if (ofReference !== null) return ofReference;
  const exists = values[fields.findIndex(({ name }) => name === 'exists')] ?? null;
  if (exists === null || exists === '') return 'answered';
  return String(exists) === 'true' ? 'found' : 'absent';
}

/** @param count returns the count of one outcome */
export function countsBy(count: (outcome: RowOutcome) => number): OutcomeCounts {
  return Object.fromEntries(OUTCOME_NAMES.map((name) => [name, count(name)])) as OutcomeCounts;
}
