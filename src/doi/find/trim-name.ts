// What at the end of a name is not of it: a sentence's punctuation, a view of a page, a fragment.

import { VIEWS } from '../stray-text.ts';
import type { Context } from './context.ts';
import type { ScannedName } from './scan-name.ts';
import { isDigit } from './text-characters.ts';

const PUNCTUATION = new Set(Array.from('.,;:!?…\'"“”‘’‚„«»‹›([{<&=\\–—'));
const EMPHASIS = new Set(Array.from('*_~'));
/** On a publisher's site, which has more of them. */
const VIEWS_OF_SITES = [
  ...VIEWS,
  ...['/fulltext', '/full-text', '/references', '/figures', '/tables', '/citedby', '/epub', '/pdfdirect'],
  ...['/full-xml', '/full/html', '/xml', '/download', '.full', '.abstract', '.full-text', '.html', '.htm'],
  ...['.xml', '.epub', '.short', '.long', '.figures-only', '.svg', '/'],
];
const LONGEST_VIEW = 16;
/** Their addresses have the name and a version. */
const PREPRINT_HOST = /(?:bio|med)rxiv\.org$/;
/** Its pictures of a label say the colour last: `/badge/DOI-10.1000%2F182-blue`. A hyphen of the name is written twice. */
const BADGE_HOST = 'img.shields.io';
const LONGEST_FRAGMENT = 200;
/** Encoded white space, invisible characters and quotation marks. */
const ENCODED_ENDS = ['%20', '%09', '%0a', '%0d', '%22', '%c2%a0', '%e2%80%8b', '%ef%bb%bf', '%c2%ad'];

/** The length of the name without text that does not belong to it. `isSite`: in an address of a site, not a resolver. */
export function trimmedLength(scanned: ScannedName, context: Context, isSite: boolean, text: string): number {
  const { encoded } = scanned;
  const suffixStart = encoded.indexOf('/') + 1;
  let end = withoutUnclosed(scanned, text);
  for (;;) {
    const length = surplusLength(scanned, end, context, isSite) + lengthOfNextMark(scanned, end, text);
    if (length === 0 || end - length < suffixStart) return end;
    // A suffix that is a view's name and nothing else is a suffix.
    if (end - length === suffixStart && !PUNCTUATION.has(encoded[end - 1] ?? '')) return end;
    end -= length;
  }
}

/** The name without a sentence's punctuation at its end, and with everything else. */
export function withoutPunctuation(encoded: string): string {
  let end = encoded.length;
  while (PUNCTUATION.has(encoded[end - 1] ?? '')) end -= 1;
  return encoded.slice(0, end);
}

/** How much of what ends there is not of the name. */
function surplusLength(scanned: ScannedName, end: number, context: Context, isSite: boolean): number {
  const { encoded, hasHash } = scanned;
  const last = encoded[end - 1] ?? '';
  if (PUNCTUATION.has(last)) return 1;
  if (EMPHASIS.has(last) && context.before.includes(last)) return 1;
  const tail = encoded.slice(Math.max(0, end - LONGEST_VIEW), end);
  const encodedEnd =
    tail.at(-3) === '%' ? ENCODED_ENDS.find((triplets) => endsWith(tail, triplets)) : undefined;
  if (encodedEnd) return encodedEnd.length;
  // All views end in a letter, or are a slash.
  if (!isDigit(last.charCodeAt(0))) {
    const view = (isSite ? VIEWS_OF_SITES : VIEWS).find((written) => endsWith(tail, written));
    if (view) return view.length;
  } else if (isSite && PREPRINT_HOST.test(context.host)) {
    const version = /v\d{1,2}$/.exec(tail)?.[0];
    if (version) return version.length;
  }
  if (isSite && context.host === BADGE_HOST) {
    const colour = /(?<!-)-[a-z0-9]+$/i.exec(tail)?.[0];
    if (colour) return colour.length;
  }
  return hasHash ? fragmentLength(encoded, end) : 0;
}

function endsWith(tail: string, lowerCase: string): boolean {
  return tail.slice(-lowerCase.length).toLowerCase() === lowerCase;
}

/** Of `#` and then a letter and nothing but letters, digits, `-`, `_`, `.` up to the end. */
function fragmentLength(encoded: string, end: number): number {
  const lowest = Math.max(0, end - LONGEST_FRAGMENT);
  let at = end - 1;
  while (at > lowest && /[A-Za-z0-9._-]/.test(encoded[at] ?? '')) at -= 1;
  return encoded[at] === '#' && /^#[A-Za-z]/.test(encoded.slice(at, at + 2)) ? end - at : 0;
}

/** A `<` that nothing closed is markup, and a bracket that is closed only words later is of the sentence. */
function withoutUnclosed({ encoded, unclosed, stop }: ScannedName, text: string): number {
  let end = encoded.length;
  for (const { opener, length } of unclosed) {
    const closer = opener === '(' ? ')' : opener === '[' ? ']' : '}';
    const isOfSentence =
      opener === '<' || (/^\s/.test(text[stop] ?? '') && paragraphRest(text, stop).includes(closer));
    if (isOfSentence) end = Math.min(end, length);
  }
  return end;
}

/** What belongs to the mark behind: `/>` of a tag that closes itself, `-->` of a comment, a tie of TeX, `~\cite`. */
function lengthOfNextMark({ encoded, stop }: ScannedName, end: number, text: string): number {
  if (end !== encoded.length) return 0;
  if (text[stop] === '\\') return encoded.endsWith('~') ? 1 : 0;
  if (text[stop] !== '>') return 0;
  return encoded.endsWith('/') ? 1 : encoded.endsWith('--') ? 2 : 0;
}

function paragraphRest(text: string, at: number): string {
  const rest = text.slice(at, at + 100);
  const end = rest.search(/\n\s*\n/);
  return end === -1 ? rest : rest.slice(0, end);
}
