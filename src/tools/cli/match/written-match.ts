// Writes the answer of one reference as lines for people, as JSON, as an annotation of GitHub Actions, or as CSV.

import { stringify } from 'csv-stringify/sync';
import { jsonLine, safeText } from '../../../safe-text.ts';
import type { DetailEvidence } from '../../../works/matching/compare-details.ts';
import { Failure } from '../../gateway-client/batched-queries.ts';
import { detailName, detailsWith, difference, shortened } from '../../gateway-client/match-evidence.ts';
import type { MatchedWork, ReferenceAnswer } from '../../gateway-client/match-references.ts';
import { annotation } from '../annotation.ts';
import { type Colour, coloured, type Output } from '../output.ts';
import type { ReadReference } from './read-references.ts';

export interface MatchedReference extends ReadReference {
  readonly answer: ReferenceAnswer | Failure;
}

export type MatchOutcome = ReferenceAnswer['outcome'] | 'UNKNOWN';

export const outcomeOfMatch = ({ answer }: MatchedReference): MatchOutcome =>
  answer instanceof Failure ? 'UNKNOWN' : answer.outcome;

interface OutcomeWords {
  readonly text: string;
  readonly json: string;
  readonly colour: Colour;
}

export const OUTCOME_WORDS: Readonly<Record<MatchOutcome, OutcomeWords>> = {
  FOUND: { text: 'found', json: 'found', colour: 'green' },
  DIFFERS: { text: 'differs', json: 'differs', colour: 'red' },
  SEVERAL: { text: 'several', json: 'several', colour: 'yellow' },
  NOT_FOUND: { text: 'not found', json: 'not-found', colour: 'yellow' },
  UNKNOWN: { text: 'cannot tell', json: 'unknown', colour: 'yellow' },
};

/** The candidates of a work that is found are other works. */
const SHOWS_CANDIDATES: ReadonlySet<MatchOutcome> = new Set(['SEVERAL', 'NOT_FOUND']);

/** Returns lines for people. */
export function inWords(reference: MatchedReference, output: Pick<Output, 'colours'>): string {
  const { file, line, text } = reference;
  const { colour, text: verdict } = OUTCOME_WORDS[outcomeOfMatch(reference)];
  const [first = '', ...others] = remarksOn(reference);
  const head = `${safeText(`${file}:${line}`)}: ${coloured(output, colour, verdict)}${first === '' ? '' : `: ${safeText(first)}`}`;
  const words = text === '' ? [] : [coloured(output, 'dim', safeText(shortened(text)))];
  return [
    head,
    ...[...words, ...others.map((remark) => safeText(remark))].map((remark) => `    ${remark}`),
    '',
  ].join('\n');
}

/** Returns a command that GitHub Actions shows beside the line; an empty text for a reference that is found. */
export function annotationOfMatch(reference: MatchedReference): string {
  const { file, line } = reference;
  const outcome = outcomeOfMatch(reference);
  if (outcome === 'FOUND') return '';
  const message = `${OUTCOME_WORDS[outcome].text}: ${remarksOn(reference).join('; ')}`;
  return annotation(
    outcome === 'DIFFERS' ? 'error' : 'warning',
    { file, line, title: 'Reference' },
    safeText(message),
  );
}

export function jsonOfMatch({ file, line, text, answer }: MatchedReference): string {
  const { json: outcome } = OUTCOME_WORDS[answer instanceof Failure ? 'UNKNOWN' : answer.outcome];
  if (answer instanceof Failure) {
    const none = { doi: null, evidence: [], candidates: [], sources: [] };
    return jsonLine({ file, line, reference: text, outcome, ...none, reason: answer.message });
  }
  const { work, candidates, sources } = answer;
  return jsonLine({
    ...{ file, line, reference: text, outcome },
    doi: work?.doi.name ?? null,
    evidence: work?.evidence ?? [],
    candidates: candidates.map(({ doi, evidence }) => ({ doi: doi.name, evidence })),
    ...{ sources, reason: null },
  });
}

export const CSV_COLUMNS = [
  'file',
  'line',
  'outcome',
  'doi',
  'agrees',
  'differs',
  'candidates',
  'sources',
  'reason',
  'reference',
];

export function asCsv({ file, line, text, answer }: MatchedReference): string {
  const isFailure = answer instanceof Failure;
  const { json } = OUTCOME_WORDS[isFailure ? 'UNKNOWN' : answer.outcome];
  const work = isFailure ? null : answer.work;
  const cells = [
    ...[file, String(line), json, work?.doi.name ?? ''],
    detailsWith(work, 'AGREES').map(detailName).join(', '),
    detailsWith(work, 'DIFFERS').map(difference).join('; '),
    isFailure ? '' : answer.candidates.map(({ doi }) => doi.name).join(' '),
    isFailure ? '' : answer.sources.join(', '),
    isFailure ? answer.message : '',
    text,
  ];
  return csvLine(cells.map((cell) => safeText(cell)));
}

/** An apostrophe before a cell that a spreadsheet would run as a formula: the texts are of strangers. */
export function csvLine(cells: readonly string[]): string {
  return stringify([[...cells]], { escape_formulas: true });
}

/** The DOI, what agrees and what differs, candidates, or the reason. */
function remarksOn({ answer }: MatchedReference): readonly string[] {
  if (answer instanceof Failure) return [answer.message];
  const { outcome, work, candidates, sources } = answer;
  const shown = SHOWS_CANDIDATES.has(outcome) ? candidates.map(candidateText) : [];
  const searched = sources.join(' and ');
  if (work !== null) return [work.doi.url, ...evidenceTexts(work)];
  if (outcome === 'SEVERAL') return [`these works fit equally`, ...shown];
  const where =
    searched === '' ? 'it has no words to search for' : `not at ${searched}, but the work can exist`;
  return [where, ...shown];
}

export function evidenceTexts(work: MatchedWork): readonly string[] {
  const agrees = detailsWith(work, 'AGREES').map(detailName);
  return [
    ...(agrees.length > 0 ? [`agrees: ${agrees.join(', ')}`] : []),
    ...detailsWith(work, 'DIFFERS').map((evidence) => `differs: ${difference(evidence)}`),
  ];
}

/** Example: `https://doi.org/10.5555/pumps “Reliability of pumps”, Ada Berger, 2012 (differs: year)` */
function candidateText(candidate: MatchedWork): string {
  const inWork = (wanted: DetailEvidence['detail']) =>
    candidate.evidence.find(({ detail }) => detail === wanted)?.inWork ?? null;
  const title = inWork('TITLE');
  const named = [title && `“${shortened(title)}”`, inWork('AUTHORS'), inWork('YEAR')];
  const facts = named.filter((fact) => fact !== null && fact !== '').map((fact) => shortened(fact ?? ''));
  const differs = detailsWith(candidate, 'DIFFERS').map(detailName);
  const suffix = differs.length > 0 ? ` (differs: ${differs.join(', ')})` : '';
  return `candidate: ${[candidate.doi.url, facts.join(', ')].filter(Boolean).join(' ')}${suffix}`;
}
