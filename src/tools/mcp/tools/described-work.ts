// What describe_doi knows of one DOI, before the parts are chosen that fit into the answer.

import type { LicensesField } from '../../gateway-client/look-up-cards.ts';
import { updatedWork } from '../../gateway-client/look-up-works.ts';
import type { PublishedVersionFields } from '../../gateway-client/published-version.ts';
import type { GraphqlError } from '../../gateway-client/send-operation.ts';
import { outcomeText, type UpdatesFields, workUpdates } from '../../gateway-client/update-outcome.ts';
import { type DoiFields, failureNotes, invalidDoiWords, licencesOf, nameAnswer } from './doi-fields.ts';
import { type NameOutcome, nameOutcome } from './name-outcome.ts';
import { toolError } from './tool.ts';

export interface DescribedFields extends DoiFields, Pick<PublishedVersionFields, 'published'> {
  readonly metadata: Metadata | null;
  readonly updates: UpdatesFields | null;
  readonly citation?: string | null;
  readonly bibtex?: string | null;
}

interface Metadata extends LicensesField {
  readonly title: string | null;
  readonly subtitle: string | null;
  readonly contributors: readonly { readonly name: string; readonly role: string }[];
  readonly issued: { readonly year: number } | null;
  readonly containerTitle: string | null;
  readonly kind: string;
}

/** Texts are as long as their agency sent them. A member is null if it is unknown. */
export interface WorkEntry {
  /** the name; for an invalid input, the input */
  readonly doi: string;
  readonly status: NameOutcome['status'] | 'invalid';
  /** why the status is cannot_tell or invalid; else null */
  readonly reason: string | null;
  readonly meant: readonly string[];
  readonly notes: NonNullable<NameOutcome['notes']>;
  readonly metadata: Metadata | null;
  readonly licences: readonly string[];
  readonly updates: string | null;
  readonly citation: string | null;
  readonly bibtex: string | null;
}

const UNKNOWN = {
  reason: null,
  meant: [],
  notes: [],
  metadata: null,
  licences: [],
  updates: null,
  citation: null,
  bibtex: null,
} as const;

/** @param errors the errors of this DOI */
export function workEntry(
  input: string,
  fields: DescribedFields | null,
  errors: readonly GraphqlError[],
  isSample: boolean,
): WorkEntry {
  if (fields === null) {
    const [error] = errors;
    return error?.extensions.code === 'INVALID_DOI'
      ? { ...UNKNOWN, doi: input, status: 'invalid', reason: invalidDoiWords(error) }
      : { ...UNKNOWN, doi: input, status: 'cannot_tell', reason: toolError(error).message };
  }
  const { name, exists, metadata } = fields;
  // A name that does not exist has no metadata.
  if (exists === false) return { ...UNKNOWN, ...statusOf(fields, errors, isSample), doi: name };
  const updates = fields.updates && workUpdates(fields.updates);
  const hasFailed = (field: string): boolean => errors.some(({ path }) => path?.[2] === field);
  return {
    ...UNKNOWN,
    ...statusOf(fields, errors, isSample),
    doi: name,
    metadata,
    licences: metadata === null ? [] : licencesOf(metadata),
    updates: updates === null && hasFailed('updates') ? null : outcomeText(updates ?? workUpdates(null)),
    citation: fields.citation ?? null,
    bibtex: fields.bibtex ?? null,
  };
}

/** These fields fail with `exists`, which gives the reason. */
const OF_THE_RECORD: ReadonlySet<unknown> = new Set(['exists', 'alias', 'redirect', 'suggestions']);

function statusOf(
  fields: DescribedFields,
  errors: readonly GraphqlError[],
  isSample: boolean,
): Pick<WorkEntry, 'status' | 'reason' | 'meant' | 'notes'> {
  const { name, exists } = fields;
  const failures = failureNotes(
    errors.filter(({ path }) => exists !== false && !(exists === null && OF_THE_RECORD.has(path?.[2]))),
    2,
  );
  if (exists === null) {
    const { message } = toolError(errors.find(({ path }) => path?.[2] === 'exists'));
    return { status: 'cannot_tell', reason: message, meant: [], notes: failures };
  }
  const answer = nameAnswer(fields, exists, isSample);
  const outcome = nameOutcome(name, answer, fields.updates && updatedWork(fields));
  return {
    status: outcome.status,
    reason: answer.reason,
    meant: (outcome.meant ?? []).map(({ doi = '' }) => doi),
    notes: [...(outcome.notes ?? []), ...failures],
  };
}
