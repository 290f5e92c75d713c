// Finds the work that a reference in words describes: by a DOI of the reference, then by the searches of the agencies. A
// search that fails is a failure, never NOT_FOUND.

import type { DoiName, HandleName } from 'doi-names';
import { findDois } from 'doi-names/parts';
import { createWhichRaAnswer, type Directory, type MetadataAnswer } from '../directory/directory.ts';
import type { Waiters } from '../directory/waiters.ts';
import { freezeJson } from '../handle/json.ts';
import { LIFETIMES } from '../lifetimes.ts';
import { TURNS } from '../turns.ts';
import type { FoundWork, FoundWorks } from '../works/matching/found-works.ts';
import { judgeReference, type ReferenceJudgement } from '../works/matching/match-reference.ts';
import { dataciteQuery, searchText } from '../works/matching/search-queries.ts';
import { SEARCH } from '../works/metadata-format.ts';
import { NOT_REPORTED } from '../works/retractions-and-updates.ts';
import { OptionsForWaiters } from './in-flight.ts';

/** The content of the answer. */
export type ReferenceMatch = ReferenceJudgement & {
  /** the agencies that were searched, in their order */
  readonly sources: readonly string[];
};

const SEARCHES = [
  { agency: 'Crossref', wordsOf: searchText },
  { agency: 'DataCite', wordsOf: dataciteQuery },
] as const;

/** More DOIs in one reference are not looked up. */
const MAX_NAMED = 2;

interface MatchedReferencesOptions {
  readonly describe: NonNullable<Directory['describe']>;
  /** the CSL of a work, through the cache */
  readonly describeWork: (name: DoiName, waiters: Waiters) => Promise<MetadataAnswer>;
  /** keeps the CSL of a work that a search has found */
  readonly keepWork: (name: DoiName, answer: MetadataAnswer) => void;
  readonly now: () => number;
}

export function createMatchedReferences({ describe, describeWork, keepWork, now }: MatchedReferencesOptions) {
  async function namedWorks(reference: string, waiters: Waiters): Promise<readonly Found[]> {
    const names = findDois(reference, MAX_NAMED).map(({ name }) => name);
    const answers = await Promise.all(names.map((name) => describeWork(name, waiters)));
    return answers.flatMap((answer, at) => {
      const [name, csl] = [names[at], answer.content];
      if (name === undefined || csl === null || typeof csl === 'string') return [];
      const history = answer.history ?? { updates: NOT_REPORTED, relations: [] };
      return [{ work: { doi: name, csl, history }, answer }];
    });
  }

  async function search(words: string, agency: string, waiters: Waiters): Promise<readonly Found[]> {
    const isKnown = Promise.resolve(createWhichRaAnswer({ status: 'FOUND', agency }, now()));
    const options = new OptionsForWaiters(waiters, { agency: isKnown });
    const answer = await describe(words as HandleName, SEARCH, options);
    const { works } = answer.content as FoundWorks;
    return works.map((work) => ({
      work,
      answer: { ...answer, content: work.csl, history: work.history },
    }));
  }

  return async (reference: string, waiters: Waiters): Promise<MetadataAnswer> => {
    const nextTurn = (): Promise<void> => TURNS.next(waiters.firstRequester.client.key);
    const found = [...(await namedWorks(reference, waiters))];
    const sources = new Set(found.map(({ answer }) => answer.source));
    const judge = () =>
      judgeReference(
        reference,
        found.map(({ work }) => work),
        nextTurn,
      );
    let judgement = await judge();
    let isDecided = judgement.outcome === 'FOUND';
    for (const { agency, wordsOf } of SEARCHES) {
      const words = isDecided ? null : wordsOf(reference);
      if (words === null || words === '') continue;
      found.push(...(await search(words, agency, waiters)));
      sources.add(agency);
      judgement = await judge();
      isDecided = judgement.outcome !== 'NOT_FOUND';
    }
    return matchAnswer(judgement, sources, found);
  };

  function matchAnswer(
    judgement: ReferenceJudgement,
    sources: ReadonlySet<string>,
    found: readonly Found[],
  ): MetadataAnswer {
    const shown = new Set([judgement.work, ...judgement.candidates].map((candidate) => candidate?.doi));
    for (const { work, answer } of found) if (shown.has(work.doi)) keepWork(work.doi, answer);
    const fetchedAt = now();
    const lifeMs =
      judgement.outcome === 'NOT_FOUND' ? LIFETIMES.unmatchedReference : LIFETIMES.matchedReference;
    const content: ReferenceMatch = { ...judgement, sources: [...sources] };
    return Object.freeze({
      content: freezeJson(content),
      source: [...sources].join(', '),
      fetchedAt,
      freshUntil: fetchedAt + lifeMs,
      stale: false,
    });
  }
}

interface Found {
  readonly work: FoundWork;
  /** the work's metadata, as an answer for its DOI */
  readonly answer: MetadataAnswer;
}
