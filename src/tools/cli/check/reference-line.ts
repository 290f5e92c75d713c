// The result of one reference, written as a line for people, as JSON, or as an annotation of GitHub Actions.

import { lookalikes } from '../../../doi/lookalikes.ts';
import { asciiLookalike } from '../../../doi/suggest.ts';
import { lookalikeWarning } from '../../../doi/warnings.ts';
import { fitOfReference, type NamedWork, type ReferenceFit } from '../../../metadata/reference-fit.ts';
import { jsonLine, safeText } from '../../../safe-text.ts';
import {
  isRetracted,
  noticeTexts,
  outcomeText,
  updatesText,
  type WorkUpdates,
} from '../../gateway-client/work-updates.ts';
import type { Reference } from '../find-in-input.ts';
import { type Colour, coloured, type Output } from '../output.ts';
import type { NameResult } from './checked-names.ts';
import type { KnownPart } from './checked-works.ts';

export interface CheckedReference extends Reference {
  readonly known: NameResult;
  /** whether the name contains characters that look like other characters */
  readonly isLookalike: boolean;
  /** the name with ASCII characters instead of look-alike characters; null if there are no such ASCII characters */
  readonly looksLike: string | null;
  /** null if the check compares no titles, or if the name was not found */
  readonly fit: ReferenceFit | null;
  /** null without --titles */
  readonly work: KnownPart<NamedWork> | null;
  /** null without --updates. `part` is null if the name was not found. */
  readonly updates: KnownPart<WorkUpdates> | null;
  /** whether --accept lists the name */
  readonly isAccepted: boolean;
}

type KnownOfReference = Pick<CheckedReference, 'known' | 'work' | 'updates' | 'isAccepted'>;

export function checkedReference(reference: Reference, facts: KnownOfReference): CheckedReference {
  const { name } = reference.match;
  const { known, work } = facts;
  const isLookalike = lookalikeWarning(name, lookalikes) !== undefined;
  const looksLike = isLookalike ? asciiLookalike(name, lookalikes) : null;
  const fit = known.outcome === 'found' && work !== null ? fitOf(reference, work) : null;
  return { ...reference, ...facts, isLookalike, looksLike, fit };
}

function fitOf({ match: { reference } }: Reference, { part }: KnownPart<NamedWork>): ReferenceFit {
  return reference === null || part === null ? 'CANNOT_TELL' : fitOfReference(reference, part);
}

/** Whether the work is retracted and not in --accept. */
export function isRefused({ updates, isAccepted }: CheckedReference): boolean {
  return !isAccepted && updates?.part != null && isRetracted(updates.part);
}

/** Whether the look-up of the updates failed. */
export function isUpdateUnknown({ known, updates }: CheckedReference): boolean {
  return known.outcome === 'found' && updates?.part === null;
}

function isOfConcern({ updates }: CheckedReference): boolean {
  return updates?.part?.outcome === 'CONCERN';
}

/** Whether a found reference fails with --strict. */
export function isSuspicious(reference: CheckedReference): boolean {
  const { known, isLookalike, isAccepted } = reference;
  const isDoubtful = isLookalike || known.alias !== null || known.tombstone !== null;
  return isDoubtful || (isOfConcern(reference) && !isAccepted);
}

/** Whether the reference is written even with --quiet. */
export function needsLook(reference: CheckedReference): boolean {
  const { known, fit } = reference;
  if (known.outcome !== 'found' || fit === 'DOES_NOT_FIT' || isSuspicious(reference)) return true;
  return isUpdateUnknown(reference) || isUpdated(reference);
}

/** Whether the work has notices and is not in --accept. */
function isUpdated({ updates, isAccepted }: CheckedReference): boolean {
  return !isAccepted && (updates?.part?.notices ?? []).length > 0;
}

