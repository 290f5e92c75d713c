// The match of a reference in words, as remarks for people and as JSON.

import type { Colour } from '../output.ts';
import type { KnownPart } from './checked-answers.ts';
import type { Stored } from './lock-lines.ts';
import type { MatchPart } from './match-part.ts';

/** What a search of the words of one reference found. */
export interface WordsMatch {
  /** the key of the reference */
  readonly key: string;
  readonly known: KnownPart<Stored<'match'>>;
  /** whether --accept lists the key */
  readonly isAccepted: boolean;
}

export type RemarkedOutcome = MatchPart['outcome'] | 'unknown';

export const MATCH_TEXTS: Readonly<Record<RemarkedOutcome, readonly [colour: Colour, text: string]>> = {
  found: ['green', 'found'],
  differs: ['red', 'differs'],
  several: ['yellow', 'several'],
  'not-found': ['yellow', 'not found'],
  unknown: ['yellow', 'cannot tell'],
};

export const matchOutcome = ({ known }: WordsMatch): RemarkedOutcome => known.part?.outcome ?? 'unknown';

/** The remarks on an entry without a DOI. */
export function remarksOnEntry(match: WordsMatch): string[] {
  const { known, isAccepted } = match;
  return [...entryTexts(known.part, match.key), ...reasonTexts(known), ...(isAccepted ? ['accepted'] : [])];
}

function entryTexts(part: MatchPart | null, key: string): string[] {
  if (part === null) return [];
  const { outcome, doi, agrees, differs, candidates } = part;
  if (outcome === 'found') return [`its DOI is ${doi}`, ...agreesTexts(agrees)];
  const toAccept = `to accept it: ${key}`;
  if (outcome === 'differs')
    return [`its DOI is perhaps ${doi}`, ...differs.map((detail) => `differs: ${detail}`), toAccept];
  if (outcome === 'several') return [`these works fit equally: ${candidates.join(', ')}`, toAccept];
  return [notFoundText(part), toAccept];
}

/** The right DOI beside a wrong one. */
export function remarksOnWrong({ known }: WordsMatch): string[] {
  return [...wrongTexts(known.part), ...reasonTexts(known).map((reason) => `the words: ${reason}`)];
}

function wrongTexts(part: MatchPart | null): string[] {
  if (part === null) return [];
  const { outcome, doi, differs, candidates } = part;
  if (outcome === 'found') return [`the words fit ${doi}`];
  if (outcome === 'differs')
    return [`the words perhaps fit ${doi}`, ...differs.map((detail) => `differs: ${detail}`)];
  if (outcome === 'several') return [`the words fit several works: ${candidates.join(', ')}`];
  return [`the words: ${notFoundText(part)}`];
}

function agreesTexts(agrees: readonly string[]): string[] {
  return agrees.length === 0 ? [] : [`agrees: ${agrees.join(', ')}`];
}

function notFoundText({ sources }: MatchPart): string {
  return sources.length === 0
    ? 'they have nothing to search for'
    : `not at ${sources.join(' and ')}, but the work can exist`;
}

function reasonTexts({ part, reason }: WordsMatch['known']): string[] {
  if (reason === null) return [];
  return [part === null ? reason : `match of ${part.asked.slice(0, 10)}. ${reason}`];
}

/** The member "match" of a line of JSON. */
export function matchJson(match: WordsMatch) {
  const { part, reason } = match.known;
  return {
    outcome: matchOutcome(match),
    doi: part?.doi ?? null,
    agrees: part?.agrees ?? [],
    differs: part?.differs ?? [],
    candidates: part?.candidates ?? [],
    sources: part?.sources ?? [],
    asked: part?.asked ?? null,
    reason,
    key: match.key,
    accepted: match.isAccepted,
  };
}
