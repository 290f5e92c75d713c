// Decides which work a reference in words describes. The rank and the score of a search never count: each candidate is
// compared with the reference detail by detail.
// https://www.crossref.org/blog/reference-matching-for-real-this-time/

import { canonicalName, type DoiName } from 'doi-names';
import { findDois } from 'doi-names/parts';
import { agencyDoi, isSameDoi } from '../agency-json.ts';
import { withoutAddresses } from '../reference-fit.ts';
import { relationDoi } from '../relations.ts';
import { readMarkedUpLine } from '../title-markup.ts';
import { readPlainText, readTitles, readWork } from '../work.ts';
import {
  type Comparison,
  compareDetails,
  type DetailEvidence,
  type ReferenceDetail,
  serverOf,
} from './compare-details.ts';
import type { FoundWork } from './found-works.ts';
import { MAX_CHARACTERS, placedWords } from './reference-words.ts';
import { withoutLabel } from './search-queries.ts';

export type ReferenceOutcome = 'FOUND' | 'DIFFERS' | 'SEVERAL' | 'NOT_FOUND';

export interface JudgedCandidate {
  readonly doi: DoiName;
  readonly evidence: readonly DetailEvidence[];
}

/** A `type` instead of an interface, so that a judgement is also an AgencyObject. */
export type ReferenceJudgement = {
  readonly outcome: ReferenceOutcome;
  /** the work, if it is FOUND or DIFFERS */
  readonly work: JudgedCandidate | null;
  /** the other works, best first */
  readonly candidates: readonly JudgedCandidate[];
};

const MAX_CANDIDATES = 5;
/** The search gives five works from each of two sources. The reference can name a few other works. */
const MAX_COMPARED = 12;
const MAX_DOIS = 5;

interface Judged {
  readonly work: FoundWork;
  readonly candidate: JudgedCandidate;
  readonly verdict: 'FOUND' | 'DIFFERS' | 'OTHER';
  readonly rank: number;
}

/** @param nextTurn resolves in a later turn of the event loop: to compare a large work can take 40 ms */
export async function judgeReference(
  source: string,
  works: readonly FoundWork[],
  nextTurn: () => Promise<void>,
): Promise<ReferenceJudgement> {
  const text = source.slice(0, MAX_CHARACTERS);
  const dois = findDois(text, MAX_DOIS).map(({ name }) => canonicalName(name));
  const reference = placedWords(readMarkedUpLine(withoutLabel(withoutAddresses(text))).text);
  const judged: Judged[] = [];
  for (const work of distinct(works).slice(0, MAX_COMPARED)) {
    if (judged.length > 0) await nextTurn();
    judged.push(judge(work, compareDetails(reference, describe(work), dois)));
  }
  judged.sort((one, other) => other.rank - one.rank);
  const candidates = judged.map(({ candidate }) => candidate);
  const best = bestOf(judged, 'FOUND') ?? bestOf(judged, 'DIFFERS');
  if (best === null)
    return { outcome: 'NOT_FOUND', work: null, candidates: candidates.slice(0, MAX_CANDIDATES) };
  if (best.length > 1)
    return { outcome: 'SEVERAL', work: null, candidates: candidates.slice(0, MAX_CANDIDATES) };
  const [{ candidate: work, verdict }] = best;
  const others = candidates.filter((other) => other !== work).slice(0, MAX_CANDIDATES);
  return { outcome: verdict === 'FOUND' ? 'FOUND' : 'DIFFERS', work, candidates: others };
}

/** A work that was found by an alias and by its DOI counts once. */
function distinct(works: readonly FoundWork[]): readonly FoundWork[] {
  const byName = new Map<string, FoundWork>();
  for (const work of works) {
    const name = canonicalName(agencyDoi(work.csl['DOI']) ?? work.doi);
    if (!byName.has(name)) byName.set(name, work);
  }
  return [...byName.values()];
}

/** A reference names the first authors, so the other authors are not read. It takes 50 ms to read 2,000 people. */
const MAX_PEOPLE = 300;

