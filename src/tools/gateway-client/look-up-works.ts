// Looks up one part of the metadata of many works: title, authors and year, or updates, or a citation. The citation is a
// text, a BibTeX entry, a RIS record or a CSL JSON item.

import type { DoiName } from 'doi-names';
import type { CitationLocale, CitationStyle } from '../../works/metadata-format.ts';
import type { NamedWork } from '../../works/reference-fit.ts';
import {
  BatchedQueries,
  type BatchedQueriesOptions,
  Failure,
  failureOf,
  type NamesQuery,
  NO_ANSWER,
} from './batched-queries.ts';
import { NOT_IN_SAMPLE } from './look-up-names.ts';
import { PUBLISHED_VERSION, type PublishedVersionFields, publishedVersion } from './published-version.ts';
import { UPDATES, type UpdatesFields, type WorkUpdates, workUpdates } from './update-outcome.ts';

/** Resolves in the order of the names. Looks up duplicates once. Rejects only with the signal's reason. */
export type LookUpWorks<Part> = (names: readonly DoiName[]) => Promise<readonly (Part | Failure)[]>;

/** @template Fields the selected fields of the GraphQL type DOI */
export interface WorkQuery<Part, Fields = unknown> {
  readonly query: string;
  /** the selected field that is null if the agency has no metadata */
  readonly field: keyof Fields;
  readonly read: (fields: Fields) => Part;
}

/** At most this many names are in one operation, because agencies allow fewer requests than the directory. */
const NAMES_AT_ONCE = 50;
/** More authors do not help the comparison. */
const MAX_AUTHORS = 20;

export function createLookUpWorks<Part, Fields>(
  { query, field, read }: WorkQuery<Part, Fields>,
  options: BatchedQueriesOptions,
): LookUpWorks<Part> {
  const queries = new BatchedQueries(options);
  /** the failure METADATA_OFF, after the gateway reported it. Then the function sends no more queries. */
  let metadataOff: Failure | null = null;

  const namesQuery: NamesQuery<Fields, Part> = {
    query,
    maxNames: NAMES_AT_ONCE,
    read(fields, errors) {
      const [error] = errors;
      if (error === undefined) return fields?.[field] === undefined ? NO_ANSWER : read(fields);
      const failure = failureOf(error);
      if (error.extensions.code === 'METADATA_OFF') metadataOff = failure;
      return failure;
    },
  };

  return async (names) => {
    const known = metadataOff;
    return known === null ? queries.lookUp(names, namesQuery) : names.map(() => known);
  };
}

interface WorkFields {
  readonly title: string | null;
  readonly creators: readonly { readonly name: string; readonly family: string | null }[];
  readonly issued: { readonly year: number } | null;
}

/** The title is null if the agency has no metadata. */
export const NAMED_WORK: WorkQuery<NamedWork, { readonly metadata: WorkFields | null }> = {
  query: `query LookUpWorks($names: [String!]!) {
  dois(inputs: $names, form: NAME) { metadata { title creators { name family } issued { year } } }
}`,
  field: 'metadata',
  read({ metadata }) {
    if (metadata === null) return { title: null, authors: [], year: null };
    const authors = metadata.creators.slice(0, MAX_AUTHORS).map(({ family, name }) => family ?? name);
    return { title: metadata.title, authors, year: metadata.issued?.year ?? null };
  },
};

/** The updates of a work, and the published version of a preprint. */
export interface UpdatedWork extends WorkUpdates {
  /** null if the work is no preprint, or if its agency names no published version */
  readonly publishedAs: string | null;
}

interface UpdatedWorkFields extends PublishedVersionFields {
  readonly updates: UpdatesFields | null;
}

export function updatedWork(fields: UpdatedWorkFields): UpdatedWork {
  return { ...workUpdates(fields.updates), publishedAs: publishedVersion(fields) };
}

/** A selection in the GraphQL type DOI. */
export const UPDATED_WORK = `${UPDATES} ${PUBLISHED_VERSION}`;

export const WORK_UPDATES: WorkQuery<UpdatedWork, UpdatedWorkFields> = {
  query: `query LookUpUpdates($names: [String!]!) {
  dois(inputs: $names, form: NAME) { ${UPDATED_WORK} }
}`,
  field: 'updates',
  read: updatedWork,
};

/** The exact text of the documents, for a gateway that executes only known documents. */
export const WORK_DOCUMENTS: readonly string[] = [NAMED_WORK.query, WORK_UPDATES.query];

export type CitationFormat =
  | { readonly kind: 'bibtex' | 'ris' | 'csl' }
  | { readonly kind: 'text'; readonly style: CitationStyle; readonly locale: CitationLocale };

export interface Citation {
  readonly exists: boolean;
  /** null if the name does not exist, or if its agency has no metadata */
  readonly text: string | null;
}

/** Says for people why there is no text. Returns null if there is a text. */
export function faultOf(answer: Citation | Failure): string | null {
  if (answer instanceof Failure) return answer.message;
  if (answer.text !== null) return null;
  return answer.exists ? 'The agency has no metadata.' : 'There is no such name.';
}

interface CitationOptions extends BatchedQueriesOptions {
  readonly isSample: boolean;
}

/** Resolves in the order of the names, with a Failure for each failed name. Rejects only with the signal's reason. */
export function lookUpCitations(
  names: readonly DoiName[],
  format: CitationFormat,
  options: CitationOptions,
): Promise<readonly (Citation | Failure)[]> {
  const query: NamesQuery<CitationFields, Citation> = {
    query: `query LookUpCitations($names: [String!]!) {
      dois(inputs: $names, form: NAME) { exists ${selectionOf(format)} }
    }`,
    maxNames: NAMES_AT_ONCE,
    read(fields, errors) {
      const exists = fields?.exists ?? null;
      if (exists === false && options.isSample) return new Failure(NOT_IN_SAMPLE, 'nothing');
      const [error] = errors;
      if (error !== undefined) return failureOf(error);
      if (exists === null) return NO_ANSWER;
      const csl = fields?.metadata?.csl;
      return { exists, text: (csl === undefined ? fields?.text : JSON.stringify(csl)) ?? null };
    },
  };
  return new BatchedQueries(options).lookUp(names, query);
}

interface CitationFields {
  readonly exists: boolean | null;
  readonly text?: string | null;
  readonly metadata?: { readonly csl: unknown } | null;
}

function selectionOf(format: CitationFormat): string {
  if (format.kind === 'csl') return 'metadata { csl }';
  if (format.kind !== 'text') return `text: ${format.kind}`;
  return `text: citation(style: ${JSON.stringify(format.style)}, locale: ${JSON.stringify(format.locale)})`;
}
