// The result of one reference, written as a line for people, as JSON, or as an annotation of GitHub Actions.

import { canonicalName, type DoiName } from 'doi-names';
import { lookalikes } from 'doi-names/lookalikes';
import { asciiLookalike, lookalikeWarning } from 'doi-names/parts';
import { jsonLine, safeText } from '../../../safe-text.ts';
import { fitOfReference, type NamedWork, type ReferenceFit } from '../../../works/reference-fit.ts';
import type { UpdatedWork } from '../../gateway-client/look-up-works.ts';
import { isRetracted, noticeTexts, outcomeText, updatesText } from '../../gateway-client/update-outcome.ts';
import { annotation } from '../annotation.ts';
import type { Reference } from '../find-in-input.ts';
import { type Colour, coloured, type Output } from '../output.ts';
import type { KnownPart } from './checked-answers.ts';
import type { Stored } from './lock-lines.ts';
import { matchJson, remarksOnWrong, type WordsMatch } from './match-remarks.ts';

export type NameFacts = Stored<'name'>;

interface LookedUp {
  /** the match of a reference with a wrong DOI; null if its words were not searched */
  readonly wordsMatch: WordsMatch | null;
  /** whether the check has --match */
  readonly withMatches: boolean;
  /** null without --titles */
  readonly work: KnownPart<NamedWork> | null;
  /** null without --updates. `part` is null if the name was not found. */
  readonly updates: KnownPart<UpdatedWork> | null;
  /** whether --accept lists the name */
  readonly isAccepted: boolean;
}

export interface CheckedReference extends Reference, LookedUp, Omit<NameFacts, 'outcome' | 'asked'> {
  readonly outcome: NameFacts['outcome'] | 'unknown';
  /** the time of the look-up; null if the outcome is unknown */
  readonly asked: string | null;
  /** why the outcome is unknown, or why it is from an older look-up; else null */
  readonly reason: string | null;
  /** whether the name contains characters that look like other characters */
  readonly isLookalike: boolean;
  /** the name with ASCII characters instead of look-alike characters; null if there are no such ASCII characters */
  readonly looksLike: string | null;
  /** null if the check compares no titles, or if the name was not found */
  readonly fit: ReferenceFit | null;
  /** whether the work is retracted and not in --accept */
  readonly isRefused: boolean;
  /** whether the look-up of the updates failed */
  readonly isUpdateUnknown: boolean;
  /** whether a found reference fails with --strict */
  readonly isSuspicious: boolean;
  /** whether the reference is written even with --quiet */
  readonly needsLook: boolean;
}

const UNKNOWN = { outcome: 'unknown', asked: null, meant: [], alias: null, tombstone: null } as const;

export function checkedReference(
  reference: Reference,
  { part, reason }: KnownPart<NameFacts>,
  lookedUp: LookedUp,
): CheckedReference {
  const { name } = reference.match;
  const { work, updates, isAccepted, wordsMatch } = lookedUp;
  const facts = part ?? UNKNOWN;
  const isFound = facts.outcome === 'found';
  const isLookalike = lookalikeWarning(name, lookalikes) !== undefined;
  const looksLike = isLookalike ? asciiLookalike(name, lookalikes) : null;
  const fit = isFound && work !== null ? fitOf(reference, work, wordsMatch) : null;
  const unacceptedUpdates = isAccepted ? null : (updates?.part ?? null);
  const isUpdateUnknown = isFound && updates?.part === null;
  const isDoubtful = isLookalike || facts.alias !== null || facts.tombstone !== null;
  const isSuspicious = isDoubtful || unacceptedUpdates?.outcome === 'CONCERN';
  const isUpdated =
    unacceptedUpdates !== null &&
    (unacceptedUpdates.notices.length > 0 || unacceptedUpdates.publishedAs !== null);
  return {
    ...{ ...reference, ...facts, reason, ...lookedUp },
    ...{ isLookalike, looksLike, fit, isUpdateUnknown, isSuspicious },
    wordsMatch: fit === 'FITS' ? null : wordsMatch,
    isRefused: unacceptedUpdates !== null && isRetracted(unacceptedUpdates),
    needsLook: !isFound || (fit !== null && fit !== 'FITS') || isSuspicious || isUpdateUnknown || isUpdated,
  };
}

/** Whether the reference has a wrong DOI: its words are about another work. */
export function isMisfit(reference: Reference, work: KnownPart<NamedWork>): boolean {
  return fitOf(reference, work, null) === 'DOES_NOT_FIT';
}

/** A search compares more details. If it finds the work of this name by the words, the words fit. */
function fitOf(
  { match: { name, reference } }: Reference,
  { part }: KnownPart<NamedWork>,
  wordsMatch: WordsMatch | null,
): ReferenceFit {
  if (reference === null || part === null) return 'CANNOT_TELL';
  const found = wordsMatch?.known.part;
  const isOfName = found?.outcome === 'found' && canonicalName(found.doi as DoiName) === canonicalName(name);
  return isOfName ? 'FITS' : fitOfReference(reference, part);
}

const OUTCOME_TEXTS = { found: 'found', absent: 'absent', unknown: 'cannot tell' } as const;
const COLOURS = { found: 'green', absent: 'red', unknown: 'yellow' } as const;

const FIT_TEXTS = { FITS: 'fits', DOES_NOT_FIT: 'does not fit', CANNOT_TELL: 'found' } as const;
const FIT_COLOURS = { FITS: 'green', DOES_NOT_FIT: 'red', CANNOT_TELL: 'green' } as const;
const FIT_IN_JSON = { FITS: 'fits', DOES_NOT_FIT: 'does-not-fit', CANNOT_TELL: 'unknown' } as const;

