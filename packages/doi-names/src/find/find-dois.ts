// Finds the DOI names in a text: prose, HTML, Markdown, TeX, BibTeX, RIS, CSV, XML, JSON.

import type { DoiName } from '../name.ts';
import { parseDoi } from '../parse.ts';
import { percentDecodeLeniently } from '../percent.ts';
import type { DoiForm } from '../recognise.ts';
import { type Anchor, anchorAt, nextCandidate } from './anchor.ts';
import { carriedAddressAt } from './carried-address.ts';
import { type Context, contextOf } from './context.ts';
import { type ScannedName, scanName } from './scan-name.ts';
import { type RewrittenText, spacedNameAt } from './spaced-out.ts';
import { trimmedLength, withoutPunctuation } from './trim-name.ts';

export interface DoiMatch {
  readonly name: DoiName;
  /** the source from `start` to `end`, in UTF-16 units */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly form: DoiForm;
  /** the name differs from `text`: markup was removed, a line break was repaired, or an entity was decoded */
  readonly repaired: boolean;
}

/** At most `limit` names, in the order of the text, with duplicates. Matches never overlap. The time is linear. */
export function findDois(text: string, limit = Number.POSITIVE_INFINITY): DoiMatch[] {
  const matches: DoiMatch[] = [];
  for (const { match } of readingsIn(text, { at: 0, floor: 0, context: null })) {
    if (matches.length >= limit) break;
    if (match !== null) matches.push(match);
  }
  return matches;
}

/** The position where reading continues, and facts about the text before it. */
export interface ReadingPlace {
  readonly at: number;
  /** no text before this offset is read again */
  readonly floor: number;
  readonly context: Context | null;
}

/** The result of reading at one place where a name may begin. */
export interface Reading {
  readonly start: number;
  /** null: there is no name */
  readonly match: DoiMatch | null;
  /**
   * Other readings, if the name is not registered. They have a part that was cut off, such as `.pdf`, or lack the
   * next line that was joined, or have the next line that was not joined.
   */
  readonly alternatives: readonly DoiName[];
  /** where reading continues */
  readonly next: ReadingPlace;
}

export function* readingsIn(text: string, from: ReadingPlace): Generator<Reading, void> {
  let { floor, context } = from;
  let at = nextCandidate(text, from.at);
  while (at < text.length) {
    const carried = carriedAddressAt(text, at, floor);
    const rewritten =
      matchOfRewritten(spacedNameAt(text, at, floor), text, true) ?? matchOfRewritten(carried, text, false);
    if (rewritten !== null) {
      floor = rewritten.end;
      yield { start: at, match: rewritten, alternatives: [], next: { at: floor, floor, context } };
      at = nextCandidate(text, floor);
      continue;
    }
    if (carried !== null) {
      // An address without a name is decoded once, not again for each of its numbers.
      at = nextCandidate(text, Math.max(at + 1, carried.sourceEnd(carried.joined.length)));
      continue;
    }
    const anchor = anchorAt(text, at);
    if (anchor === null) {
      at = nextCandidate(text, at + 1);
      continue;
    }
    context = contextOf(text, anchor.start, floor, context);
    const scanned = scanName(text, anchor, context);
    const match = matchOf(text, anchor, context, scanned);
    floor = Math.max(scanned.stop, anchor.end);
    yield {
      start: at,
      match,
      alternatives: match === null ? [] : alternativesTo(match, scanned),
      next: { at: floor, floor, context },
    };
    at = nextCandidate(text, floor);
  }
}

function matchOf(text: string, anchor: Anchor, context: Context, scanned: ScannedName): DoiMatch | null {
  const start = context.starts.find((outer) => isFormOfName(text, outer, anchor)) ?? anchor.start;
  // `…/lookup/doi:10.1000/1` is the address of a page. `https://doi.org/10.1000/1` is a form of the name.
  const isPage = context.isUrl && (start === anchor.start || start > context.urlStart);
  const length = lengthOfFirstCopy(scanned.encoded, trimmedLength(scanned, context, isPage, text), anchor);
  if (length <= anchor.prefix.length) return null;
  const inSource = scanned.encoded.slice(0, length);
  const encoded = anchor.isEncodedTwice ? percentDecodeLeniently(inSource) : inSource;
  if (anchor.isDoubtful && !isPlausibleAfterBreak(encoded)) return null;
  if (start === anchor.start && !context.isNamedDoi && !isPlausible(encoded)) return null;

  const spelling = text.slice(start, anchor.start) + encoded;
  const end = scanned.name.sourceEnd(length);
  const { name, form, problem } = parseDoi(spelling);
  if (name !== null) {
    const source = text.slice(start, end);
    const repaired = source !== spelling && parseDoi(source).name !== name;
    return { name, text: source, start, end, form: form ?? 'WEB_FORM', repaired };
  }
  // A percent sign without two hexadecimal digits after it belongs to the name.
  const literalName = problem.code === 'INVALID_PERCENT_ENCODING' ? parseDoi(encoded, 'NAME').name : null;
  if (literalName === null) return null;
  const source = text.slice(anchor.start, end);
  return { name: literalName, text: source, start: anchor.start, end, form: 'NAME', repaired: true };
}

