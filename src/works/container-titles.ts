// Finds which of several container titles is the book or journal, and which is the series.

import { listOf } from './agency-json.ts';
import { readPlainText } from './work.ts';

export interface Containers {
  /** the book, the journal or the proceedings */
  readonly container: string | null;
  readonly series: string | null;
}

/**
 * Names of book series. Crossref lists the series first and the book last. Older records have the other order.
 * https://github.com/CrossRef/rest-api-doc/issues/11
 */
const SERIES = new RegExp(
  [
    '^lecture notes (?:in|on|of) ',
    '^(?:communications in computer and information science|advances in intelligent systems and computing)$',
    '^(?:studies in (?:computational intelligence|fuzziness|systems, decision|health technology|surface science|classification)|smart innovation, systems|understanding complex systems$)',
    '^(?:ifip (?:advances|international federation)|nato (?:asi|science|advanced)|springer (?:series|proceedings|texts|tracts|optimization|geography|earth|briefs)|springerbriefs)',
    '^(?:advances in (?:experimental medicine and biology|soft computing)|methods in (?:molecular biology|enzymology)|progress in (?:mathematics|brain research)|topics in current chemistry)$',
    '^(?:graduate|undergraduate) texts in |^texts in applied mathematics$|^mechanisms and machine science$|^ceur workshop proceedings$',
    '(?:book|symposium|conference|proceedings?|monograph) series$|^lipics|special publications$',
  ].join('|'),
  'i',
);

/** Whether the title is of a book series that contains books on many subjects. */
export const isBookSeries = (title: string): boolean => SERIES.test(title);

const MAX_TITLES = 20;

/**
 * Reads `container-title` of Crossref. If the first of several titles is the name of the event, the first title is the book.
 * Else the last title is the book, unless only the last title is a name of SERIES. Abbreviations do not count.
 * @param abbreviations `short-container-title`
 * @param eventName the name of the conference
 */
export function readContainers(titles: unknown, abbreviations: unknown, eventName: unknown): Containers {
  const all = textsOf(titles);
  const short = textsOf(abbreviations);
  const full = all.filter((title) => !(title.includes('.') && short.some((text) => isSame(text, title))));
  const texts = full.length > 0 ? full : all;
  const [first = null] = texts;
  const last = texts.at(-1) ?? null;
  if (first === null || last === null || isSame(first, last)) return { container: first, series: null };
  const isBookFirst = isSame(first, readPlainText(eventName)) || (SERIES.test(last) && !SERIES.test(first));
  const [container, series] = isBookFirst ? [first, last] : [last, first];
  return { container, series: series.endsWith('.') ? null : series };
}

function textsOf(titles: unknown): readonly string[] {
  return listOf(titles)
    .slice(0, MAX_TITLES)
    .flatMap((title) => readPlainText(title) ?? []);
}

function isSame(one: string, other: string | null): boolean {
  return one.toLowerCase() === other?.toLowerCase();
}
