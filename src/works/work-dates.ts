// Reads the dates of a work, each with its kind: of publication, acceptance, collection and others.

import { type AgencyObject, members, word } from './agency-json.ts';
import { readEach } from './detail-readers.ts';
import { type PartialDate, readPartialDate } from './partial-date.ts';

export const DATE_KINDS = [
  'ISSUED',
  'PUBLISHED',
  'PUBLISHED_ONLINE',
  'PUBLISHED_PRINT',
  'POSTED',
  'ACCEPTED',
  'SUBMITTED',
  'AVAILABLE',
  'COLLECTED',
  'COPYRIGHTED',
  'COVERAGE',
  'CREATED',
  'UPDATED',
  'VALID',
  'WITHDRAWN',
  'APPROVED',
  'OTHER',
] as const;
export type DateKind = (typeof DATE_KINDS)[number];

export interface WorkDate {
  readonly kind: DateKind;
  /** the agency's own word: "published-online", "Collected" */
  readonly type: string;
  readonly start: PartialDate;
  /** the end of a range that has two ends */
  readonly end: PartialDate | null;
}

/** The words of Crossref, CSL and DataCite in lower case and without hyphens. */
const KINDS: ReadonlyMap<string, DateKind> = new Map([
  ...DATE_KINDS.map((kind) => [kind.replaceAll('_', '').toLowerCase(), kind] as const),
  ['availabledate', 'AVAILABLE'],
]);

function kindOfDate(type: string): DateKind {
  return KINDS.get(type.replaceAll('-', '').toLowerCase()) ?? 'OTHER';
}

/** The members of Crossref that are dates of the work itself. https://api.crossref.org/swagger-ui/index.html */
export const CROSSREF_DATES = [
  ...['issued', 'published', 'published-print', 'published-online', 'posted', 'accepted', 'approved'],
] as const;
/** The dates of CSL 1.0.2 (appendix IV), without the day of access. */
export const CSL_DATES = ['issued', 'submitted', 'available-date', 'event-date', 'original-date'] as const;

/** Reads the dates that are members of an item. A member without a year is left out. */
export function datesIn(item: AgencyObject, types: readonly string[]): readonly WorkDate[] {
  return types.flatMap((type) => {
    const range = members(item[type])['date-parts'];
    const start = readPartialDate(item[type]);
    const end = Array.isArray(range) && range.length === 2 ? readPartialDate(range[1]) : null;
    return start === null ? [] : [{ kind: kindOfDate(type), type, start, end }];
  });
}

/** Reads DataCite's `dates`. https://datacite-metadata-schema.readthedocs.io/en/4.6/properties/date/ */
export function readDataciteDates(dates: unknown): readonly WorkDate[] {
  return readEach(dates, (value) => {
    const { date, dateType } = members(value);
    const type = word(dateType) ?? 'Other';
    const range = rangeIn(date);
    const start = hasOpenStart(date) ? null : readPartialDate(range?.[0] ?? date);
    const end = range === null ? null : readPartialDate(range[1]);
    return start === null ? null : { kind: kindOfDate(type), type, start, end };
  });
}

/** RKMS-ISO8601: `2001-05/2003`, `2001/`. `2001/05` and `2001/05/03` are single dates. */
const RANGE = /^(-?\d{4}[^/]{0,40})\/(\s*|\s*-?\d{4}[^/]{0,40}|[^\d/][^/]{0,40})$/;

/** `/2003`, `../2003`, `(:tba)/2003`: the year is the end of the range. `07/04/2017` is a single date. */
const OPEN_START = /^(?:[^\p{L}\d/]{0,10}|[(:]{1,2}[a-z]{2,5}\)?) ?\/\s*-?\d{4}/iu;

function hasOpenStart(date: unknown): boolean {
  return OPEN_START.test(word(date) ?? '');
}

function rangeIn(date: unknown): readonly [string, string] | null {
  const [, start, end] = RANGE.exec(word(date) ?? '') ?? [];
  return start === undefined || end === undefined ? null : [start, end];
}