function describe({ doi, csl: whole }: FoundWork) {
  const { author } = whole;
  const csl = Array.isArray(author) ? { ...whole, author: author.slice(0, MAX_PEOPLE) } : whole;
  const titles = readTitles(csl);
  const work = readWork(csl, titles);
  const [short, series] = ['container-title-short', 'collection-title'].map((key) => readPlainText(csl[key]));
  return {
    doi: canonicalName(doi),
    work,
    titles: [titles.whole?.text, titles.main?.text, readPlainText(csl['original-title'])],
    containers: [work.containerTitle, short ?? null, series ?? null, serverOf(work)],
  };
}

/** The works with the verdict that fit best. A work counts once if it states that it is the same as the first work. */
function bestOf(judged: readonly Judged[], verdict: Judged['verdict']): [Judged, ...Judged[]] | null {
  const [first, ...others] = judged.filter((one) => one.verdict === verdict);
  if (first === undefined) return null;
  const equal = others.filter((other) => other.rank === first.rank && !isSame(first.work, other.work));
  return [first, ...equal];
}

function isSame(one: FoundWork, other: FoundWork): boolean {
  const names = (from: FoundWork, to: FoundWork): boolean =>
    from.history.relations.some(
      (relation) => relation.kind === 'IS_SAME_AS' && isSameDoi(relationDoi(relation), to.doi),
    );
  return names(one, other) || names(other, one);
}

const AUTHORS_YEAR_PAGE = ['AUTHORS', 'YEAR', 'PAGE'] as const;
/** A whole title with this many characters is the title of one work. "Editorial" is the title of many works. */
const MIN_OWN_TITLE = 30;
const OWN_TITLE_SHARE = 0.9;
const SEAMS = ['AUTHORS', 'YEAR', 'CONTAINER', 'DOI'] as const;

function judge(work: FoundWork, { evidence, titleShare }: Comparison): Judged {
  const verdicts = new Map(evidence.map(({ detail, verdict }) => [detail, verdict]));
  const agrees = (detail: ReferenceDetail): boolean => verdicts.get(detail) === 'AGREES';
  const differs = (detail: ReferenceDetail): boolean => verdicts.get(detail) === 'DIFFERS';
  const agreeing = evidence.filter(({ verdict }) => verdict === 'AGREES').length;
  const differing = evidence.filter(({ verdict }) => verdict === 'DIFFERS').length;
  const isKnownPlace = agrees('VOLUME') || agrees('CONTAINER');
  const isProven = agrees('TITLE')
    ? agrees('AUTHORS') || agrees('PAGE') || (agrees('CONTAINER') && agrees('VOLUME'))
    : verdicts.get('TITLE') === 'NOT_STATED' && AUTHORS_YEAR_PAGE.every(agrees) && isKnownPlace;
  const title = evidence.find(({ detail }) => detail === 'TITLE')?.inReference ?? '';
  const isOwnTitle = titleShare >= OWN_TITLE_SHARE && title.length >= MIN_OWN_TITLE;
  const isOneWork = agrees('TITLE')
    ? agreeing > 1 || !differs('AUTHORS') || isOwnTitle
    : differing === 1 && agreeing > 3;
  // The version of record comes before its preprint, unless the reference names the server.
  const isPreprint = work.csl['type'] === 'article' && !agrees('CONTAINER');
  const year = evidence.find(({ detail }) => detail === 'YEAR');
  const isOfYear = agrees('YEAR') && year?.inReference?.slice(0, 4) === year?.inWork;
  // Titles of a series differ in one word. A difference below a tenth can be a typing error.
  const titleRank = agrees('TITLE') ? 4 + Math.round(10 * titleShare) / 10 : 0;
  const rank = agreeing - 2 * differing + titleRank + (isOfYear ? 0.25 : 0) - (isPreprint ? 0.5 : 0);
  const isSeam = SEAMS.some(differs) || differing > 0;
  const verdict = isProven && differing === 0 ? 'FOUND' : isOneWork && isSeam ? 'DIFFERS' : 'OTHER';
  return { work, candidate: { doi: work.doi, evidence }, verdict, rank };
}
