// Writes the result of check_references: structured content for programs, and a short text for a language model. A title
// appears either in the structured content or in the text.

import type { DoiName } from 'doi-names';
import { harmlessLine } from '../../../safe-text.ts';
import type { Failure } from '../../gateway-client/batched-queries.ts';
import type { PlacesInText } from './find-dois-tool.ts';
import type { Fit, Places } from './judged-places.ts';
import { type MatchedEntry, reportedEntries } from './matched-entries.ts';
import { type NameOutcome, PREPRINT, remarksOn } from './name-outcome.ts';
import { listedDoi, nullIfEmpty, whenAgain, withoutNulls } from './tool.ts';
import { MAX_UNNAMED, type UnnamedReference, unnamedLines } from './unnamed-references.ts';

/** A DOI with its places of the same fit. */
export interface ReportedReference {
  readonly doi: DoiName;
  readonly outcome: NameOutcome;
  /** why the status is cannot_tell; else null */
  readonly reason: string | null;
  /** the updates of the work in words; null if the name is not found */
  readonly updates: string | null;
  readonly places: Places;
  /** null if the caller did not compare titles */
  readonly fit: Fit | null;
  readonly title: string | null;
  readonly titleFailure: Failure | null;
}

export interface ReportOptions extends Omit<PlacesInText, 'places'> {
  readonly titles: boolean;
  readonly problemsOnly: boolean;
  /** entries without a DOI or with a wrong one, whose words were searched */
  readonly matched: readonly MatchedEntry[];
  /** entries of lists of references that have no DOI, in the order of the text */
  readonly unnamed: readonly UnnamedReference[];
  /** when failed look-ups make sense again; null if none failed, or if the gateway did not state it */
  readonly retryAfterSeconds: number | null;
}

/** The largest size of structured content and text together, as JSON. The next call returns the other references. */
const MAX_BYTES = 19_500;
const MAX_BYTES_WITH_TITLES = 34_500;

/** If all look-ups of a longer list fail, the text has only the reason, not the DOIs. */
const LONG_LIST = 20;

const MAX_TITLE_CHARACTERS = 300;

/** If the report is too large, it has fewer references, and `continueAt` is the offset of the first missing reference. */
export function reportOf(references: readonly ReportedReference[], options: ReportOptions) {
  const maxBytes = options.titles ? MAX_BYTES_WITH_TITLES : MAX_BYTES;
  const inOrder = [...references].sort((a, b) => a.places[0].start - b.places[0].start);
  const doisTitledInText = new Set(inOrder.filter(({ fit }) => fit === 'does_not_fit').map(({ doi }) => doi));
  const judgedDois = new Set(
    inOrder.filter(({ fit }) => fit === 'fits' || fit === 'does_not_fit').map(({ doi }) => doi),
  );
  let listedCount = inOrder.length;
  for (;;) {
    const continueAt = inOrder[listedCount]?.places[0].start ?? options.continueAt;
    const report = writeReport(
      inOrder.slice(0, listedCount),
      { ...options, continueAt },
      { doisTitledInText, judgedDois },
    );
    const { length } = Buffer.from(JSON.stringify([withoutNulls(report.structured), report.text]));
    if (length <= maxBytes || listedCount <= 1) return report;
    listedCount = Math.max(1, Math.min(listedCount - 1, Math.floor((listedCount * maxBytes) / length)));
  }
}

interface KnownDois {
  /** DOIs whose titles are in the text of the result */
  readonly doisTitledInText: ReadonlySet<DoiName>;
  /** DOIs with at least one place for which the fit is known */
  readonly judgedDois: ReadonlySet<DoiName>;
}

