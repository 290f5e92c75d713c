// The words of the reference that a name stands in: a line of a list, a paragraph, an entry of BibTeX.

import { arxivDoi } from '../other-identifiers.ts';
import { type ParsedDoi, parseDoi } from '../parse.ts';
import { percentDecodeLeniently } from '../percent.ts';
import { type DoiMatch, findDois } from './find-dois.ts';

export interface ReferenceText {
  /** what stands before the name and behind it, without the name */
  readonly text: string;
  /** false if it may begin before the text that was read, or if its fields may be in any order */
  readonly isWhole: boolean;
}

/** What of a match says where it stands. */
export interface PlaceInText {
  readonly start: number;
  readonly end: number;
}

/** Looked at before a name and behind it, whatever the length of the text. */
export const MOST_BEFORE = 1_500;
export const MOST_BEHIND = 500;

/** A prefix, also in an address that is encoded. */
const ANCHOR = /(?<!\d)10\.\d{4,9}(?:\/|%2[fF])/g;
const TOKEN_ENDS = /[\s<>"|{}\\^`]/;

const BLANK_LINE = /\n[ \t\r]*\n/g;
/** Elements of HTML and JATS that hold a reference. A cell of a table does not. */
const ELEMENT =
  /<\/?(?:li|p|tr|div|dd|dt|blockquote|h[1-6]|ref|mixed-citation|element-citation)\b[^<>]{0,200}>/gi;
const BULLET = /(?:^|\n)[ \t]*(?:[-*+•]\s|\\bibitem|\[[A-Za-z+]{0,12}\d{1,3}[a-z]?\]|PMID-)/g;
/** `12. Smith`, where the line before may be the end of a reference: `171,\n737. doi:…` is none. */
const NUMBER = /(?:^|[.)\]}>/]\s{0,10}\n)[ \t]*\(?\d{1,3}[.)]\s+(?=["'“‘„«(]?[\p{Lu}\p{Lo}])/gu;
/** BibTeX, RIS, EndNote: what follows up to their end is one reference. */
const RECORD = /(?:^|\n)[ \t]*(?:@\w{1,20}\s{0,5}[{(]|TY {1,2}- |%0 )/g;
const RECORD_END = /\n[ \t]*[})][ \t]*(?=\r?\n|$)|\nER {1,2}-/;
const BEGINNINGS = [BLANK_LINE, ELEMENT, BULLET, NUMBER];
/** `"DOI": "`, whose title may stand before it or behind it. */
const IN_JSON = /"\w{1,30}"\s{0,5}:\s{0,5}"[^"\n]{0,300}$/;
/** With fewer letters before it, a name stands first in its reference. */
const FEWEST_LETTERS = 20;
/** By so much of it a name is known again. */
const MOST_OF_NAME = 300;

/** Takes no longer for a long text: as much is looked at as the two limits say. */
export function referenceAround(source: string, { start, end }: PlaceInText): ReferenceText {
  const from = Math.max(0, start - MOST_BEFORE);
  const before = source.slice(from, start);
  const behind = source.slice(end, end + MOST_BEHIND);
  const own = nameFrom(source, start, end);

  const record = lastEnd(RECORD, before);
  if (record !== -1 && !RECORD_END.test(before.slice(record))) {
    const fields = before.slice(record);
    return { text: `${fields}\n${restOfRecord(behind)}`, isWhole: true };
  }
  const beginnings = [afterOtherName(before, own), ...BEGINNINGS.map((one) => lastEnd(one, before))];
  const beginning = Math.max(...beginnings);
  const words = before.slice(Math.max(0, beginning));
  const line = behind.slice(0, lineLength(behind));
  const text = isAlmostNothing(words)
    ? `${words}\n${upToNext(behind, own)}`
    : // What stands between two names of a line is the other one's.
      `${words}\n${otherName(line, own) === undefined ? line : ''}`;
  const isKnown = (beginning !== -1 || from === 0) && !IN_JSON.test(words);
  return { text, isWhole: isKnown && !isAlmostNothing(words + line) };
}

/** The end of the last match; -1 if there is none. */
function lastEnd(pattern: RegExp, text: string): number {
  let last = -1;
  for (const { 0: found, index } of text.matchAll(pattern)) last = index + found.length;
  return last;
}

/** The name as it stands there, decoded and in lower case. */
function nameFrom(source: string, start: number, end: number): string {
  const written = source.slice(start, Math.min(end, start + MOST_OF_NAME));
  const at = written.search(ANCHOR);
  return plain(at === -1 ? written : written.slice(at));
}

function plain(name: string): string {
  return percentDecodeLeniently(name).toLowerCase();
}

/** Behind the last name before this one that is another; where this one is in a later line, behind that line. */
function afterOtherName(before: string, own: string): number {
  const last = [...before.matchAll(ANCHOR)].findLast(({ index }) => !isSame(before, index, own))?.index;
  if (last === undefined) return -1;
  const behind = before.slice(last);
  return last + (behind.includes('\n') ? lineLength(behind) + 1 : tokenLength(behind));
}

/** Where another name begins. */
function otherName(text: string, own: string): number | undefined {
  return [...text.matchAll(ANCHOR)].find(({ index }) => !isSame(text, index, own))?.index;
}

/** A reference often has its name twice: as a text, and in an address. */
function isSame(text: string, at: number, own: string): boolean {
  const there = plain(text.slice(at, at + 3 * own.length + 1));
  return there.startsWith(own) && !/[\p{L}\p{N}]/u.test(there[own.length] ?? '');
}

function tokenLength(text: string): number {
  const length = text.search(TOKEN_ENDS);
  return length === -1 ? text.length : length;
}

function lineLength(text: string): number {
  const length = text.indexOf('\n');
  return length === -1 ? text.length : length;
}

function isAlmostNothing(words: string): boolean {
  return words.replace(/[^\p{L}]/gu, '').length < FEWEST_LETTERS;
}

function upToNext(behind: string, own: string): string {
  const next = [...BEGINNINGS, RECORD].map((beginning) => behind.search(beginning));
  return behind.slice(0, Math.min(otherName(behind, own) ?? behind.length, ...next.filter((at) => at > 0)));
}

function restOfRecord(behind: string): string {
  const end = behind.search(RECORD_END);
  const next = behind.search(RECORD);
  const ends = [end, next].filter((at) => at !== -1);
  return behind.slice(0, Math.min(behind.length, ...ends));
}

/** The names that stand in an input with a problem, and the one of an identifier of arXiv; none without a problem. */
export function meantBy({ input, problem }: ParsedDoi, most?: number): DoiMatch[] {
  if (problem === null) return [];
  const found = findDois(input, most);
  return found.length === 0 && problem.looksLike === 'ARXIV' ? matchOfArxiv(input) : found;
}

function matchOfArxiv(input: string): DoiMatch[] {
  const text = input.trim();
  const { name } = parseDoi(arxivDoi(input) ?? '', 'NAME');
  const start = input.indexOf(text);
  return name === null ? [] : [{ name, text, start, end: start + text.length, form: 'NAME', repaired: true }];
}