const OUTCOME_TEXTS = { found: 'found', absent: 'absent', unknown: 'cannot tell' } as const;
const COLOURS: Readonly<Record<NameResult['outcome'], Colour>> = {
  found: 'green',
  absent: 'red',
  unknown: 'yellow',
};

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
  const { known, fit, updates } = reference;
  if (fit !== 'DOES_NOT_FIT' && isRefused(reference) && updates?.part)
    return ['red', outcomeText(updates.part)];
  return fit === null
    ? [COLOURS[known.outcome], OUTCOME_TEXTS[known.outcome]]
    : [FIT_COLOURS[fit], FIT_TEXTS[fit]];
}

function remarksOn(reference: CheckedReference): string[] {
  const { match, known, isLookalike, looksLike } = reference;
  const { outcome, asked, reason, meant, alias, tombstone } = known;
  const remarks: string[] = [...fitRemarks(reference), ...updateRemarks(reference)];
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
  const { fit, updates, isAccepted } = reference;
  if (isUpdateUnknown(reference)) return [`updates unknown: ${updates?.reason ?? ''}`];
  const part = updates?.part ?? null;
  if (part === null) return [];
  if (fit !== 'DOES_NOT_FIT' && isRefused(reference)) return [...noticeTexts(part)].filter(Boolean);
  const text = part.notices.length === 0 ? `updates: ${updatesText(part)}` : updatesText(part);
  return [text, ...(isAccepted ? ['accepted'] : [])];
}

function fitRemarks({ fit, work }: CheckedReference): string[] {
  if (fit === null || fit === 'FITS') return [];
  const title = work?.part?.title ?? null;
  const cut =
    title !== null && title.length > MAX_TITLE_CHARACTERS
      ? `${title.slice(0, MAX_TITLE_CHARACTERS)}…`
      : title;
  const titleText = cut === null ? '' : `it is “${cut}”`;
  if (fit === 'DOES_NOT_FIT') return [titleText];
  return [`cannot tell whether it fits${titleText === '' ? '' : `: ${titleText}`}`];
}

export function asJson({ file, line, column, match, known, ...others }: CheckedReference): string {
  const { name, text, repaired } = match;
  const { outcome, asked, reason, meant, alias, tombstone } = known;
  const { isLookalike, looksLike, fit, work, updates, isAccepted } = others;
  return jsonLine({
    ...{ file, line, column, name, text, repaired, outcome, asked, reason, meant },
    ...{ isLookalike, looksLike, alias, tombstone },
    ...(work !== null && { fit: fit === null ? null : FIT_IN_JSON[fit], title: work.part?.title ?? null }),
    ...(updates !== null && {
      updates: outcome === 'found' ? updatesJson(updates) : null,
      accepted: isAccepted,
    }),
  });
}

/** Writes only the documented members. The part can be an entry of the lock file, which has more members. */
function updatesJson({ part, reason }: KnownPart<WorkUpdates>) {
  if (part === null) return { outcome: null, reason };
  const { outcome, source, notices } = part;
  return { outcome, source, notices };
}

/** Writes a workflow command, which GitHub Actions shows beside the line. Empty for a reference without a problem. */
export function asAnnotation(reference: CheckedReference, isStrict: boolean): string {
  const { file, line, column, match, known, fit } = reference;
  const isError = known.outcome === 'absent' || fit === 'DOES_NOT_FIT' || isRefused(reference);
  const isWarning = needsLook(reference);
  if (!isError && !isWarning) return '';
  const level =
    isError || (isStrict && known.outcome !== 'unknown' && isSuspicious(reference)) ? 'error' : 'warning';
  // A text with a line break ends on another line, so its end column is unknown.
  const end = match.text.includes('\n') ? {} : { endColumn: column + match.text.length };
  const place = { file, line, col: column, ...end, title: 'DOI reference' };
  const properties = Object.entries(place).map(([key, value]) => `${key}=${escapedProperty(`${value}`)}`);
  return `::${level} ${properties.join(',')}::${escapedData(remarkText(reference, { colours: false }))}\n`;
}

/** Escapes as GitHub's toolkit does, so that no text can end the command or start another. */
function escapedData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapedProperty(text: string): string {
  return escapedData(safeText(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
