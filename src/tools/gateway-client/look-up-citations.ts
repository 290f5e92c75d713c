// Looks up a citation, a BibTeX entry, a RIS record or a CSL JSON item for each of many names.

import type { DoiName } from '../../doi/name.ts';
import type { CitationLocale, CitationStyle } from '../../metadata/metadata-format.ts';
import {
  BatchedQueries,
  type BatchedQueriesOptions,
  Failure,
  failureOf,
  type NamesQuery,
} from './batched-queries.ts';
import { NOT_IN_SAMPLE } from './look-up-names.ts';

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

/** Agencies allow fewer requests than the directory. */
const NAMES_AT_ONCE = 50;

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
      if (exists === null) return new Failure('The gateway gave no answer.', 'later');
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