const MAX_TITLE_CHARACTERS = 300;

/** Example: `thesis.tex:12:34: absent: 10.1000/183 (did you mean 10.1000/182?)` */
export function referenceLine(reference: CheckedReference, output: Output): string {
  const { file, line, column } = reference;
  return `${safeText(`${file}:${line}:${column}`)}: ${remarkText(reference, output)}\n`;
}

/** The text of `referenceLine` without file and position. */
export function remarkText(reference: CheckedReference, output: Pick<Output, 'colours'>): string {
  const { match } = reference;
  const remarks = remarksOn(reference).map((remark) => safeText(remark));
  const verdict = coloured(output, ...verdictOn(reference));
  const remark = remarks.length === 0 ? '' : coloured(output, 'dim', ` (${remarks.join('; ')})`);
  return `${verdict}: ${safeText(match.name)}${remark}`;
}

function verdictOn(reference: CheckedReference): [colour: Colour, text: string] {
  const { outcome, fit, updates } = reference;
  if (hasRefusedVerdict(reference) && updates?.part) return ['red', outcomeText(updates.part)];
  return fit === null ? [COLOURS[outcome], OUTCOME_TEXTS[outcome]] : [FIT_COLOURS[fit], FIT_TEXTS[fit]];
}

function hasRefusedVerdict({ fit, isRefused }: CheckedReference): boolean {
  return isRefused && fit !== 'DOES_NOT_FIT';
}

function remarksOn(reference: CheckedReference): string[] {
  const { match, isLookalike, looksLike, outcome, asked, reason, meant, alias, tombstone } = reference;
  const remarks: string[] = [...fitRemarks(reference), ...updateRemarks(reference)];
  if (reference.wordsMatch !== null) remarks.push(...remarksOnWrong(reference.wordsMatch));
  if (meant.length > 0) remarks.push(`did you mean ${meant.join(' or ')}?`);
  if (isLookalike) {
    remarks.push(`look-alike${looksLike === null ? ' characters' : `: it looks like ${looksLike}`}`);
  }
  if (alias !== null) remarks.push(`alias of ${alias}`);
  if (tombstone !== null) remarks.push(`tombstone: it leads to ${tombstone}`);
  if (outcome === 'absent' && match.repaired) remarks.push('it was joined from parts: check the text');
  if (reason !== null) remarks.push(asked === null ? reason : `answer of ${asked.slice(0, 10)}. ${reason}`);
  return remarks;
}

/** If the outcome of the updates is already the verdict of the line, the remarks do not repeat this outcome. */
function updateRemarks(reference: CheckedReference): string[] {
  const { updates, isAccepted, isUpdateUnknown } = reference;
  if (isUpdateUnknown) return [`updates unknown: ${updates?.reason ?? ''}`];
  const part = updates?.part ?? null;
  if (part === null) return [];
  const published = part.publishedAs === null ? [] : [`preprint; published as ${part.publishedAs}`];
  if (hasRefusedVerdict(reference)) return [...noticeTexts(part).filter(Boolean), ...published];
  const text = part.notices.length === 0 ? `updates: ${updatesText(part)}` : updatesText(part);
  return [text, ...published, ...(isAccepted ? ['accepted'] : [])];
}

function fitRemarks({ fit, work }: CheckedReference): string[] {
  if (fit === null || fit === 'FITS') return [];
  const title = work?.part?.title ?? '';
  const cut = title.length > MAX_TITLE_CHARACTERS ? `${title.slice(0, MAX_TITLE_CHARACTERS)}…` : title;
  const titleText = work?.part?.title == null ? '' : `it is “${cut}”`;
  if (fit === 'DOES_NOT_FIT') return [titleText];
  return [`cannot tell whether it fits${titleText === '' ? '' : `: ${titleText}`}`];
}

export function asJson({ file, line, column, match, ...others }: CheckedReference): string {
  const { name, text, repaired } = match;
  const { outcome, asked, reason, meant, alias, tombstone } = others;
  const { isLookalike, looksLike, fit, work, updates, isAccepted, wordsMatch } = others;
  return jsonLine({
    ...{ file, line, column, name, text, repaired, outcome, asked, reason, meant },
    ...{ isLookalike, looksLike, alias, tombstone },
    ...(work !== null && { fit: fit === null ? null : FIT_IN_JSON[fit], title: work.part?.title ?? null }),
    ...(updates !== null && {
      updates: outcome === 'found' ? updatesJson(updates) : null,
      accepted: isAccepted,
      publishedAs: updates.part?.publishedAs ?? null,
    }),
    ...(others.withMatches && { match: wordsMatch && matchJson(wordsMatch) }),
  });
}

/** Writes only the documented members. The part can be an entry of the lock file, which has more members. */
function updatesJson({ part, reason }: KnownPart<UpdatedWork>) {
  if (part === null) return { outcome: null, reason };
  const { outcome, source, notices } = part;
  return { outcome, source, notices };
}

/** Returns a command that GitHub Actions shows beside the line; an empty text for a reference without a problem. */
export function asAnnotation(reference: CheckedReference, isStrict: boolean): string {
  const { file, line, column, match, outcome, fit, isSuspicious } = reference;
  if (!reference.needsLook) return '';
  const isWrong = outcome === 'absent' || fit === 'DOES_NOT_FIT' || reference.isRefused;
  const isError = isWrong || (isStrict && outcome !== 'unknown' && isSuspicious);
  // A text with a line break ends on another line, so its end column is unknown.
  const end = match.text.includes('\n') ? {} : { endColumn: column + match.text.length };
  const place = { file, line, col: column, ...end, title: 'DOI reference' };
  return annotation(isError ? 'error' : 'warning', place, remarkText(reference, { colours: false }));
}
