// Cuts off text at the end that does not belong to the name: punctuation of the sentence, `/pdf`, a fragment.

import { isDigit } from '../name.ts';
import { VIEWS } from '../stray-text.ts';
import { endingLength, lengthBeforeTail } from './address-tails.ts';
import { gluedLabelLength } from './behind-name.ts';
import type { Context } from './context.ts';
import type { ScannedName } from './scan-name.ts';
import { isAlphanumeric, textBefore } from './text-characters.ts';

/** Also the numbers of footnotes */
const PUNCTUATION = new Set(Array.from('.,;:!?…\'"“”‘’‚„«»‹›([{<&=\\–—¹²³⁰⁴⁵⁶⁷⁸⁹'));
const EMPHASIS = new Set(Array.from('*_~+'));
const MAX_FRAGMENT_LENGTH = 200;
/** At most this many characters after a name are searched for a closing bracket. */
const MAX_AFTER = 100;
/** Encoded white space, quotation marks, separators and invisible characters. */
const ENCODED_ENDS = '%20 %09 %0a %0d %22 %2c %3b %c2%a0 %e2%80%8b %ef%bb%bf %c2%ad'.split(' ');
/** At most this many characters at the end are compared with labels and encoded characters. */
const MAX_ENCODED_LENGTH = 24;

/** The length of the name without surplus at its end. @param isPage the address is of a page, not of a resolver */
export function trimmedLength(scanned: ScannedName, context: Context, isPage: boolean, text: string): number {
  const { encoded } = scanned;
  const suffixStart = encoded.indexOf('/') + 1;
  let end = lengthBeforeUnclosed(scanned, text);
  if (isPage) end = suffixStart + lengthBeforeTail(encoded.slice(suffixStart, end), context.address);
  for (;;) {
    const length = surplusLength(scanned, end, context, isPage) + markupLength(scanned, end, text);
    if (length === 0 || end - length < suffixStart) return end;
    // A name keeps its whole suffix, even if the suffix looks like a view: `10.1000/pdf`.
    if (end - length === suffixStart && !PUNCTUATION.has(encoded[end - 1] ?? '')) return end;
    end -= length;
  }
}

/** The name without punctuation at its end. Views, versions and fragments stay. */
export function withoutPunctuation(encoded: string): string {
  let end = encoded.length;
  while (PUNCTUATION.has(encoded[end - 1] ?? '')) end -= 1;
  return encoded.slice(0, end);
}

/** The length of the last part before `end` that does not belong to the name; 0 if there is none. */
function surplusLength(scanned: ScannedName, end: number, context: Context, isPage: boolean): number {
  const { encoded, hasHash } = scanned;
  const last = encoded[end - 1] ?? '';
  if (PUNCTUATION.has(last)) return last === '=' && isEqualsSignOfName(encoded, end) ? 0 : 1;
  if (EMPHASIS.has(last) && context.charactersBefore.includes(last)) return 1;
  const tail = encoded.slice(Math.max(0, end - MAX_ENCODED_LENGTH), end);
  const encodedEnd =
    tail.at(-3) === '%' ? ENCODED_ENDS.find((triplets) => endsWith(tail, triplets)) : undefined;
  if (encodedEnd) return encodedEnd.length;
  const label = gluedLabelLength(tail);
  if (label > 0) return label;
  // Every view ends in a letter or a slash.
  if (!isDigit(last.charCodeAt(0))) {
    const view = isPage ? endingLength(encoded, end) : endingLength(encoded, end, VIEWS);
    if (view > 0) return view;
  }
  return hasHash ? fragmentLength(encoded, end) : 0;
}

/** Some names end in `=`, such as the names of GLIS. The scanner ended the name before a `=` of quoted-printable. */
function isEqualsSignOfName(encoded: string, end: number): boolean {
  const before = encoded[end - 2] === '=' ? end - 3 : end - 2;
  return isAlphanumeric(encoded.charCodeAt(before));
}

const endsWith = (tail: string, lowerCase: string): boolean =>
  tail.slice(-lowerCase.length).toLowerCase() === lowerCase;

/** The length of a fragment before `end`: `#`, a letter, then letters, digits, `-`, `_` and `.`; 0 if there is none. */
function fragmentLength(encoded: string, end: number): number {
  const lowest = Math.max(0, end - MAX_FRAGMENT_LENGTH);
  let at = end - 1;
  while (at > lowest && /[A-Za-z0-9._-]/.test(encoded[at] ?? '')) at -= 1;
  return encoded[at] === '#' && /^#[A-Za-z]/.test(encoded.slice(at, at + 2)) ? end - at : 0;
}

/**
 * The length of the name before an unclosed `<`, or before an opening bracket that belongs to the sentence. In
 * `10.1000/1(see below)`, the read name is `10.1000/1(see`, and the bracket closes after white space.
 */
function lengthBeforeUnclosed({ encoded, unclosedBrackets, stop }: ScannedName, text: string): number {
  let end = encoded.length;
  for (const { opener, lengthBefore } of unclosedBrackets) {
    const closer = opener === '(' ? ')' : opener === '[' ? ']' : '}';
    const isOfSentence =
      opener === '<' ||
      (/^\s/.test(text[stop] ?? '') &&
        textBefore(/\n\s*\n/, text.slice(stop, stop + MAX_AFTER)).includes(closer));
    if (isOfSentence) end = Math.min(end, lengthBefore);
  }
  return end;
}

/** The length of an end that belongs to the next markup: `/` of `/>`, `--` of `-->`, `~` of TeX's `~\cite`. */
function markupLength({ encoded, stop }: ScannedName, end: number, text: string): number {
  if (end !== encoded.length) return 0;
  if (text[stop] === '\\') return encoded.endsWith('~') ? 1 : 0;
  if (text[stop] !== '>') return 0;
  return encoded.endsWith('/') ? 1 : encoded.endsWith('--') ? 2 : 0;
}
