// Finds the text of the reference around a name: a line of a list, a paragraph, a BibTeX entry or another record.

import { percentDecodeLeniently } from '../percent.ts';
import type { DoiMatch } from './find-dois.ts';
import { BLANK_LINE, lastEnd, objectAround, RECORDS, recordAround } from './record-around.ts';
import { textBefore } from './text-characters.ts';

export interface ReferenceText {
  /** The text before and after the name, without the name. It has no words of another reference that has a name. */
  readonly text: string;
  /** False if words of the reference may be missing: in JSON, or if the text has few letters or no beginning. */
  readonly isWhole: boolean;
}

/** At most this number of characters is read before a name. */
export const MAX_BEFORE = 1_500;
/** At most this number of characters is read after a name. */
export const MAX_AFTER = 500;
/** The prefix of a DOI name. The slash after it can be percent-encoded, escaped (`\/` in JSON) or an entity. */
const ANCHOR = /(?<!\d)10\.\d{4,9}(?:\.\d{1,9}){0,4}(?:\\?\/|%(?:25)?2f|&#47;|&#x2f;|&sol;)/gi;
const TOKEN_ENDS = /[\s<>"|{}\\^`]/;

/** Other line ends than a line feed, as HTML, TeX, RTF and strings of programs write them. */
const OTHER_LINE_ENDS =
  /\r(?!\n)|[\v\f\u0085\u2028\u2029]|<br\b[^<>]{0,100}>|\\\\(?=\s)|\\n(?![a-z])|\\(?:par|newline)\b|&#(?:10|13|xa|xd);/gi;

/** The elements of HTML, JATS and TEI that hold one reference. Cells (`td`) are missing: a table has one reference per row. */
const ITEM =
  /<\/?(?:li|tr|dd|dt|ref|mixed-citation|element-citation|citation|bibl|biblstruct)\b[^<>]{0,200}>/gi;
const BLOCK = /<\/?(?:p|div|blockquote|h[1-6])\b[^<>]{0,200}>/gi;
const BULLET = /(?:^|\n)[ \t]*(?:[-*+•]\s|\\bibitem|\\entry\b|\\bib\{|\[[A-Za-z+]{0,12}\d{1,3}[a-z]?\])/g;
/** `12. Smith` after a line that can end a reference. In `171,\n737. doi:…` the number does not begin a reference. */
const NUMBER =
  /(?:^|(?:[.)\]}>/]|(?<!\d)10\.\d{4,9}\/\S{1,200})\s{0,10}\n)[ \t]*\(?\d{1,3}[.)]\s+(?=["'“‘„«(]?[\p{Lu}\p{Lo}])/gu;
/** One item is one reference. A paragraph can have several references. */
const ITEMS = [ITEM, BULLET, NUMBER];
const PARAGRAPHS = [BLOCK, BLANK_LINE];

/** A string of JSON. Its other members can belong to the same reference. */
const IN_STRING = /"\w{1,30}"\s{0,5}:\s{0,5}"[^"\n]{0,300}$/;
/** If the text before a name has fewer letters, the reference begins with the name. */
const MIN_LETTERS = 20;
/** The number of characters that are compared to recognise the same name. */
const MAX_COMPARED = 300;

/** The time does not depend on the length of the text: the function reads at most MAX_BEFORE and MAX_AFTER characters. */
export function referenceAround(
  source: string,
  { start, end }: Pick<DoiMatch, 'start' | 'end'>,
): ReferenceText {
  const from = Math.max(0, start - MAX_BEFORE);
  const before = withLines(source.slice(from, start));
  const after = withLines(source.slice(end, end + MAX_AFTER));
  const ownName = nameFrom(source, start, end);

  const record = recordAround(before, after);
  if (record !== null) return { text: record, isWhole: true };
  const object = objectAround(before, after);
  if (object !== null) return { text: object, isWhole: false };

  const boundary = boundaryIn(before);
  const { at: beginning, isSure } = beginningIn(before, boundary, ownName);
  const isKnown = beginning !== -1 || from === 0;
  const hasNameFirst = isNameFirst(before, { beginning, boundary, isFromStart: from === 0 });
  const words = hasNameFirst ? '' : before.slice(Math.max(0, beginning));
  const line = textBefore(/\n/, after);
  const isLineOwn = nextName(line, ownName) === undefined;
  const isWhole = isKnown && isSure && !IN_STRING.test(words) && lettersIn(words + line) >= MIN_LETTERS;
  // The text between two names in one line belongs to the second name.
  if (lettersIn(words) >= MIN_LETTERS) return { text: `${words}\n${isLineOwn ? line : ''}`, isWhole };
  // A few words and then the end of the line are a short reference, which does not continue.
  const isShort = isWordless(line) && lettersIn(withoutLinks(words)) > 0;
  return { text: `${words}\n${isShort ? line : upToNext(after, ownName)}`, isWhole };
}

function withLines(text: string): string {
  return text.replace(OTHER_LINE_ENDS, '\n');
}

/** The name at these offsets, decoded and in lower case. */
function nameFrom(source: string, start: number, end: number): string {
  const written = source.slice(start, Math.min(end, start + MAX_COMPARED));
  const at = written.search(ANCHOR);
  return comparable(at === -1 ? written : written.slice(at));
}

function comparable(name: string): string {
  return percentDecodeLeniently(name.replace(/\\/g, '')).toLowerCase();
}

interface Boundary {
  /** -1: there is no boundary */
  readonly at: number;
  readonly isOfItem: boolean;
}

/** Where the last item, paragraph or element of the text begins. */
function boundaryIn(before: string): Boundary {
  const item = Math.max(...ITEMS.map((each) => lastEnd(each, before)));
  const at = Math.max(item, ...PARAGRAPHS.map((each) => lastEnd(each, before)));
  return { at, isOfItem: item !== -1 && item === at };
}

interface Beginning {
  /** -1: the reference begins at the beginning of the text, or before it */
  readonly at: number;
  /** false if words before `at` can belong to the reference, because they have the same name */
  readonly isSure: boolean;
}

/**
 * Finds the beginning of the reference whose name follows the text `before`. An earlier name ends another reference. This
 * is true even if both names are equal, because people copy DOIs to wrong references. But a reference can also have its
 * name twice: as text and in a link.
 */
function beginningIn(before: string, { at: boundary, isOfItem }: Boundary, ownName: string): Beginning {
  let reference = before.length;
  for (const { index } of [...before.matchAll(ANCHOR)].reverse()) {
    if (index < boundary) break;
    const end = index + textBefore(TOKEN_ENDS, before.slice(index)).length;
    const between = before.slice(end, reference);
    const isSame = isNameAt(before, index, ownName);
    const rest = textBefore(/\n/, between);
    const isEndOfLine = rest.length < between.length && isWordless(rest);
    const isRepeated = isEndOfLine ? withoutLinks(between) === '' : isWordless(between) || isOfItem;
    if (isSame && isRepeated) {
      reference = index;
      continue;
    }
    if (rest.length === between.length) return { at: end, isSure: !isSame };
    const lineStart = before.lastIndexOf('\n', index) + 1;
    const isOfLine = isEndOfLine || CELL_END.test(rest) || isWordless(before.slice(lineStart, index));
    return { at: end + rest.length + 1, isSure: !isSame || (isOfLine && !isOfItem) };
  }
  return { at: boundary, isSure: true };
}

/** What follows a name that is a cell of a table. */
const CELL_END = /^["']?(?:[,;|]\S|\t)/;

/** Whether each name stands before its reference. The first name of the line or of the paragraph decides this. */
function isNameFirst(
  before: string,
  place: { readonly beginning: number; readonly boundary: Boundary; readonly isFromStart: boolean },
): boolean {
  const { beginning, boundary, isFromStart } = place;
  const line = Math.max(before.lastIndexOf('\n') + 1, boundary.at);
  const isFirstFrom = (scopeStart: number): boolean => {
    if (scopeStart <= 0 && !isFromStart) return false;
    const scope = before.slice(Math.max(0, scopeStart));
    const first = scope.search(ANCHOR);
    return first !== -1 && isWordless(scope.slice(0, first));
  };
  return beginning > line
    ? isFirstFrom(line)
    : lettersIn(withoutLinks(before.slice(line))) === 0 && isFirstFrom(boundary.at);
}

/** The offset of the next name that belongs to another reference. */
function nextName(text: string, ownName: string): number | undefined {
  let end = 0;
  for (const { index } of text.matchAll(ANCHOR)) {
    if (!isNameAt(text, index, ownName) || !isWordless(text.slice(end, index))) return index;
    end = index + textBefore(TOKEN_ENDS, text.slice(index)).length;
  }
  return undefined;
}

function isNameAt(text: string, at: number, ownName: string): boolean {
  const there = comparable(text.slice(at, at + 3 * ownName.length + 1));
  return there.startsWith(ownName) && !/[\p{L}\p{N}]/u.test(there[ownName.length] ?? '');
}

function lettersIn(text: string): number {
  return text.replace(/[^\p{L}]/gu, '').length;
}

/** Whole tags, and the end of a tag that has the name in an attribute. */
const MARKUP = /^["'][^<>]{0,300}>|<[^<>]{0,300}>/g;
const LINK_WORDS =
  /\b(?:https?|dx|doi|org|www|url|href|available|at|online|retrieved|from|crossref|google|scholar)\b/gi;

/** The letters and digits of the text, without markup and without the words of links. */
function withoutLinks(text: string): string {
  return text
    .replace(MARKUP, ' ')
    .replace(LINK_WORDS, ' ')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Whether the text between two names is too short for words of a reference. */
function isWordless(text: string): boolean {
  return lettersIn(withoutLinks(text)) < MIN_LETTERS;
}

function upToNext(after: string, ownName: string): string {
  const next = [...ITEMS, ...PARAGRAPHS, ...RECORDS].map((beginning) => after.search(beginning));
  return after.slice(0, Math.min(nextName(after, ownName) ?? after.length, ...next.filter((at) => at >= 0)));
}
