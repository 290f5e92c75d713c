// What a DOI name identifies, read from CSL JSON as the agencies' services write it.
// https://github.com/citation-style-language/schema, csl-data.json; the services keep to it roughly.

import { type Creator, readCreators } from './creators.ts';
import { type PartialDate, readPartialDate } from './partial-date.ts';
import { type MarkedUpText, readMarkup } from './title-markup.ts';

/** A CSL JSON item: any JSON object. */
export type CslItem = Readonly<Record<string, unknown>>;

export interface Work {
  /** plain text */
  readonly title: string | null;
  /** the title with `i`, `b`, `sub` and `sup` alone */
  readonly titleHtml: string | null;
  /** the authors; the editors where there are none */
  readonly creators: readonly Creator[];
  readonly issued: PartialDate | null;
  readonly containerTitle: string | null;
  readonly publisher: string | null;
  /** as the agency says it: `article-journal`, `journal-article`, `dataset`, … */
  readonly type: string | null;
  readonly volume: string | null;
  readonly issue: string | null;
  readonly page: string | null;
  readonly language: string | null;
}

/** Never throws: what cannot be read is null, and costs nothing else. */
export function readWork(csl: CslItem): Work {
  const title = titleOf(csl);
  const authors = readCreators(csl['author']);
  return {
    title: title.text === '' ? null : title.text,
    titleHtml: title.text === '' ? null : title.html,
    creators: authors.length > 0 ? authors : readCreators(csl['editor']),
    issued: firstDate(csl),
    containerTitle: plain(csl['container-title']),
    publisher: plain(csl['publisher']),
    type: plain(csl['type']),
    volume: plain(csl['volume']),
    issue: plain(csl['issue']),
    page: plain(csl['page']) ?? plain(csl['article-number']),
    language: plain(csl['language']),
  };
}

/** Crossref's service has others beside `title`, which now and then is an empty list. */
const TITLES = ['title', 'original-title', 'title-short', 'short-title', 'shortTitle'];

function titleOf(csl: CslItem): MarkedUpText {
  for (const key of TITLES) {
    const title = readMarkup(firstText(csl[key]) ?? '');
    if (title.text !== '') return title;
  }
  return NO_TITLE;
}

const NO_TITLE: MarkedUpText = { text: '', html: '' };

/** Crossref's service has these besides. */
const DATES = ['issued', 'published', 'published-print', 'published-online', 'published-other', 'posted'];

function firstDate(csl: CslItem): PartialDate | null {
  for (const key of DATES) {
    const date = readPartialDate(csl[key]);
    if (date !== null) return date;
  }
  return null;
}

function plain(value: unknown): string | null {
  const text = readMarkup(firstText(value) ?? '').text;
  return text === '' ? null : text;
}

/** Where an object that was made of XML or of DataCite's metadata has its text. */
const TEXT_KEYS = ['_', '#text', '__content__', '$', 'value', 'text', 'title', 'name', 'literal'];
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i;
const MOST_LOOKED_AT = 20;

/** A text or number, the text of an object, or the first of a list that is not empty. */
function firstText(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;
  if (typeof value !== 'object' || value === null || depth > 2) return null;
  for (const item of textsIn(value)) {
    const text = firstText(item, depth + 1);
    if (text !== null) return text;
  }
  return null;
}

/** `["A"]`, `{"_": "A", "lang": "en"}`, `{"en": "A", "ja": "あ"}` */
function textsIn(value: object): readonly unknown[] {
  if (Array.isArray(value)) return value.slice(0, MOST_LOOKED_AT);
  const object = value as CslItem;
  const named = TEXT_KEYS.flatMap((key) => (Object.hasOwn(object, key) ? [object[key]] : []));
  if (named.length > 0) return named;
  const keys = Object.keys(object).slice(0, MOST_LOOKED_AT);
  return keys.filter((key) => LANGUAGE.test(key)).map((key) => object[key]);
}
