// The work that a reference in words describes: what `doi check --match` writes, and keeps in its lock file.

import { firstWords } from 'doi-names/parts';
import { detailName, detailsWith, difference } from '../../gateway-client/match-evidence.ts';
import type { ReferenceAnswer } from '../../gateway-client/match-references.ts';
import { referenceKey } from '../../gateway-client/searched-words.ts';

/** A reference whose words are searched. */
export interface SearchedReference {
  /** the same for texts with the same words */
  readonly key: string;
  readonly text: string;
}

export interface MatchPart {
  readonly outcome: 'found' | 'differs' | 'several' | 'not-found';
  /** the first words of the reference */
  readonly words: string;
  /** the DOI of a work that is found or differs; else null */
  readonly doi: string | null;
  /** names of details */
  readonly agrees: readonly string[];
  /** Example: `year: “1987” in the reference, “2012” in the work` */
  readonly differs: readonly string[];
  /** the DOIs of several works, the best first; at most MAX_CANDIDATES */
  readonly candidates: readonly string[];
  /** the agencies whose works were searched */
  readonly sources: readonly string[];
}

const OUTCOMES = {
  FOUND: 'found',
  DIFFERS: 'differs',
  SEVERAL: 'several',
  NOT_FOUND: 'not-found',
} as const satisfies Record<ReferenceAnswer['outcome'], MatchPart['outcome']>;

/** A person compares these works, and the lock file keeps them. */
const MAX_CANDIDATES = 5;

/** @param text null: the reference is not searched */
export function searchedReference(text: string | null): SearchedReference | null {
  return text === null ? null : { key: referenceKey(text), text };
}

export function matchPart({ text }: SearchedReference, answer: ReferenceAnswer): MatchPart {
  const { work, candidates, sources } = answer;
  const outcome = OUTCOMES[answer.outcome];
  return {
    outcome,
    words: firstWords(text),
    doi: work?.doi.name ?? null,
    agrees: detailsWith(work, 'AGREES').map(detailName),
    differs: detailsWith(work, 'DIFFERS').map(difference),
    candidates: outcome === 'several' ? candidates.slice(0, MAX_CANDIDATES).map(({ doi }) => doi.name) : [],
    sources,
  };
}
