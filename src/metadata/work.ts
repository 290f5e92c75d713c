// What a DOI name identifies, read from CSL JSON as the agencies' services write it.
// https://github.com/citation-style-language/schema, csl-data.json; the services keep to it roughly.

import { type Creator, readCreators } from './creators.ts';
import { readMarkup } from './markup.ts';
import { type PartialDate, readPartialDate } from './partial-date.ts';

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
  const title = readMarkup(firstText(csl['title']) ?? '');
  const authors = readCreators(csl['author']);
  return {
    title: title.text === '' ? null : title.text,
    titleHtml: title.text === '' ? null : title.html,
    creators: authors.length > 0 ? authors : readCreators(csl['editor']),
    issued: firstDate(csl),
    containerTitle: plain(csl['container-title']),
    publisher: plain(nameOf(csl['publisher'])),
    type: plain(csl['type']),
    volume: plain(csl['volume']),
    issue: plain(csl['issue']),
    page: plain(csl['page']),
    language: plain(csl['language']),
  };
}

/** Crossref's service has these besides. */
const DATES = ['issued', 'published', 'published-print', 'published-online'];

function firstDate(csl: CslItem): PartialDate | null {
  for (const key of DATES) {
    const date = readPartialDate(csl[key]);
    if (date !== null) return date;
  }
  return null;
}

/** DataCite's newer metadata names a publisher as an object. */
function nameOf(value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as CslItem)['name'] : value;
}

function plain(value: unknown): string | null {
  const text = readMarkup(firstText(value) ?? '').text;
  return text === '' ? null : text;
}

/** A text or number, or the first of a list that is not empty. */
function firstText(value: unknown): string | null {
  for (const item of Array.isArray(value) ? value : [value]) {
    if (typeof item === 'string' && item.trim() !== '') return item;
    if (typeof item === 'number' && Number.isFinite(item)) return String(item);
  }
  return null;
}
