// The columns of the search, which a result with references has before the fields of the DOI.

import { detailName, detailsWith, difference } from '../gateway-client/match-evidence.ts';
import type { ReferenceAnswer } from '../gateway-client/match-references.ts';
import { DEFAULT_FIELDS, type Field, type FieldValue, readFields } from './fields.ts';
import type { RowAnswer } from './read-outcome.ts';

/** The outcomes of rows with references, and their words in the summary. */
export const REFERENCE_OUTCOMES = {
  found: 'found',
  differs: 'with differences',
  several: 'with several works',
  notFound: 'not found (the works might exist)',
} as const;

type ReferenceRowOutcome = keyof typeof REFERENCE_OUTCOMES;

/** The column `outcome`, and the outcome in the summary. */
const OUTCOME_TEXTS: Readonly<Record<ReferenceAnswer['outcome'], readonly [string, ReferenceRowOutcome]>> = {
  FOUND: ['found', 'found'],
  DIFFERS: ['differs', 'differs'],
  SEVERAL: ['several', 'several'],
  NOT_FOUND: ['not found', 'notFound'],
};

/** The text of the column `outcome` if the search failed. */
const FAILED_TEXT = 'failed';

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

/** The answer of a row whose search failed. */
export function failedSearch(code: string, fields: readonly Field[]): RowAnswer {
  return { values: fields.map((field) => (field === OUTCOME_FIELD ? FAILED_TEXT : null)), error: code };
}

/**
 * The fields of a result. Rows with references have REFERENCE_FIELDS and then the given fields of the DOI.
 * @param given the names of fields, separated by commas. Throws a FieldsError.
 */
export function readResultFields(given: string | undefined, hasReferences: boolean): readonly Field[] {
  if (!hasReferences) return readFields(given ?? DEFAULT_FIELDS);
  return [...REFERENCE_FIELDS, ...(given === undefined ? [] : readFields(given))];
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
