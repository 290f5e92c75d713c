// The result of one reference: as a line for people, as JSON, and as an annotation of GitHub Actions.

import { asciiLookalike } from '../../../doi/lookalikes.ts';
import { lookalikeWarning } from '../../../doi/warnings.ts';
import { fitOfReference, type ReferenceFit } from '../../../metadata/reference-fit.ts';
import { jsonLine, safeText } from '../../../safe-text.ts';
import type { Reference } from '../find-in-input.ts';
import { type Colour, coloured, type Output } from '../output.ts';
import type { KnownWork } from './answer-works.ts';
import type { KnownName } from './name-answers.ts';

export interface CheckedReference extends Reference {
  readonly known: KnownName;
  /** contains characters that look like others */
  readonly isLookalike: boolean;
  /** the name with the look-alikes replaced; null: this gives no other name */
  readonly looksLike: string | null;
  /** null: not compared, or the name was not found */
  readonly fit: ReferenceFit | null;
  /** null: not looked up, or there is none */
  readonly work: KnownWork | null;
}

/** @param work null: not looked up */
export function checkedReference(
  reference: Reference,
  known: KnownName,
  work: KnownWork | null,
): CheckedReference {
  const { name } = reference.match;
  const isLookalike = lookalikeWarning(name) !== undefined;
  const looksLike = isLookalike ? asciiLookalike(name) : null;
  const fit = known.outcome === 'found' && work !== null ? fitOf(reference, work) : null;
  return { ...reference, known, isLookalike, looksLike, fit, work };
}

function fitOf({ match: { reference } }: Reference, { work }: KnownWork): ReferenceFit {
  return reference === null || work === null ? 'CANNOT_TELL' : fitOfReference(reference, work);
}

/** Found, but suspicious: it fails with --strict. */
export function isSuspicious({ known, isLookalike }: CheckedReference): boolean {
  return isLookalike || known.alias !== null || known.tombstone !== null;
}

/** Written even with --quiet. */
export function needsLook(reference: CheckedReference): boolean {
  const { known, fit } = reference;
  return known.outcome !== 'found' || fit === 'DOES_NOT_FIT' || isSuspicious(reference);
}

const OUTCOME_TEXTS = { found: 'found', absent: 'absent', unknown: 'cannot tell' } as const;
const COLOURS: Readonly<Record<KnownName['outcome'], Colour>> = {
  found: 'green',
  absent: 'red',
  unknown: 'yellow',
};

const FIT_TEXTS = { FITS: 'fits', DOES_NOT_FIT: 'does not fit', CANNOT_TELL: 'found' } as const;
const FIT_COLOURS = { FITS: 'green', DOES_NOT_FIT: 'red', CANNOT_TELL: 'green' } as const;
const FIT_IN_JSON = { FITS: 'fits', DOES_NOT_FIT: 'does-not-fit', CANNOT_TELL: 'unknown' } as const;

/** Longer titles are cut in lines for people. */
const MAX_TITLE = 300;

/** `thesis.tex:12:34: absent: 10.1000/183 (did you mean 10.1000/182?)` */
export function referenceLine(reference: CheckedReference, output: Output): string {
  const { file, line, column } = reference;
  return `${safeText(`${file}:${line}:${column}`)}: ${remarkText(reference, output)}\n`;
}

/** The same without file and position. */
export function remarkText(reference: CheckedReference, output: Pick<Output, 'colours'>): string {
  const { match, known, fit } = reference;
  const remarks = remarksOn(reference).map((remark) => safeText(remark));
  const verdict =
    fit === null
      ? coloured(output, COLOURS[known.outcome], OUTCOME_TEXTS[known.outcome])
      : coloured(output, FIT_COLOURS[fit], FIT_TEXTS[fit]);
  const remark = remarks.length === 0 ? '' : coloured(output, 'dim', ` (${remarks.join('; ')})`);
  return `${verdict}: ${safeText(match.name)}${remark}`;
}

function remarksOn(reference: CheckedReference): string[] {
  const { match, known, isLookalike, looksLike } = reference;
  const { outcome, asked, reason, meant, alias, tombstone } = known;
  const remarks: string[] = fitRemarks(reference);
  if (meant.length > 0) remarks.push(`did you mean ${meant.join(' or ')}?`);
  if (isLookalike) {
    remarks.push(`look-alike${looksLike === null ? ' characters' : `: it looks like ${looksLike}`}`);
  }
  if (alias !== null) remarks.push(`alias: ${alias} stands for it`);
  if (tombstone !== null) remarks.push(`tombstone: it leads to ${tombstone}`);
  if (outcome === 'absent' && match.repaired) remarks.push('it was joined from parts: check the text');
  if (reason !== null) remarks.push(asked === null ? reason : `answer of ${asked.slice(0, 10)}. ${reason}`);
  return remarks;
}

function fitRemarks({ fit, work }: CheckedReference): string[] {
  if (fit === null || fit === 'FITS') return [];
  const title = work?.work?.title ?? null;
  const cut = title !== null && title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE)}…` : title;
  const is = cut === null ? '' : `it is “${cut}”`;
  if (fit === 'DOES_NOT_FIT') return [is];
  return [`cannot tell whether it fits${is === '' ? '' : `: ${is}`}`];
}

export function asJson({ file, line, column, match, known, ...rest }: CheckedReference): string {
  const { name, text, repaired } = match;
  const { outcome, asked, reason, meant, alias, tombstone } = known;
  const { isLookalike, looksLike, fit, work } = rest;
  return jsonLine({
    ...{ file, line, column, name, text, repaired, outcome, asked, reason, meant },
    ...{ isLookalike, looksLike, alias, tombstone },
    ...(work !== null && { fit: fit === null ? null : FIT_IN_JSON[fit], title: work.work?.title ?? null }),
  });
}

/** A workflow command: GitHub Actions shows it beside the line. Empty for a reference without a problem. */
export function asAnnotation(reference: CheckedReference, isStrict: boolean): string {
  const { file, line, column, match, known, fit } = reference;
  const isError = known.outcome === 'absent' || fit === 'DOES_NOT_FIT';
  const isWarning = known.outcome === 'unknown' || isSuspicious(reference);
  if (!isError && !isWarning) return '';
  const level = isError || (isStrict && known.outcome !== 'unknown') ? 'error' : 'warning';
  // A text with a line break ends on another line, where the column would be wrong.
  const end = match.text.includes('\n') ? {} : { endColumn: column + match.text.length };
  const place = { file, line, col: column, ...end, title: 'DOI reference' };
  const properties = Object.entries(place).map(([key, value]) => `${key}=${property(`${value}`)}`);
  return `::${level} ${properties.join(',')}::${data(remarkText(reference, { colours: false }))}\n`;
}

/** Escaped as in GitHub's toolkit, so that no text can end the command or begin another. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(safeText(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
