// Reads the work of a DOI name from the CSL JSON of an agency's service. The services follow the schema only roughly:
// https://github.com/citation-style-language/schema, csl-data.json

import type { AgencyObject } from './agency-json.ts';
import { type Creator, madeBy, readPeople } from './creators.ts';
import { type PartialDate, readPartialDate } from './partial-date.ts';
import type { Relation } from './relations.ts';
import type { Updates } from './retractions-and-updates.ts';
import { type MarkedUpText, readMarkup } from './title-markup.ts';
import { splitTitle, type Titles } from './whole-title.ts';
import type { WorkDetails } from './work-details.ts';
import { WORK_LIMITS } from './work-limits.ts';

/** A CSL JSON item: any JSON object. */
export type CslItem = AgencyObject;

/** What an agency's API reports and CSL has no place for. Content negotiation does not report it. Plain JSON. */
export interface WorkHistory {
  readonly updates: Updates;
  readonly relations: readonly Relation[];
  /** absent for a work of a metadata file, whose details are in its CSL */
  readonly details?: WorkDetails | undefined;
  /** the agency that reports the history. Default: the source of the metadata */
  readonly source?: string | undefined;
}

/** A work from an agency's API. Frozen. */
export interface AgencyWork {
  readonly csl: CslItem;
  readonly history: WorkHistory;
}

export interface Work {
  /** plain text, without the subtitle */
  readonly title: string | null;
  /** the title as HTML whose only elements are `i`, `b`, `sub` and `sup` */
  readonly titleHtml: string | null;
  /** plain text */
  readonly subtitle: string | null;
  /** the authors, or the editors if there are no authors */
  readonly creators: readonly Creator[];
  readonly issued: PartialDate | null;
  readonly containerTitle: string | null;
  readonly publisher: string | null;
  /** the agency's own word: `article-journal`, `journal-article`, `dataset`, … */
  readonly type: string | null;
  readonly volume: string | null;
  readonly issue: string | null;
  readonly page: string | null;
  readonly language: string | null;
}

/** The title without its subtitle, the subtitle, and both together. Never throws. */
export function readTitles(csl: CslItem): Titles {
  return splitTitle(firstRead(csl, TITLES, readMarkedUpText), readMarkedUpText(csl['subtitle']));
}

/** Never throws. A member that cannot be read is null. `creators` are read at the first use, because they can be many. */
export function readWork(csl: CslItem, { main, subtitle }: Titles = readTitles(csl)): Work {
  let creators: readonly Creator[] | null = null;
  return {
    title: main?.text ?? null,
    titleHtml: main?.html ?? null,
    subtitle: subtitle?.text ?? null,
    get creators() {
      creators ??= madeBy(readPeople(csl));
      return creators;
    },
    issued: firstRead(csl, DATES, readPartialDate),
    containerTitle: readPlainText(csl['container-title']),
    publisher: readPlainText(csl['publisher']),
    type: readDetail(csl['type']),
    volume: readDetail(csl['volume']),
    issue: readDetail(csl['issue']),
    page: readDetail(csl['page']) ?? readDetail(csl['article-number']),
    language: readDetail(csl['language']),
  };
}

/** Crossref's `title` is sometimes an empty list. The first of these members with a text is used. */
const TITLES = ['title', 'original-title', 'title-short', 'short-title', 'shortTitle'];

/** Members that can have the date of publication. The first date with a year is used. */
const DATES = [
  'issued',
  'published',
  'published-print',
  'published-online',
  'published-other',
  'posted',
  'approved',
];

function firstRead<Value>(
  csl: CslItem,
  keys: readonly string[],
  read: (value: unknown) => Value | null,
): Value | null {
  for (const key of keys) {
    const value = read(csl[key]);
    if (value !== null) return value;
  }
  return null;
}

/** The plain text of a CSL field. For a list, the first text in the list. Null if there is no text. */
export function readPlainText(value: unknown): string | null {
  return readMarkedUpText(value)?.text ?? null;
}

/** The plain text of a field that is short in every real work, such as `volume`. */
function readDetail(value: unknown): string | null {
  return readMarkup(firstText(value) ?? '', WORK_LIMITS.detailCharacters).text || null;
}

/** The text of a CSL field with its markup; null if there is no text. */
export function readMarkedUpText(value: unknown): MarkedUpText | null {
  const read = readMarkup(firstText(value) ?? '');
  return read.text === '' ? null : read;
}

/** The keys of the text in an object that was converted from XML or from DataCite's metadata. */
const TEXT_KEYS = ['_', '#text', '__content__', '$', 'value', 'text', 'title', 'name', 'literal'];
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i;
const MAX_ITEMS = 20;

/** The text of a string, number or object, or the first text of a list. Null if there is no text. */
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
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS);
  const object = value as CslItem;
  const named = TEXT_KEYS.flatMap((key) => (Object.hasOwn(object, key) ? [object[key]] : []));
  if (named.length > 0) return named;
  const keys = Object.keys(object).slice(0, MAX_ITEMS);
  return keys.filter((key) => LANGUAGE.test(key)).map((key) => object[key]);
}
