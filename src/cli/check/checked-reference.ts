// What is said of one reference: in words, and as a line of JSON.

import { asciiLookalike } from '../../doi/lookalikes.ts';
import { doiWarnings } from '../../doi/warnings.ts';
import { type Colour, coloured } from '../colours.ts';
import type { Reference } from '../find-in-input.ts';
import type { Output } from '../output.ts';
import { jsonLine, safeText } from '../safe-text.ts';
import type { KnownName } from './answer-names.ts';

export interface CheckedReference extends Reference {
  readonly known: KnownName;
  /** has characters that look like others */
  readonly isLookalike: boolean;
  /** the name with those that they look like; null where there is none */
  readonly looksLike: string | null;
}

const LOOK_ALIKE: ReadonlySet<string> = new Set(['CONFUSABLE_CHARACTERS', 'MIXED_SCRIPTS']);

export function checkedReference(reference: Reference, known: KnownName): CheckedReference {
  const { name } = reference.match;
  const isLookalike = doiWarnings(name).some(({ code }) => LOOK_ALIKE.has(code));
  return { ...reference, known, isLookalike, looksLike: isLookalike ? asciiLookalike(name) : null };
}

/** What is found, and still worth a look: it fails a check that is strict. */
export function isSuspicious({ known, isLookalike }: CheckedReference): boolean {
  return isLookalike || known.alias !== null || known.tombstone !== null;
}

const TOLD = { found: 'found', absent: 'absent', unknown: 'cannot tell' } as const;
const COLOURS: Readonly<Record<KnownName['outcome'], Colour>> = {
  found: 'green',
  absent: 'red',
  unknown: 'yellow',
};

/** `thesis.tex:12:34: absent: 10.1000/183 (did you mean 10.1000/182?)` */
export function inWords(reference: CheckedReference, output: Output): string {
  const { file, line, column, match, known } = reference;
  const remarks = remarksOn(reference).map((remark) => safeText(remark));
  const told = coloured(output, COLOURS[known.outcome], TOLD[known.outcome]);
  const remark = remarks.length === 0 ? '' : coloured(output, 'dim', ` (${remarks.join('; ')})`);
  return `${safeText(`${file}:${line}:${column}`)}: ${told}: ${safeText(match.name)}${remark}\n`;
}

function remarksOn({ match, known, isLookalike, looksLike }: CheckedReference): string[] {
  const { outcome, asked, reason, meant, alias, tombstone } = known;
  const remarks: string[] = [];
  if (meant.length > 0) remarks.push(`did you mean ${meant.join(' or ')}?`);
  if (isLookalike) {
    remarks.push(`look-alike${looksLike === null ? ' characters' : `: it looks like ${looksLike}`}`);
  }
  if (alias !== null) remarks.push(`alias: ${alias} stands for it`);
  if (tombstone !== null) remarks.push(`tombstone: it leads to ${tombstone}`);
  if (outcome === 'absent' && match.repaired) remarks.push('its parts were joined: see what stands there');
  if (reason !== null) remarks.push(asked === null ? reason : `answer of ${asked.slice(0, 10)}. ${reason}`);
  return remarks;
}

export function asJson({ file, line, column, match, known, ...rest }: CheckedReference): string {
  const { name, text, repaired } = match;
  const { outcome, asked, reason, meant, alias, tombstone } = known;
  const { isLookalike, looksLike } = rest;
  return jsonLine({
    ...{ file, line, column, name, text, repaired, outcome, asked, reason, meant },
    ...{ isLookalike, looksLike, alias, tombstone },
  });
}
