// Converts the work that a reference in words describes to the result that tools return. All texts of agencies are bounded,
// and are one harmless line.

import type { DoiName } from 'doi-names';
import { harmlessLine } from '../../../safe-text.ts';
import type { DetailEvidence } from '../../../works/matching/compare-details.ts';
import type { ReferenceOutcome } from '../../../works/matching/match-reference.ts';
import type { Failure } from '../../gateway-client/batched-queries.ts';
import { detailName, detailsWith } from '../../gateway-client/match-evidence.ts';
import type { MatchedWork, ReferenceAnswer } from '../../gateway-client/match-references.ts';
import { listedDoi, whenAgain } from './tool.ts';

export const REFERENCE_MATCH_OUTCOMES = [
  'FOUND',
  'DIFFERS',
  'SEVERAL',
  'NOT_FOUND',
] as const satisfies ReferenceOutcome[];

export const OUTCOME_MEANINGS: Readonly<Record<ReferenceOutcome, string>> = {
  FOUND: 'One work fits, and no detail of the reference contradicts it.',
  DIFFERS: 'One work fits, but details differ: show them to the reader before you use its DOI.',
  SEVERAL: 'Several works fit equally: let the reader choose.',
  NOT_FOUND:
    'The searched services have no work that fits. They do not have all books, reports and theses, so this does not mean that the work is invented.',
};

/** The largest number of characters of each text in a result. */
export interface TextSizes {
  readonly text: number;
  readonly doi: number;
}

export interface ReportedMatch {
  readonly outcome: ReferenceOutcome;
  /** null if no work, or several works fit */
  readonly work: ReportedWork | null;
  readonly agrees: readonly string[];
  readonly differs: readonly Difference[];
}

export interface ReportedWork {
  readonly doi: string;
  readonly url: string | null;
  readonly title: string | null;
}

/** `inReference` and `inWork` are missing if a side does not have the detail, or if it could not be recognised. */
type Difference = Readonly<Record<string, string>> & { readonly detail: string };

export function reportedMatch({ outcome, work }: ReferenceAnswer, sizes: TextSizes): ReportedMatch {
  return {
    outcome,
    work: work && reportedWork(work, sizes),
    agrees: detailsWith(work, 'AGREES').map(detailName),
    differs: detailsWith(work, 'DIFFERS').map((one) => difference(one, sizes.text)),
  };
}

export function reportedWork({ doi: { name }, evidence }: MatchedWork, sizes: TextSizes): ReportedWork {
  const title = evidence.find(({ detail }) => detail === 'TITLE')?.inWork ?? null;
  const { doi, url } = listedDoi(name as DoiName);
  const isWhole = doi.length <= sizes.doi;
  return {
    doi: isWhole ? doi : harmlessLine(doi, sizes.doi),
    url: isWhole ? url : null,
    title: title && harmlessLine(title, sizes.text),
  };
}

function difference(evidence: DetailEvidence, characters: number): Difference {
  const { inReference, inWork } = evidence;
  return {
    detail: detailName(evidence),
    ...(inReference !== null && { inReference: harmlessLine(inReference, characters) }),
    ...(inWork !== null && { inWork: harmlessLine(inWork, characters) }),
  };
}

/** Example: `10.5555/pumps “Reliability of hydraulic pumps”` */
export function workWords({ doi, title }: ReportedWork): string {
  const name = harmlessLine(doi, doi.length);
  return title === null ? name : `${name} “${title}”`;
}

/** Example: `year: “2011” in the reference, “2012” in the work` */
export function differenceWords({ detail, inReference, inWork }: Difference): string {
  const sides = [
    inReference === undefined ? [] : `“${inReference}” in the reference`,
    inWork === undefined ? [] : `“${inWork}” in the work`,
  ].flat();
  return `${detail}: ${sides.join(', ')}`;
}

/** Example: `could not be searched: The agency is slow. Call again in 9 seconds.` */
export function notSearchedWords({ message, remedy, retryAfterSeconds }: Failure): string {
  const canRetry = remedy === 'later' || remedy === 'outage';
  return `could not be searched: ${message}${canRetry ? ` Call again ${whenAgain(retryAfterSeconds || null)}.` : ''}`;
}
