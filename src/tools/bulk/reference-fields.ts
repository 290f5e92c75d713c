// The columns that `doi bulk --reference` writes before the fields of the DOI.

import { detailName, detailsWith, difference } from '../gateway-client/match-evidence.ts';
import type { ReferenceAnswer } from '../gateway-client/match-references.ts';
import type { Field, FieldValue } from './fields.ts';
import type { RowAnswer } from './read-outcome.ts';
import type { ReferenceRowOutcome } from './row-outcomes.ts';

/** The column `outcome`, and the outcome in the summary. */
const OUTCOME_TEXTS: Readonly<Record<ReferenceAnswer['outcome'], readonly [string, ReferenceRowOutcome]>> = {
  FOUND: ['found', 'found'],
  DIFFERS: ['differs', 'differs'],
  SEVERAL: ['several', 'several'],
  NOT_FOUND: ['not found', 'notFound'],
};

/** The text of the column `outcome` if the search failed. */
export const FAILED_TEXT = 'failed';

const READS: Readonly<Record<string, (answer: ReferenceAnswer) => FieldValue>> = {
  outcome: ({ outcome }) => OUTCOME_TEXTS[outcome][0],
  doi: ({ work }) => work?.doi.name ?? null,
  agrees: ({ work }) => work && detailsWith(work, 'AGREES').map(detailName),
  differs: ({ work }) => work && (detailsWith(work, 'DIFFERS').map(difference).join('; ') || null),
  candidates: ({ candidates }) => candidates.map(({ doi }) => doi.name),
};

/** Fields of the search, not of a name. They are no look-ups of the directory. */
export const REFERENCE_FIELDS: readonly Field[] = Object.keys(READS).map((name) => ({
  name,
  meaning: '',
  isLookUp: false,
  selection: {},
  read: () => null,
}));

const [OUTCOME_FIELD] = REFERENCE_FIELDS;

export function referenceValues(answer: ReferenceAnswer): readonly FieldValue[] {
  return Object.values(READS).map((read) => read(answer));
}

/** @param text the value of the column `outcome`; null in a row without a reference */
export function withoutMatch(text: string | null): readonly FieldValue[] {
  return REFERENCE_FIELDS.map((field) => (field === OUTCOME_FIELD ? text : null));
}

/** The outcome of a row with a reference. Null for a row with an error, and for a row with a name. */
export function referenceOutcome(
  { values, error }: RowAnswer,
  fields: readonly Field[],
): ReferenceRowOutcome | null {
  const text = error === null ? values[fields.indexOf(OUTCOME_FIELD as Field)] : null;
  const found = Object.values(OUTCOME_TEXTS).find(([known]) => known === text);
  return found?.[1] ?? null;
}