/** The length of one copy if the name was pasted twice or more: `10.1038/nature1237310.1038/nature12373`. */
function lengthOfFirstCopy(encoded: string, length: number, { prefix }: Anchor): number {
  const second = encoded.indexOf(prefix, prefix.length);
  if (second === -1 || second >= length) return length;
  const first = withoutPunctuation(encoded.slice(0, second));
  const rest = encoded.slice(second, length);
  const isCopy = first.length > prefix.length && rest === first.repeat(Math.ceil(rest.length / first.length));
  return isCopy ? first.length : length;
}

/** Null if there is no name. @param isWhole the text must be a name, or a name and one of `.` `,` `;` */
function matchOfRewritten(
  rewritten: RewrittenText | null,
  source: string,
  isWhole: boolean,
): DoiMatch | null {
  if (rewritten === null) return null;
  const { joined, sourceEnd } = rewritten;
  const [found] = findDois(joined, 1);
  if (found === undefined) return null;
  if (isWhole && !(found.start === 0 && /^[.,;]?$/.test(joined.slice(found.end)))) return null;
  const start = found.start === 0 ? rewritten.start : sourceEnd(found.start);
  const end = sourceEnd(found.end);
  return { ...found, text: source.slice(start, end), start, end, repaired: true };
}

function alternativesTo({ name }: DoiMatch, scanned: ScannedName): DoiName[] {
  const { encoded, lengthBeforeBreak, wordAfter } = scanned;
  const texts = [
    // Some names really end like the URL of a page: `10.11482/KMJ-J25(3)181-192.1999.pdf`.
    withoutPunctuation(encoded),
    lengthBeforeBreak === null ? '' : withoutPunctuation(encoded.slice(0, lengthBeforeBreak)),
    wordAfter === '' ? '' : encoded + wordAfter,
  ];
  const names = texts.flatMap((text) => (text === '' ? [] : (parseDoi(text).name ?? [])));
  return [...new Set(names)].filter(
    (other) => other !== name && (other.startsWith(name) || name.startsWith(other)),
  );
}

/** Whether the text from `start` is a form of the name. `parseDoi` decides. */
function isFormOfName(text: string, start: number, { start: nameStart, prefix }: Anchor): boolean {
  return parseDoi(`${text.slice(start, nameStart)}${prefix}x`).name === `${prefix}x`;
}

// Numbers can look like names: IP addresses, versions, dates, ratios, prices.

/** Whether a name without a label is probably a DOI name. Percent triplets in the suffix of `name` are not decoded. */
function isPlausible(name: string): boolean {
  const slash = name.indexOf('/');
  const code = name.slice(3, slash);
  const suffix = name.slice(slash + 1, slash + 1 + 40);
  if (code.startsWith('0')) return false;
  const parts = code.includes('.') ? code.split('.', 8) : [code];
  const mostDigits = Math.max(...parts.map((part) => part.length));
  if (mostDigits >= 4) return !isDate(code, suffix) && !isRatio(code, suffix);
  // Codes with fewer digits are rare. Such a code is accepted only if the suffix does not look like a number.
  if (parts.length > 1) return false;
  if (mostDigits === 3) return /[0-9A-Z]/.test(suffix) && suffix.length >= 3 && !isRatio(code, suffix);
  return suffix.length >= 6 && alternations(suffix) >= 3;
}

/** Whether a name with a line break in its prefix is plausible. `10.` and `2019/20` in the next line are no name. */
function isPlausibleAfterBreak(name: string): boolean {
  const [, code = '', suffix = ''] = /^10\.(\d{4,5})\/(.{6,40})/.exec(name) ?? [];
  return !/^(?:19|20)\d\d$/.test(code) && /[A-Za-z].*\d|\d.*[A-Za-z]|(?:\d.*){7}/.test(suffix);
}

/** Whether the name is two dates, such as `10.2020/11.2020`, `10.2020/2021` or `10.12.2020/14.12.2020`. */
function isDate(code: string, suffix: string): boolean {
  return (
    /^(?:\d{1,2}\.)?(?:19|20)\d\d$/.test(code) &&
    /^(?:\d{1,2}(?:\.\d{4})?|(?:19|20)\d\d|\d{1,2}\.\d{1,2}\.\d{2,4})$/.test(suffix)
  );
}

/** Whether the name is two numbers with equally many decimals: `10.1234/20.5678`. */
function isRatio(code: string, suffix: string): boolean {
  const decimals = /^\d{1,3}[.](\d+)$/.exec(suffix)?.[1];
  return decimals !== undefined && decimals.length === code.length;
}

/** The number of changes between letters and digits: 3 in `2V9F`. */
function alternations(text: string): number {
  return text.match(/[0-9](?=[A-Za-z])|[A-Za-z](?=[0-9])/g)?.length ?? 0;
}
