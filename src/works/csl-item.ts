// Makes CSL JSON from the members that an agency's API returns.
// https://github.com/citation-style-language/schema, csl-data.json

import { listOf } from './agency-json.ts';
import { readPartialDate } from './partial-date.ts';
import { type MarkedUpText, readMarkup } from './title-markup.ts';
import { splitTitle } from './whole-title.ts';
import { type CslItem, readMarkedUpText, readPlainText } from './work.ts';
import { WORK_LIMITS } from './work-limits.ts';

/** An item without the variables that are null. */
export function cslItem(variables: Readonly<Record<string, unknown>>): CslItem {
  const item: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(variables)) if (value !== null) item[name] = value;
  return item;
}

/** The first text that is not empty, with the markup that CSL allows: `i`, `b`, `sub` and `sup`. */
export function cslRichText(...values: readonly unknown[]): string | null {
  return richText(values.map(readMarkedUpText).find((value) => value !== null) ?? null);
}

function richText(text: MarkedUpText | null): string | null {
  if (text === null) return null;
  // In CSL, a character is escaped only if a program would read it as markup.
  const plain = text.html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return readMarkup(plain).html === text.html ? plain : text.html;
}

/**
 * The title with its subtitle, and both alone. CSL 1.0.2 has no variable for the subtitle: its `title` is the whole title,
 * and its `title-short` is the title without the subtitle. The member `subtitle` is not part of CSL.
 * @param titles the first title that is not empty counts
 */
export function cslTitles(
  titles: readonly unknown[],
  subtitle: unknown,
  shortTitle: unknown = null,
): CslItem {
  const title = titles.map(readMarkedUpText).find((value) => value !== null) ?? null;
  const split = splitTitle(title, readMarkedUpText(subtitle));
  const isSplit = split.subtitle !== null;
  return {
    title: richText(split.whole),
    subtitle: richText(split.subtitle),
    'title-short': cslRichText(shortTitle) ?? (isSplit ? richText(split.main) : null),
  };
}

/** The first text that is not empty, without markup. */
export function cslText(...values: readonly unknown[]): string | null {
  return values.map(readPlainText).find((text) => text !== null) ?? null;
}

/** All subjects in one text, because CSL has no lists. A subject can contain a comma. Null without subjects. */
export function cslKeyword(subjects: readonly string[]): string | null {
  let length = 0;
  const kept = subjects.filter((subject) => {
    length += subject.length + '; '.length;
    return length < WORK_LIMITS.textCharacters;
  });
  return cslText(kept.join('; '));
}

/** The first date that has a year. */
export function cslDate(...values: readonly unknown[]): CslItem | null {
  const date = values.map(readPartialDate).find((value) => value !== null);
  if (date === undefined) return null;
  return { 'date-parts': [[date.year, date.month, date.day].filter((part) => part !== null)] };
}

/** At most this many identifiers are kept. A real work has at most a few dozen. */
const MAX_IDENTIFIERS = 50;
/** `http://id.crossref.org/isbn/9780199567027`, `urn:isbn:9780199567027`, `ISBN 9780199567027` */
const BEFORE_NUMBER = /^(?:https?:\/\/[^\s]{0,100}\/|urn:)?(?:is[bs]n(?:-1[03])?[/:\s]*)?/i;

/** All ISSNs or ISBNs once, in one text: `1687-7977, 1687-7969`. CSL has no lists. */
export function cslIdentifiers(...lists: readonly unknown[]): string | null {
  const numbers = lists
    .flatMap((list) => listOf(list).slice(0, MAX_IDENTIFIERS))
    .map((value) => readPlainText(value)?.replace(BEFORE_NUMBER, '').trim() ?? '');
  return [...new Set(numbers.filter((number) => number !== ''))].slice(0, MAX_IDENTIFIERS).join(', ') || null;
}

/** `n/a-n/a`, `no-no`, `-`, `0-0`: publishers write this for works without pages. */
const NO_PAGES =
  /^(?:n\/?a|no|none|null|undefined|unknown|&NA;|0+|\?+)?(?:[-\u2010-\u2015\s]+|$)(?:n\/?a|no|none|null|undefined|unknown|&NA;|0+|\?+)?$/i;
/** `Bd. 1 Nr. 1 (2018)`, `№1(24) (2019)`: the volume and the issue. `Art. No. 107` can be a page. */
const VOLUME =
  /(?<!\p{L})(?:bd|band|vol|volume|volumen|heft|jg|jahrg|issue|tome?|año)(?!\p{L})[.:]?\s{0,3}\d|^(?:nr|no|n[°º]|n[úu]m)[.:]?\s{0,3}\d{1,4}$|№|\((?:1[5-9]|20)\d\d\)/iu;

/** Whether a text states a volume or an issue: it is neither a page nor the title of a journal. */
export function isVolumeStatement(text: string): boolean {
  return VOLUME.test(text);
}

/** The first text that can be pages: `1-12`, `e0259629`, `1308-1309.e1`. */
export function cslPages(...values: readonly unknown[]): string | null {
  const texts = values.map(readPlainText);
  return texts.find((text) => text !== null && !NO_PAGES.test(text) && !isVolumeStatement(text)) ?? null;
}
