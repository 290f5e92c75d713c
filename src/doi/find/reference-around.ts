// Finds the text of the reference around a name: a line of a list, a paragraph or a BibTeX entry.

import { percentDecodeLeniently } from '../percent.ts';
import type { DoiMatch } from './find-dois.ts';
import { textBefore } from './text-characters.ts';

export interface ReferenceText {
  /** the text before and after the name, without the name */
  readonly text: string;
  /** False if the source text is JSON, if this text has few letters, or if the reference may begin before it. */
  readonly isWhole: boolean;
}

/** At most this number of characters is read before a name. */
export const MAX_BEFORE = 1_500;
/** At most this number of characters is read after a name. */
export const MAX_AFTER = 500;
/** The prefix of a DOI name. The slash after it can be percent-encoded. */
const ANCHOR = /(?<!\d)10\.\d{4,9}(?:\/|%2[fF])/g;
const TOKEN_ENDS = /[\s<>"|{}\\^`]/;

const BLANK_LINE = /\n[ \t\r]*\n/g;
/** The elements of HTML and JATS that hold one reference. Cells (`td`) are missing: a table has one reference per row. */
const ELEMENT =
  /<\/?(?:li|p|tr|div|dd|dt|blockquote|h[1-6]|ref|mixed-citation|element-citation)\b[^<>]{0,200}>/gi;
const BULLET = /(?:^|\n)[ \t]*(?:[-*+•]\s|\\bibitem|\[[A-Za-z+]{0,12}\d{1,3}[a-z]?\]|PMID-)/g;
/** `12. Smith` after a line that can end a reference. In `171,\n737. doi:…` the number does not begin a reference. */
const NUMBER = /(?:^|[.)\]}>/]\s{0,10}\n)[ \t]*\(?\d{1,3}[.)]\s+(?=["'“‘„«(]?[\p{Lu}\p{Lo}])/gu;
/** The beginning of a record of BibTeX, RIS or EndNote. A record is one reference. */
const RECORD = /(?:^|\n)[ \t]*(?:@\w{1,20}\s{0,5}[{(]|TY {1,2}- |%0 )/g;
const RECORD_END = /\n[ \t]*[})][ \t]*(?=\r?\n|$)|\nER {1,2}-/;
const BEGINNINGS = [BLANK_LINE, ELEMENT, BULLET, NUMBER];
/** `"DOI": "`. In JSON, the title can stand before or after the name. */
const IN_JSON = /"\w{1,30}"\s{0,5}:\s{0,5}"[^"\n]{0,300}$/;
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
  const before = source.slice(from, start);
  const after = source.slice(end, end + MAX_AFTER);
  const ownName = nameFrom(source, start, end);

  const record = lastEnd(RECORD, before);
  if (record !== -1 && !RECORD_END.test(before.slice(record))) {
    const fields = before.slice(record);
    return { text: `${fields}\n${remainingRecord(after)}`, isWhole: true };
  }
  const beginnings = [afterOtherName(before, ownName), ...BEGINNINGS.map((each) => lastEnd(each, before))];
  const beginning = Math.max(...beginnings);
  const words = before.slice(Math.max(0, beginning));
  const line = textBefore(/\n/, after);
  const text = hasFewLetters(words)
    ? `${words}\n${upToNext(after, ownName)}`
    : // The text between two names in one line belongs to the second name.
      `${words}\n${otherName(line, ownName) === undefined ? line : ''}`;
  const isKnown = (beginning !== -1 || from === 0) && !IN_JSON.test(words);
  return { text, isWhole: isKnown && !hasFewLetters(words + line) };
}

/** The offset after the last match; -1 if there is no match. */
function lastEnd(pattern: RegExp, text: string): number {
  let last = -1;
  for (const { 0: found, index } of text.matchAll(pattern)) last = index + found.length;
  return last;
}

/** The name at these offsets, decoded and in lower case. */
function nameFrom(source: string, start: number, end: number): string {
  const written = source.slice(start, Math.min(end, start + MAX_COMPARED));
  const at = written.search(ANCHOR);
  return comparable(at === -1 ? written : written.slice(at));
}

function comparable(name: string): string {
  return percentDecodeLeniently(name).toLowerCase();
}

/** The offset after the last name that is not `ownName`, or after its line if more lines follow. -1: no such name. */
function afterOtherName(before: string, ownName: string): number {
  const last = [...before.matchAll(ANCHOR)].findLast(({ index }) => !isSame(before, index, ownName))?.index;
  if (last === undefined) return -1;
  const after = before.slice(last);
  return last + (after.includes('\n') ? after.indexOf('\n') + 1 : textBefore(TOKEN_ENDS, after).length);
}

/** The offset of the first other name. */
function otherName(text: string, ownName: string): number | undefined {
  return [...text.matchAll(ANCHOR)].find(({ index }) => !isSame(text, index, ownName))?.index;
}

/** Whether `ownName` is at `at`. A reference often has its name twice: as text and in a link. */
function isSame(text: string, at: number, ownName: string): boolean {
  const there = comparable(text.slice(at, at + 3 * ownName.length + 1));
  return there.startsWith(ownName) && !/[\p{L}\p{N}]/u.test(there[ownName.length] ?? '');
}

function hasFewLetters(words: string): boolean {
  return words.replace(/[^\p{L}]/gu, '').length < MIN_LETTERS;
}

function upToNext(after: string, ownName: string): string {
  const next = [...BEGINNINGS, RECORD].map((beginning) => after.search(beginning));
  return after.slice(0, Math.min(otherName(after, ownName) ?? after.length, ...next.filter((at) => at > 0)));
}

function remainingRecord(after: string): string {
  return textBefore(RECORD, textBefore(RECORD_END, after));
}
