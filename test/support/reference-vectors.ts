// The published references, the works of their search, and the score of the matches.

import { readFileSync } from 'node:fs';
import { agencyDoi } from '../../src/works/agency-json.ts';
import { readCrossrefWork } from '../../src/works/crossref-work.ts';
import type { FoundWork } from '../../src/works/matching/found-works.ts';
import { judgeReference, type ReferenceJudgement } from '../../src/works/matching/match-reference.ts';
import { searchText } from '../../src/works/matching/search-queries.ts';
import { type Search, searchOf } from './fake-search.ts';

export interface ReferenceVector {
  readonly text: string;
  /** null: the reference cites no work of the search */
  readonly doi: string | null;
  readonly style: string;
}

interface CrossrefItem {
  readonly DOI: string;
}

const FIXTURES = new URL('../fixtures/', import.meta.url);
/** The rows that the gateway requests. */
const ROWS = 5;

export function readReferences(file: string | URL = new URL('vectors/references.jsonl', FIXTURES)) {
  return readLines<ReferenceVector>(file);
}

export function readReferenceWorks(
  file: string | URL = new URL('reference-works.jsonl', FIXTURES),
): readonly CrossrefItem[] {
  return readLines<CrossrefItem>(file);
}

export function searchOfWorks(file?: string | URL): Search<CrossrefItem> {
  return searchOf(readReferenceWorks(file));
}

export const inThisTurn = (): Promise<void> => Promise.resolve();

export function matchInWorks(text: string, search: Search<CrossrefItem>): Promise<ReferenceJudgement> {
  return judgeReference(text, search(searchText(text), ROWS).flatMap(foundWork), inThisTurn);
}

export function foundWork(item: CrossrefItem): readonly FoundWork[] {
  const doi = agencyDoi(item.DOI);
  return doi === null ? [] : [{ doi, ...readCrossrefWork(item, doi) }];
}

export interface ScoredReference extends ReferenceVector {
  readonly judgement: ReferenceJudgement;
  readonly found: string | null;
  readonly result: 'right' | 'wrong' | 'missed' | 'rightly not found';
}

export async function scoreReference(
  vector: ReferenceVector,
  search: Search<CrossrefItem>,
): Promise<ScoredReference> {
  const judgement = await matchInWorks(vector.text, search);
  const found = judgement.outcome === 'FOUND' ? (judgement.work?.doi.toLowerCase() ?? null) : null;
  const wanted = vector.doi?.toLowerCase() ?? null;
  const missed = wanted === null ? 'rightly not found' : 'missed';
  return {
    ...vector,
    judgement,
    found,
    result: found === null ? missed : found === wanted ? 'right' : 'wrong',
  };
}

export const isChimera = ({ style }: ReferenceVector): boolean => style.startsWith('invented');

/** Precision: the share of found works that are right. Recall: the share of cited works that are found. */
export function accuracyOf(scored: readonly ScoredReference[]) {
  const count = (test: (one: ScoredReference) => boolean): number => scored.filter(test).length;
  const right = count(({ result }) => result === 'right');
  const found = count((one) => one.found !== null);
  return {
    precision: right / found,
    recall: right / count(({ doi }) => doi !== null),
    chimerasFound: count((one) => isChimera(one) && one.found !== null),
  };
}

function readLines<Line>(file: string | URL): readonly Line[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Line);
}
