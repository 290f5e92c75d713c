// What check_references returns: structured content for programs, and a text of what a language model has to look at.
// It says each title once, and stays small enough to be read.

import type { DoiName } from '../../doi/name.ts';
import type { Fit, Places } from './judged-references.ts';
import { type NameOutcome, remarksOn } from './name-outcome.ts';
import { listedDoi } from './tool.ts';
import { nullIfEmpty, withoutNulls } from './without-nulls.ts';

/** A DOI at the places where it fits alike. */
export interface CheckedReference {
  readonly doi: DoiName;
  readonly outcome: NameOutcome;
  /** why the status is cannot_tell; else null */
  readonly reason: string | null;
  readonly places: Places;
  /** null: not compared */
  readonly fit: Fit | null;
  readonly title: string | null;
}

export interface ReportOptions {
  /** where the first place begins that was not looked at; null: there is none */
  readonly continueAt: number | null;
  readonly tooLong: number;
  readonly titles: boolean;
  readonly problemsOnly: boolean;
}

/** Structured content and text together, as JSON. What is over waits for the next call. */
const MAX_BYTES = 19_500;
const MAX_BYTES_WITH_TITLES = 34_500;

/** If a directory fails, a list of all names says nothing that the reason does not. */
const LONG_LIST = 20;

const MAX_TITLE = 300;

export function reportOf(references: readonly CheckedReference[], options: ReportOptions) {
  const maxBytes = options.titles ? MAX_BYTES_WITH_TITLES : MAX_BYTES;
  const inOrder = [...references].sort((a, b) => a.places[0].start - b.places[0].start);
  const titledInText = new Set(inOrder.filter(({ fit }) => fit === 'does_not_fit').map(({ doi }) => doi));
  const isJudged = new Set(
    inOrder.filter(({ fit }) => fit === 'fits' || fit === 'does_not_fit').map(({ doi }) => doi),
  );
  let most = inOrder.length;
  for (;;) {
    const continueAt = inOrder[most]?.places[0].start ?? options.continueAt;
    const report = write(inOrder.slice(0, most), { ...options, continueAt }, { titledInText, isJudged });
    const { length } = Buffer.from(JSON.stringify([withoutNulls(report.structured), report.text]));
    if (length <= maxBytes || most <= 1) return report;
    most = Math.max(1, Math.min(most - 1, Math.floor((most * maxBytes) / length)));
  }
}

interface KnownDois {
  /** the text has their titles */
  readonly titledInText: ReadonlySet<DoiName>;
  /** at one place at least their words could be judged */
  readonly isJudged: ReadonlySet<DoiName>;
}

function write(references: readonly CheckedReference[], options: ReportOptions, known: KnownDois) {
  const { continueAt, tooLong, problemsOnly } = options;
  const count = (status: string): number =>
    new Set(references.filter(({ outcome }) => outcome.status === status).map(({ doi }) => doi)).size;
  const counts = {
    found: count('found'),
    absent: count('absent'),
    cannotTell: count('cannot_tell'),
    tooLong: tooLong || null,
  };
  const reasons = [...new Set(references.flatMap(({ reason }) => reason ?? []))];
  const listed = problemsOnly ? references.filter((one) => isProblem(one, known)) : references;
  const absent = listed.filter(({ outcome }) => outcome.status === 'absent');
  const misfits = references.filter(({ fit }) => fit === 'does_not_fit').length;
  const lines = [
    `${counts.found} found, ${counts.absent} absent, ${counts.cannotTell} cannot tell${misfits > 0 ? `; ${misfits} do not fit` : ''}.`,
    ...linesUnder('ABSENT, the directory has no such DOI:', absent),
    ...reasons.flatMap((reason) => unknownLines(reason, listed)),
    ...listed.flatMap((one) => (one.outcome.status === 'found' ? foundLine(one, known) : [])),
  ];
  if (continueAt !== null) lines.push(`There are more: call again with "from": ${continueAt}.`);
  const entries = listed.map((one) => entryOf(one, known));
  const structured = { counts, reasons: nullIfEmpty(reasons), references: entries, continueAt };
  return { structured, text: lines.join('\n') };
}

function entryOf({ doi, outcome, places, fit, title }: CheckedReference, { titledInText }: KnownDois) {
  const [{ start }, ...others] = places;
  return {
    ...listedDoi(doi),
    ...outcome,
    start,
    alsoAt: nullIfEmpty(others.map((place) => place.start)),
    fit,
    title: fit === 'fits' && title !== null && !titledInText.has(doi) ? shown(title) : null,
    repaired: places[0].repaired || null,
  };
}

function isProblem({ doi, outcome, fit }: CheckedReference, { isJudged }: KnownDois): boolean {
  if (outcome.status !== 'found' || remarksOn(outcome).length > 0) return true;
  return fit === 'does_not_fit' || (fit === 'cannot_tell' && !isJudged.has(doi));
}

function linesUnder(heading: string, references: readonly CheckedReference[]): string[] {
  if (references.length === 0) return [];
  return [heading, ...references.map(({ doi, outcome }) => [doi, ...remarksOn(outcome)].join('; '))];
}

function unknownLines(reason: string, listed: readonly CheckedReference[]): string[] {
  const unknown = listed.filter((one) => one.reason === reason);
  const isAll = unknown.length === listed.length && unknown.length > LONG_LIST;
  return isAll ? [`CANNOT TELL, all of them: ${reason}`] : linesUnder(`CANNOT TELL: ${reason}`, unknown);
}

function foundLine(reference: CheckedReference, { isJudged }: KnownDois): string[] {
  const { doi, outcome, places, fit, title } = reference;
  const phrases = remarksOn(outcome);
  if (fit === 'does_not_fit') phrases.unshift(`DOES NOT FIT: it is “${shown(title ?? '')}”`);
  if (fit === 'cannot_tell' && !isJudged.has(doi)) {
    phrases.unshift(`cannot tell; ${title === null ? 'it has no known title' : `it is “${shown(title)}”`}`);
  }
  if (phrases.length === 0) return [];
  const where = fit === 'does_not_fit' ? ` at ${places.map(({ start }) => start).join(', ')}` : '';
  return [`${doi}${where}: ${phrases.join('; ')}`];
}

/** In one line: a title comes from an agency, and must not look like a line of ours. */
function shown(title: string): string {
  const line = title.replace(/[\s\p{Cc}]+/gu, ' ');
  return line.length <= MAX_TITLE ? line : `${line.slice(0, MAX_TITLE)}…`;
}
