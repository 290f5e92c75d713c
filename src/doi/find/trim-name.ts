// What at the end of a name is not of it: a sentence's punctuation, a view of a page, a fragment.

import type { Context } from './context.ts';
import type { ScannedName } from './scan-name.ts';

const PUNCTUATION = new Set(Array.from('.,;:!?…\'"“”‘’‚„«»‹›([{<&=\\–—'));
const EMPHASIS = new Set(Array.from('*_~'));
/** In the names' own forms, whichever they are (SPEC, warnings). */
const VIEWS = ['/full', '/pdf', '/epdf', '/abstract', '/meta', '/html', '/summary', '.pdf'];
/** On a publisher's site, which has more of them. */
const VIEWS_OF_SITES = [
  ...VIEWS,
  ...['/fulltext', '/full-text', '/references', '/figures', '/tables', '/citedby', '/epub', '/pdfdirect'],
  ...['/full-xml', '/full/html', '/xml', '/download', '.full', '.abstract', '.full-text', '.html', '.htm'],
  ...['.xml', '.epub', '.short', '.long', '.figures-only', '/'],
];
const LONGEST_FRAGMENT = 200;
/** Encoded white space and invisible characters. */
const ENCODED_SPACES = ['%20', '%09', '%0A', '%0D', '%C2%A0', '%E2%80%8B', '%EF%BB%BF', '%C2%AD'];

/** The length of the name without what is not of it. `isSite`: in an address that is no resolver's. */
export function trimmedLength(scanned: ScannedName, context: Context, isSite: boolean, text: string): number {
  const { encoded } = scanned;
  const suffixStart = encoded.indexOf('/') + 1;
  const views = isSite ? VIEWS_OF_SITES : VIEWS;
  let end = withoutUnclosed(scanned, text);
  for (;;) {
    const length = cutOf(encoded, end, suffixStart, context, views) + slashBeforeTag(scanned, end, text);
    if (length === 0 || end - length < suffixStart) return end;
    if (end - length === suffixStart && !isPunctuation(encoded[end - 1] ?? '')) return end;
    end -= length;
  }
}

function cutOf(
  encoded: string,
  end: number,
  suffixStart: number,
  context: Context,
  views: readonly string[],
): number {
  const last = encoded[end - 1] ?? '';
  if (isPunctuation(last)) return 1;
  if (EMPHASIS.has(last) && context.before.includes(last)) return 1;
  const tail = encoded.slice(Math.max(suffixStart, end - 12), end);
  const space = ENCODED_SPACES.find((triplets) => tail.toUpperCase().endsWith(triplets));
  if (space) return space.length;
  const isPreprint = views === VIEWS_OF_SITES && /(?:bio|med)rxiv\.org$/.test(context.host);
  const version = isPreprint ? /v\d{1,2}$/.exec(tail)?.[0] : undefined;
  if (version) return version.length;
  const view = views.find((written) => tail.toLowerCase().endsWith(written));
  if (view) return view.length;
  return fragmentLength(encoded, end, suffixStart);
}

function isPunctuation(character: string): boolean {
  return PUNCTUATION.has(character);
}

/** Of `#` and then a letter and nothing but letters, digits, `-`, `_`, `.` up to the end. */
function fragmentLength(encoded: string, end: number, suffixStart: number): number {
  const lowest = Math.max(suffixStart, end - LONGEST_FRAGMENT);
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
      opener === '<' || (/^\s/.test(text[stop] ?? '') && text.slice(stop, stop + 100).includes(closer));
    if (isOfSentence) end = Math.min(end, length);
  }
  return end;
}

/** `10.1000/182/>`: of a tag that closes itself. */
function slashBeforeTag({ encoded, stop }: ScannedName, end: number, text: string): number {
  return end === encoded.length && encoded.endsWith('/') && text[stop] === '>' ? 1 : 0;
}
