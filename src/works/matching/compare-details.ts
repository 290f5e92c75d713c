// Compares a reference with one work: title, authors, container, year, volume, issue, page and DOI.

import type { HandleName } from 'doi-names';
import { isBookSeries } from '../container-titles.ts';
import { SUBTITLE } from '../reference-fit.ts';
import type { Work } from '../work.ts';
import { type AuthorNames, isByAuthors, namesOf } from './author-evidence.ts';
import { isMistypedContainer, placeOfContainer } from './container-place.ts';
import { type DetailVerdict, isMonth, type NumberDetail, numberEvidence } from './number-evidence.ts';
import { isContent, isSameWord, type PlacedWords, placedWords, weightOf } from './reference-words.ts';
import { placeOfTitle, type TitlePlace, type WordRange } from './title-place.ts';

export type ReferenceDetail = 'DOI' | 'TITLE' | 'AUTHORS' | 'CONTAINER' | NumberDetail;

export interface DetailEvidence {
  readonly detail: ReferenceDetail;
  readonly verdict: DetailVerdict;
  /** as the reference states the detail */
  readonly inReference: string | null;
  /** as the work's metadata state the detail */
  readonly inWork: string | null;
}

export interface Comparison {
  readonly evidence: readonly DetailEvidence[];
  /** how much of the title is in the reference, from 0 to 1 */
  readonly titleShare: number;
}

export interface ComparedWork {
  readonly doi: HandleName;
  readonly work: Work;
  readonly titles: readonly (string | null | undefined)[];
  /** the container, its abbreviation, its series; a preprint's server */
  readonly containers: readonly (string | null)[];
}

/** Words of references that belong to no detail. */
const LABELS = new Set(
  (
    'et al others vol volume no nr issue iss pp pages page pg ed eds editor editors edited bd heft jahrg tome num art article ' +
    'accessed available online print internet cited portico retrieved url doi http https www org proceedings proc press publisher preprint'
  ).split(' '),
);

/** A reference without a title has at most this many letters that belong to no detail. */
const MAX_LETTERS_WITHOUT_TITLE = 14;
const PLACE = ['YEAR', 'VOLUME', 'PAGE'] as const;
/** At least this many unexplained letters after the title name another journal. */
const MIN_LETTERS_OF_CONTAINER = 4;

