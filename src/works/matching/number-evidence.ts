// Finds the year, volume, issue and page of a work in the numbers of a reference. Styles order the numbers differently,
// so a number belongs to the detail that it equals, and only a number that is left over contradicts a detail.

import type { Work } from '../work.ts';
import type { PlacedWord, PlacedWords } from './reference-words.ts';

export type DetailVerdict = 'AGREES' | 'DIFFERS' | 'NOT_STATED';

export interface NumberEvidence {
  readonly verdict: DetailVerdict;
  readonly inReference: string | null;
}

export type NumberDetail = 'YEAR' | 'VOLUME' | 'ISSUE' | 'PAGE';

const MONTH =
  /^(?:jan|feb|mar|apr|may|mai|jun|jul|aug|sep|sept|oct|okt|nov|dec|dez)(?:uary|ruary|ch|il|e|y|ust|tember|ober|ember)?$/;
export const isMonth = (word: string): boolean => MONTH.test(word);

const YEAR = /^(1[5-9]\d\d|20\d\d)[a-z]?$/;
const NOT_STATED: NumberEvidence = { verdict: 'NOT_STATED', inReference: null };
const plain = (number: string): string => number.toLowerCase().replace(/^0+(?=.)/, '');
const partsOf = (text: string | null): readonly string[] =>
  (text ?? '')
    .slice(0, 100)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.map(plain) ?? [];

/** @param isFree whether the word at a place is in no other detail */
export function numberEvidence(
  { words, text }: PlacedWords,
  work: Pick<Work, 'issued' | 'volume' | 'issue' | 'page'>,
  isFree: (at: number) => boolean,
): Readonly<Record<NumberDetail, NumberEvidence>> {
  const free = words.filter(({ word }, at) => isFree(at) && isNumber(word) && !isDay(words, at));
  const left = new Set<PlacedWord>(free);
  const raw = ({ start, end }: PlacedWord): string => text.slice(start, end);
  const take = (wanted: readonly string[], last = false): NumberEvidence | null => {
    if (wanted.length === 0) return NOT_STATED;
    const some = [...left].filter(({ word }) => wanted.includes(plain(word)));
    const found = last ? (some.findLast((word) => !isContinued(text, word)) ?? some.at(-1)) : some[0];
    if (found === undefined) return null;
    left.delete(found);
    return { verdict: 'AGREES', inReference: raw(found) };
  };

  const year = yearEvidence(free, work.issued?.year ?? null, left, raw);
  const pages = partsOf(work.page);
  const firstPage = pages.find((part) => /\d/.test(part)) ?? pages[0];
  const page = take(firstPage === undefined ? [] : [firstPage], true);
  const lastPage = pages.length > 1 ? pages.at(-1) : undefined;
  if (lastPage !== undefined)
    for (const word of [...left])
      if (lastPage.endsWith(plain(word.word)) && isContinued(text, word)) left.delete(word);
  const volume = take(partsOf(work.volume).slice(0, 3));
  if (volume?.verdict === 'AGREES') for (const other of partsOf(work.volume)) take([other]);
  const issue = take(partsOf(work.issue).slice(0, 3));
  for (const word of [...left])
    if (isContinued(text, word) || YEAR.test(word.word) || !/\d/.test(word.word)) left.delete(word);

  // The remaining numbers, in the order in which references state volume, issue and page.
  const rest = [...left];
  const other = (word: PlacedWord | undefined): NumberEvidence =>
    word === undefined ? NOT_STATED : { verdict: 'DIFFERS', inReference: raw(word) };
  const missing = [volume, issue, page].filter((evidence) => evidence === null).length;
  const otherPage = page ?? other(rest.pop());
  const otherVolume = volume ?? other(rest.shift());
  const otherIssue = issue ?? (missing <= rest.length + 2 ? other(rest.shift()) : NOT_STATED);
  return { YEAR: year, VOLUME: otherVolume, ISSUE: otherIssue, PAGE: otherPage };
}

function yearEvidence(
  free: readonly PlacedWord[],
  year: number | null,
  left: Set<PlacedWord>,
  raw: (word: PlacedWord) => string,
): NumberEvidence {
  const years = free.filter(({ word }) => YEAR.test(word));
  const distance = ({ word }: PlacedWord): number => Math.abs(Number.parseInt(word, 10) - (year ?? 0));
  const [nearest] = [...years].sort((a, b) => distance(a) - distance(b));
  if (nearest === undefined || year === null) return NOT_STATED;
  // Online and in print, a work can appear in different years.
  if (distance(nearest) > 1) return { verdict: 'DIFFERS', inReference: raw(nearest) };
  left.delete(nearest);
  return { verdict: 'AGREES', inReference: raw(nearest) };
}

const isNumber = (word: string): boolean => /\d/.test(word) || /^[ivxlc]{2,8}$/.test(word);

function isDay(words: readonly PlacedWord[], at: number): boolean {
  const { word = '' } = words[at] ?? {};
  if (!/^\d{1,2}$/.test(word)) return false;
  return isMonth(words[at - 1]?.word ?? '');
}

/** The end of a range (`85–91`) or of a number with a point (`305.2`). */
function isContinued(text: string, { start }: PlacedWord): boolean {
  return /[-\u2010-\u2015\u2212]$|\d\.$/.test(text.slice(Math.max(0, start - 2), start));
}