function writeReport(references: readonly ReportedReference[], options: ReportOptions, known: KnownDois) {
  const { continueAt, tooLong, problemsOnly, retryAfterSeconds } = options;
  // Other calls report the entries behind the last reference.
  const unnamed = options.unnamed.filter(({ end }) => continueAt === null || end <= continueAt);
  const {
    matches,
    notSearched,
    lines: matchLines,
  } = reportedEntries(options.matched.filter(({ end }) => continueAt === null || end <= continueAt));
  const distinct = (isCounted: (outcome: NameOutcome) => boolean): number =>
    new Set(references.filter(({ outcome }) => isCounted(outcome)).map(({ doi }) => doi)).size;
  const count = (status: string): number => distinct((outcome) => outcome.status === status);
  const published = distinct(({ notes }) => notes?.some(({ code }) => code === PREPRINT) ?? false);
  const counts = {
    found: count('found'),
    absent: count('absent'),
    cannotTell: count('cannot_tell'),
  };
  const others = Object.entries({
    tooLong,
    publishedPreprints: published,
    withoutDoi: unnamed.length,
    notSearched,
  }).filter(([, number]) => number > 0);
  const updates = countsOf(references);
  const reasons = [...new Set(references.flatMap(({ reason }) => reason ?? []))];
  const listed = problemsOnly ? references.filter(isProblem) : references;
  const absent = listed.filter(({ outcome }) => outcome.status === 'absent');
  const misfits = references.filter(({ fit }) => fit === 'does_not_fit').length;
  const lines = [
    `${counts.found} found, ${counts.absent} absent, ${counts.cannotTell} cannot tell.${misfits > 0 ? ` References that do not fit: ${misfits}.` : ''}`,
    ...(updates === null ? [] : [`Updates: ${updatesLine(updates)}.`]),
    ...(published === 0 ? [] : [`Preprints that are published by now: ${published}.`]),
    ...linesUnder('ABSENT, the directory has no such DOI:', absent),
    ...reasons.flatMap((reason) => unknownLines(reason, listed)),
    ...listed.flatMap((reference) => foundLine(reference, known)),
    ...unnamedLines(unnamed),
    ...matchLines,
  ];
  if (retryAfterSeconds !== null) lines.push(`Look-ups failed: call again ${whenAgain(retryAfterSeconds)}.`);
  if (continueAt !== null) lines.push(`There are more: call again with "from": ${continueAt}.`);
  const entries = listed.map((reference) => entryOf(reference, known));
  const structured = {
    counts: { ...counts, ...Object.fromEntries(others) },
    reasons: nullIfEmpty(reasons),
    updates,
    references: entries,
    withoutDoi: nullIfEmpty(unnamed.slice(0, MAX_UNNAMED).map(({ start }) => start)),
    matches,
    continueAt,
  };
  return { structured, text: lines.join('\n') };
}

/** The number of DOIs for each kind of update; null if no DOI is found. */
function countsOf(references: readonly ReportedReference[]): Readonly<Record<string, number>> | null {
  const byDoi = new Map(references.map(({ doi, updates }) => [doi, updates]));
  const counts = new Map<string, number>();
  for (const updates of byDoi.values()) {
    if (updates !== null) counts.set(updates, (counts.get(updates) ?? 0) + 1);
  }
  return counts.size === 0 ? null : Object.fromEntries(counts);
}

function updatesLine(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([updates, count]) => `${count} ${updates.replace(/\.$/, '')}`)
    .join(', ');
}

function entryOf({ doi, outcome, places, fit, title }: ReportedReference, { doisTitledInText }: KnownDois) {
  const [{ start }, ...others] = places;
  return {
    ...listedDoi(doi),
    ...outcome,
    start,
    alsoAt: nullIfEmpty(others.map((place) => place.start)),
    fit,
    title: fit === 'fits' && title !== null && !doisTitledInText.has(doi) ? shorten(title) : null,
    repaired: places[0].repaired || null,
  };
}

function isProblem({ outcome, fit }: ReportedReference): boolean {
  if (outcome.status !== 'found' || remarksOn(outcome).length > 0) return true;
  return fit !== null && fit !== 'fits';
}

function linesUnder(heading: string, references: readonly ReportedReference[]): string[] {
  if (references.length === 0) return [];
  return [heading, ...references.map(({ doi, outcome }) => [doi, ...remarksOn(outcome)].join('; '))];
}

function unknownLines(reason: string, listed: readonly ReportedReference[]): string[] {
  const unknown = listed.filter((reference) => reference.reason === reason);
  const isAll = unknown.length === listed.length && unknown.length > LONG_LIST;
  return isAll ? [`CANNOT TELL, all of them: ${reason}`] : linesUnder(`CANNOT TELL: ${reason}`, unknown);
}

function foundLine(reference: ReportedReference, { judgedDois }: KnownDois): string[] {
  const { doi, outcome, places, fit, title, titleFailure } = reference;
  if (outcome.status !== 'found') return [];
  const phrases = remarksOn(outcome);
  // At its other places, the DOI has its title.
  const isJudged = judgedDois.has(doi);
  const unknownTitle =
    titleFailure === null
      ? 'it has no known title'
      : `its title could not be looked up: ${titleFailure.message}`;
  const titleText = title === null ? unknownTitle : `it is “${shorten(title)}”`;
  if (fit === 'does_not_fit') phrases.unshift(`DOES NOT FIT: it is “${shorten(title ?? '')}”`);
  if (fit === 'cannot_tell')
    phrases.unshift(`cannot tell whether it fits${isJudged ? '' : `; ${titleText}`}`);
  if (phrases.length === 0) return [];
  const isOfPlaces = fit === 'does_not_fit' || (fit === 'cannot_tell' && isJudged);
  const where = isOfPlaces ? ` at ${places.map(({ start }) => start).join(', ')}` : '';
  return [`${doi}${where}: ${phrases.join('; ')}`];
}

function shorten(title: string): string {
  return harmlessLine(title, MAX_TITLE_CHARACTERS);
}
