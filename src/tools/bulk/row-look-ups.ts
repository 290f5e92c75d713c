// How rows get their answers: rows with names, and rows with references in words. `doi bulk` and jobs use this table.

import { answerRows, type BulkGateway } from './answer-names.ts';
import { answerReferences } from './answer-references.ts';
import type { Field } from './fields.ts';
import { failedAnswer, type RowAnswer } from './read-outcome.ts';
import { failedSearch } from './reference-fields.ts';
import type { Row } from './row.ts';
import { type SortedRows, type SortOptions, sortOutSeveralNames } from './several-names.ts';

interface RowLookUps {
  /** Replaces rows with several names, and answers them. Call this before `answer`. */
  readonly sortOut: (rows: readonly Row[], options: SortOptions) => Promise<SortedRows>;
  /** Resolves in the order of the rows. A row after `gateway.stop` is undefined. */
  readonly answer: (
    rows: readonly Row[],
    fields: readonly Field[],
    gateway: BulkGateway,
  ) => Promise<(RowAnswer | undefined)[]>;
  /** The answer of a row that failed with this code. */
  readonly failed: (code: string, fields: readonly Field[]) => RowAnswer;
}

const LOOK_UPS: Readonly<Record<'names' | 'references', RowLookUps>> = {
  names: { sortOut: sortOutSeveralNames, answer: answerRows, failed: failedAnswer },
  references: {
    sortOut: async (rows) => ({ rows, answers: new Map() }),
    answer: answerReferences,
    failed: failedSearch,
  },
};

/** @param hasReferences whether the rows have references. Then their fields begin with REFERENCE_FIELDS. */
export function lookUpsOf(hasReferences: boolean): RowLookUps {
  return LOOK_UPS[hasReferences ? 'references' : 'names'];
}
