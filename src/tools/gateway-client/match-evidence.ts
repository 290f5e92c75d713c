// What agrees and what differs between a reference and a work, in words.

import type { DetailEvidence } from '../../works/matching/compare-details.ts';
import type { MatchedWork } from './match-references.ts';

const MAX_CHARACTERS = 300;

export function detailsWith(
  work: MatchedWork | null,
  wanted: DetailEvidence['verdict'],
): readonly DetailEvidence[] {
  return work?.evidence.filter(({ verdict }) => verdict === wanted) ?? [];
}

export const detailName = ({ detail }: DetailEvidence): string =>
  detail === 'DOI' ? detail : detail.toLowerCase();

/** Example: `year: “1987” in the reference, “2012” in the work` */
export function difference(evidence: DetailEvidence): string {
  const { inReference, inWork } = evidence;
  const quoted = (text: string | null): string => (text === null ? 'no such detail' : `“${shortened(text)}”`);
  return `${detailName(evidence)}: ${quoted(inReference)} in the reference, ${quoted(inWork)} in the work`;
}

export function shortened(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS).toWellFormed()}…` : text;
}
