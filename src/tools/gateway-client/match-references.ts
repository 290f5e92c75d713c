// Finds the works that references in words describe, with what agrees and what differs.

import type { DetailEvidence } from '../../works/matching/compare-details.ts';
import type { ReferenceOutcome } from '../../works/matching/match-reference.ts';
import { MAX_REFERENCE_CHARACTERS, MAX_REFERENCES_AT_ONCE } from '../../works/matching/reference-words.ts';
import {
  BatchedQueries,
  type BatchedQueriesOptions,
  Failure,
  failureOf,
  type NamesQuery,
  NO_ANSWER,
} from './batched-queries.ts';
import { NoGatewayError } from './send-operation.ts';

export interface MatchedWork {
  readonly doi: { readonly name: string; readonly url: string };
  readonly evidence: readonly DetailEvidence[];
}

export interface ReferenceAnswer {
  readonly outcome: ReferenceOutcome;
  /** the work, if it is FOUND or DIFFERS */
  readonly work: MatchedWork | null;
  /** other works, the best first */
  readonly candidates: readonly MatchedWork[];
  /** the agencies whose works were searched */
  readonly sources: readonly string[];
}

interface MatchFields extends Omit<ReferenceAnswer, 'work'> {
  readonly doi: MatchedWork['doi'] | null;
  readonly evidence: readonly DetailEvidence[];
}

export const NOT_FOUND_MEANS =
  'Not found does not mean that there is no such work: the agencies do not have all books, reports and theses.';

const EVIDENCE = 'evidence { detail verdict inReference inWork }';

export const MATCH_REFERENCES = `query MatchReferences($names: [String!]!) {
  dois: matchReferences(references: $names) {
    outcome doi { name url } ${EVIDENCE} candidates { doi { name url } ${EVIDENCE} } sources
  }
}`;

/**
 * Resolves in the order of the references, with a Failure for each reference whose search failed. Searches the same words
 * once. Rejects with a NoGatewayError if the gateway does not search for references, or with the signal's reason.
 */
export type MatchReferences = (
  references: readonly string[],
) => Promise<readonly (ReferenceAnswer | Failure)[]>;

interface MatchReferencesOptions extends BatchedQueriesOptions {
  /** called for each reference that has its answer */
  readonly onAnswer?: (reference: string, answer: ReferenceAnswer) => void;
}

export function createMatchReferences({ onAnswer, ...options }: MatchReferencesOptions): MatchReferences {
  const queries = new BatchedQueries(options);
  const query: NamesQuery<MatchFields, ReferenceAnswer> = {
    query: MATCH_REFERENCES,
    maxNames: MAX_REFERENCES_AT_ONCE,
    read(fields, [error]) {
      if (error !== undefined) return failureOf(error);
      return fields === null ? NO_ANSWER : answerOf(fields);
    },
    ...(onAnswer && { onAnswer }),
  };
  return async (references) => {
    const isShort = (reference: string): boolean => reference.length <= MAX_REFERENCE_CHARACTERS;
    const short = references.filter(isShort);
    const found: (ReferenceAnswer | Failure)[] = [];
    for (let at = 0; at < short.length; at += MAX_REFERENCES_AT_ONCE) {
      const answers = await queries.lookUp(short.slice(at, at + MAX_REFERENCES_AT_ONCE), query);
      const off = answers.find((answer) => answer instanceof Failure && answer.code === 'METADATA_OFF');
      if (off instanceof Failure) throw new NoGatewayError(off.message);
      found.push(...answers);
    }
    const inOrder = found.values();
    return references.map((reference) => {
      const answer = isShort(reference) ? inOrder.next().value : tooLong(reference.length);
      return answer ?? NO_ANSWER;
    });
  };
}

function answerOf({ outcome, doi, evidence, candidates, sources }: MatchFields): ReferenceAnswer {
  return { outcome, work: doi && { doi, evidence }, candidates, sources };
}

/** The gateway refuses the text, so it is not sent. */
function tooLong(characters: number): Failure {
  return new Failure(
    `The text has ${characters} characters, and a reference has at most ${MAX_REFERENCE_CHARACTERS}.`,
    'nothing',
    0,
    'LIMIT_EXCEEDED',
  );
}
