// A row of the table: one input, and what is known of it so far.

import type { Answer } from './look-up.ts';
import type { Work } from './titles.ts';

/** What a list is made of. */
export interface ListEntry {
  /** what the gateway is asked for */
  readonly input: string;
  /** as it was pasted */
  readonly written: string;
  /** not just what is written: a person should look at it */
  readonly repaired: boolean;
}

export interface Row extends ListEntry {
  readonly index: number;
  readonly name: string | null;
  /** the same for every spelling of one DOI; null until it is known, or where the input is no DOI */
  readonly doiKey: string | null;
  readonly answer: Answer | null;
  readonly failures: readonly Failure[];
  /** what the name identifies; null until it is known, or where nobody says it */
  readonly work: Work | null;
  /** why it is not known */
  readonly titleFailure: Failure | null;
}

export interface Failure {
  /** the field of the row that failed; null for the row as a whole */
  readonly field: string | null;
  readonly message: string;
  readonly code: string;
  readonly retryable: boolean;
}

export type Outcome = 'waiting' | 'found' | 'absent' | 'unreadable' | 'failed';

export function newRow(entry: ListEntry, index: number): Row {
  return {
    ...entry,
    index,
    name: null,
    doiKey: null,
    answer: null,
    failures: [],
    work: null,
    titleFailure: null,
  };
}

export function outcomeOf(row: Row): Outcome {
  const whole = row.failures.find(({ field }) => field === null);
  if (whole) return whole.code === 'INVALID_DOI' ? 'unreadable' : 'failed';
  if (row.answer === null) return 'waiting';
  switch (row.answer.record?.status) {
    case 'SUCCESS':
    case 'VALUES_NOT_FOUND':
      return 'found';
    case 'HANDLE_NOT_FOUND':
      return 'absent';
    default:
      return 'failed';
  }
}

export function isSettled(row: Row): boolean {
  return row.answer !== null || row.failures.some(({ field }) => field === null);
}

/** Whether asking once more may give more than there is. */
export function isWorthAsking(row: Row): boolean {
  return [...row.failures, row.titleFailure].some((failure) => failure?.retryable) || !isSettled(row);
}

/** What went wrong with one field of the row. */
export function failureOf(row: Row, field: string): Failure | undefined {
  return row.failures.find((failure) => failure.field === field);
}