export function compareDetails(
  reference: PlacedWords,
  { doi, work, titles, containers }: ComparedWork,
  dois: readonly HandleName[],
): Comparison {
  const names = namesOf(work.creators);
  const title = bestTitle(reference, titles, containers);
  const container = containerPlace(reference, containers, title);
  const isOutside = (at: number): boolean => !isIn(title, at) && !isIn(container, at);
  const isByline = (at: number): boolean =>
    isOutside(at) && (title === null || title.start === 0 || at < title.start);
  const isRest = (at: number): boolean =>
    at > 0 &&
    isOutside(at) &&
    (title === null || title.start === 0 || at >= title.end || isYearAt(reference, at));
  const numbers = numberEvidence(reference, work, isRest);
  const unexplained = reference.words.flatMap(({ word }, at) =>
    isOutside(at) && isUnexplained(word, names) ? [at] : [],
  );
  const lettersOf = (places: readonly number[]): number =>
    places.reduce((sum, at) => sum + (reference.words[at]?.word.length ?? 0), 0);
  const bylineLetters = lettersOf(unexplained.filter((at) => title !== null && at < title.start));
  const restLetters = lettersOf(unexplained.filter((at) => title === null || at >= title.end));

  const isBy = isByAuthors(reference, names, isByline);
  const textOf = (place: WordRange | null): string | null =>
    place && quoted(reference, place.start, place.end);
  const authorsDiffer = !isBy && title !== null && bylineLetters > 2 && names.families.length > 0;
  const rest = quoted(reference, title?.end ?? 0, reference.words.length) ?? '';
  // A chapter is cited with its book or with the series of the book, and agencies know only one of them.
  const isOfSeries =
    [work.containerTitle ?? '', rest.split(/[,:;(]| \d/)[0] ?? ''].some(isBookSeries) ||
    (isBy && work.volume === null && numbers.PAGE.verdict === 'AGREES');
  const unexplainedWords = unexplained.map((at) => reference.words[at]?.word ?? '');
  // If everything else is right, a name with typing errors is not the name of another journal.
  const isMistyped =
    container === null &&
    isBy &&
    PLACE.every((detail) => numbers[detail].verdict === 'AGREES') &&
    containers.some((name) => name !== null && isMistypedContainer(unexplainedWords, name));
  const containerDiffers =
    container === null &&
    title !== null &&
    !isMistyped &&
    restLetters >= MIN_LETTERS_OF_CONTAINER &&
    containers.some((name) => name !== null) &&
    !isOfSeries;
  const isUntitled = isMistyped || lettersOf(unexplained) <= MAX_LETTERS_WITHOUT_TITLE;
  const number = (detail: NumberDetail, inWork: string | null): DetailEvidence => ({
    detail,
    inWork,
    ...numbers[detail],
  });
  const evidence = (
    detail: ReferenceDetail,
    [isAgreed, isDifferent]: readonly [boolean, boolean],
    inReference: string | null,
    inWork: string | null,
  ): DetailEvidence => ({
    detail,
    verdict: isAgreed ? 'AGREES' : isDifferent ? 'DIFFERS' : 'NOT_STATED',
    inReference,
    inWork,
  });
  const compared = [
    evidence('DOI', [dois.includes(doi), dois.length > 0], dois.includes(doi) ? doi : (dois[0] ?? null), doi),
    evidence('TITLE', [title !== null, !isUntitled], textOf(title), titles[0] ?? null),
    evidence(
      'AUTHORS',
      [isBy, authorsDiffer],
      isBy || authorsDiffer ? quoted(reference, 0, title?.start ?? container?.start ?? 0) : null,
      authorsText(work),
    ),
    evidence('CONTAINER', [container !== null, containerDiffers], textOf(container), work.containerTitle),
    number('YEAR', work.issued === null ? null : String(work.issued.year)),
    number('VOLUME', work.volume),
    number('ISSUE', work.issue),
    number('PAGE', work.page),
  ];
  return { evidence: compared, titleShare: title === null ? 0 : title.share * title.purity };
}

const MAX_QUOTED = 300;
function quoted({ text, words }: PlacedWords, start: number, end: number): string | null {
  const [first, last] = [words[start], words[end - 1]];
  if (first === undefined || last === undefined || end <= start) return null;
  return text.slice(first.start, last.end).slice(0, MAX_QUOTED);
}

const authorsText = ({ creators }: Work): string | null =>
  creators
    .slice(0, 5)
    .map(({ name }) => name)
    .join(', ')
    .slice(0, MAX_QUOTED) || null;

const isIn = (place: WordRange | null, at: number): boolean =>
  place !== null && at >= place.start && at < place.end;

/** Styles put the year before the title or after it. */
const isYearAt = ({ words }: PlacedWords, at: number): boolean =>
  /^(?:1[5-9]|20)\d\d[a-z]?$/.test(words[at]?.word ?? '');

/** A preprint's server is its publisher. */
export const serverOf = ({ type, containerTitle, publisher }: Work): string | null =>
  type === 'article' && containerTitle === null ? publisher : null;

function isUnexplained(word: string, names: AuthorNames): boolean {
  if (!isContent(word) || /\d/.test(word) || /^[ivxlc]+$/.test(word) || LABELS.has(word) || isMonth(word))
    return false;
  return !names.words.has(word) && ![...names.words].some((name) => isSameWord(name, word));
}

const MIN_MAIN_LETTERS = 12;

/** The first of the titles that the reference has, or the main title if the reference states no other subtitle. */
function bestTitle(
  reference: PlacedWords,
  titles: ComparedWork['titles'],
  containers: ComparedWork['containers'],
): TitlePlace | null {
  for (const title of titles) {
    const place = title ? placeOfTitle(reference, title, titles[0] ?? title) : null;
    if (place !== null)
      return isFollowedByOther(reference, place, titles[0] ?? '', containers) ? null : place;
  }
  const [whole] = titles;
  const main = whole?.split(SUBTITLE)[0] ?? '';
  const place = main.length < MIN_MAIN_LETTERS ? null : placeOfTitle(reference, main, whole ?? main);
  return place !== null && isFollowedByOther(reference, place, whole ?? '', containers) ? null : place;
}

/** Whether another subtitle than the work's stands between the main title and the container. */
function isFollowedByOther(
  reference: PlacedWords,
  place: TitlePlace,
  whole: string,
  containers: ComparedWork['containers'],
): boolean {
  const length = placedWords(whole).words.length;
  if (length <= place.end - place.start + 2) return false;
  const container = containerPlace(reference, containers, place);
  if (container === null || container.start < place.end) return false;
  return (
    weightOf(reference.words.slice(place.end, container.start).map(({ word }) => word)) >=
    MIN_SUBTITLE_LETTERS
  );
}

const MIN_SUBTITLE_LETTERS = 15;

function containerPlace(
  reference: PlacedWords,
  containers: readonly (string | null)[],
  title: TitlePlace | null,
): WordRange | null {
  for (const container of containers) {
    const place = container && placeOfContainer(reference, container, (at) => !isIn(title, at));
    if (place) return place;
  }
  return null;
}
