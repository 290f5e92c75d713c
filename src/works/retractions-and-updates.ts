// Reads from the agencies' APIs the notices that a work was retracted, corrected or replaced.
// https://www.crossref.org/documentation/register-maintain-records/maintaining-your-metadata/registering-updates/
// https://datacite-metadata-schema.readthedocs.io/en/4.6/properties/date/

import type { HandleName } from 'doi-names';
import { foldBasicLatin } from 'doi-names/parts';
import { freezeJson } from '../handle/json.ts';
import { agencyDoi, isObject, isSameDoi, listOf, members, word } from './agency-json.ts';
import { type PartialDate, readPartialDate } from './partial-date.ts';

export const UPDATE_KINDS = [
  'RETRACTION',
  'PARTIAL_RETRACTION',
  'WITHDRAWAL',
  'REMOVAL',
  'EXPRESSION_OF_CONCERN',
  'CORRECTION',
  'ERRATUM',
  'CORRIGENDUM',
  'ADDENDUM',
  'CLARIFICATION',
  'NEW_EDITION',
  'NEW_VERSION',
  'OTHER',
] as const;
export type UpdateKind = (typeof UPDATE_KINDS)[number];

/** The most serious outcome is first. */
export const OUTCOMES = outcomes([
  ['RETRACTED', ['RETRACTION']],
  ['REMOVED', ['REMOVAL']],
  ['WITHDRAWN', ['WITHDRAWAL']],
  ['PARTLY_RETRACTED', ['PARTIAL_RETRACTION']],
  ['CONCERN', ['EXPRESSION_OF_CONCERN']],
  ['CORRECTED', ['CORRECTION', 'CORRIGENDUM', 'ERRATUM', 'ADDENDUM', 'CLARIFICATION']],
  ['UPDATED', ['NEW_EDITION', 'NEW_VERSION', 'OTHER']],
]);

function outcomes<Outcome extends string>(rows: readonly (readonly [Outcome, readonly UpdateKind[]])[]) {
  return rows;
}

/** The most serious outcome is first. NONE_RECORDED and NOT_REPORTED have no notice. */
export const UPDATE_OUTCOMES = [
  ...(['CONTRADICTORY', ...OUTCOMES.map(([outcome]) => outcome)] as const),
  ...(['NONE_RECORDED', 'NOT_REPORTED'] as const),
];
export type UpdateOutcome = (typeof UPDATE_OUTCOMES)[number];

/** A notice about a work. An item of `noticeOf` describes the work that the notice is about. */
export interface Update {
  readonly kind: UpdateKind;
  /** the agency's own word: `retraction`, `Withdrawn` */
  readonly type: string;
  /** the DOI name in the agency's spelling; null if the agency gives no DOI */
  readonly doi: string | null;
  readonly date: PartialDate | null;
  readonly sources: readonly string[];
  readonly recordIds: readonly string[];
}

export interface Updates {
  readonly outcome: UpdateOutcome;
  readonly notices: readonly Update[];
  readonly noticeOf: readonly Update[];
}

export const NOT_REPORTED: Updates = Object.freeze({
  outcome: 'NOT_REPORTED',
  notices: Object.freeze([]),
  noticeOf: Object.freeze([]),
});

/** Crossref's words: the kinds in lower case, such as `partial_retraction`, and the older word `err`. */
const KINDS: ReadonlyMap<string, UpdateKind> = new Map([
  ...UPDATE_KINDS.map((kind) => [kind.toLowerCase(), kind] as const),
  ['err', 'ERRATUM'],
]);

/** At most this many notices are kept. A real work has a few dozen. The outcome also depends on the other notices. */
export const MAX_NOTICES = 1_000;
/** At most this many sources, and at most this many record ids, are kept for one notice. */
export const MAX_RECORDS = 100;

/**
 * Reads `updated-by` and `update-to` of an item of Crossref's REST API. Never throws.
 * @param lookedUp the name that was looked up. If it is an alias, the DOI of the item is a different name.
 */
export function readCrossrefUpdates(item: unknown, lookedUp: HandleName): Updates {
  const work = members(item);
  const doi = agencyDoi(work['DOI']);
  const updatedBy = listOf(work['updated-by']).map(readEntry);
  const updateTo = listOf(work['update-to'])
    .map(readEntry)
    .filter((entry) => entry !== null);
  if (!isSameDoi(doi, lookedUp)) {
    // The item is another work. The item is useful only if it is a notice about the work that was looked up.
    const notices = updateTo.filter((entry) => isSameDoi(entry.doi, lookedUp));
    return notices.length === 0 ? NOT_REPORTED : createUpdates(notices.map((entry) => ({ ...entry, doi })));
  }
  const notices = [
    ...updatedBy.filter((entry) => entry !== null),
    ...updateTo.filter((entry) => isSameDoi(entry.doi, doi)),
  ];
  // An entry that cannot be read could be a notice, so the outcome must not be NONE_RECORDED.
  if (notices.length === 0 && updatedBy.length > 0) return NOT_REPORTED;
  const noticeOf = updateTo.filter((entry) => !isSameDoi(entry.doi, doi));
  return createUpdates(notices, noticeOf);
}

/** Null for an entry that has neither a type nor a DOI. */
function readEntry(value: unknown): Update | null {
  if (!isObject(value)) return null;
  const type = word(value['type']);
  const doi = agencyDoi(value['DOI']);
  const source = word(value['source']);
  if (type === null && doi === null) return null;
  return {
    kind: KINDS.get(type?.toLowerCase() ?? '') ?? 'OTHER',
    type: type ?? '',
    doi,
    date: readPartialDate(value['updated']),
    sources: source === null ? [] : [source],
    recordIds: listOf(value['record-id'])
      .slice(0, MAX_RECORDS)
      .map(word)
      .filter((id) => id !== null),
  };
}

/**
 * Reads the date `Withdrawn` and the related identifiers `IsObsoletedBy` of a DataCite record. Never throws.
 * @param attributes the attributes of an entry of `/dois`, with `doi`
 */
export function readDataciteUpdates(attributes: unknown, lookedUp: HandleName): Updates {
  const record = members(attributes);
  if (!isSameDoi(agencyDoi(record['doi']), lookedUp)) return NOT_REPORTED;
  const withdrawn = listOf(record['dates'])
    .map(members)
    .filter(({ dateType }) => equalsWord(dateType, 'withdrawn'))
    .map((date) => dataciteNotice('WITHDRAWAL', date['dateType'], null, readPartialDate(date['date'])));
  const obsoleted = listOf(record['relatedIdentifiers'])
    .map(members)
    .filter(({ relationType }) => equalsWord(relationType, 'isobsoletedby'))
    .map((related) => {
      const isDoi = equalsWord(related['relatedIdentifierType'], 'doi');
      const doi = isDoi ? agencyDoi(related['relatedIdentifier']) : null;
      return dataciteNotice('NEW_VERSION', related['relationType'], doi, null);
    });
  const notices = [...withdrawn, ...obsoleted];
  return notices.length === 0 ? NOT_REPORTED : createUpdates(notices);
}

const equalsWord = (value: unknown, expected: string): boolean => word(value)?.toLowerCase() === expected;

function dataciteNotice(
  kind: UpdateKind,
  type: unknown,
  doi: string | null,
  date: PartialDate | null,
): Update {
  return { kind, type: word(type) ?? '', doi, date, sources: ['DataCite'], recordIds: [] };
}

function createUpdates(notices: readonly Update[], noticeOf: readonly Update[] = []): Updates {
  return freezeJson({
    outcome: outcomeOf(notices),
    notices: mergeNotices(notices),
    noticeOf: mergeNotices(noticeOf),
  });
}

function outcomeOf(notices: readonly Update[]): UpdateOutcome {
  if (isContradictory(notices)) return 'CONTRADICTORY';
  const kinds = new Set(notices.map(({ kind }) => kind));
  const mostSerious = OUTCOMES.find(([, kindsOfRow]) => kindsOfRow.some((kind) => kinds.has(kind)));
  return mostSerious?.[0] ?? 'NONE_RECORDED';
}

/** Whether a source gives two kinds to one record id. @param notices not merged: each has at most one source */
function isContradictory(notices: readonly Update[]): boolean {
  const bySource = new Map<string | undefined, Map<string, UpdateKind>>();
  for (const { kind, sources, recordIds } of notices) {
    const [source] = sources;
    const kinds = bySource.get(source) ?? new Map<string, UpdateKind>();
    bySource.set(source, kinds);
    for (const recordId of recordIds) {
      if ((kinds.get(recordId) ?? kind) !== kind) return true;
      kinds.set(recordId, kind);
    }
  }
  return false;
}

/** Merges entries with the same DOI and kind into one notice. The notice has the position of its first entry. */
function mergeNotices(entries: readonly Update[]): readonly Update[] {
  const notices = new Map<string, Update>();
  for (const entry of entries) {
    const key = `${entry.kind} ${foldBasicLatin(entry.doi ?? '')}`;
    const notice = notices.get(key);
    if (notice) notices.set(key, mergeNotice(notice, entry));
    else if (notices.size < MAX_NOTICES) notices.set(key, entry);
  }
  return [...notices.values()];
}

function mergeNotice(notice: Update, entry: Update): Update {
  return {
    ...notice,
    date: earlierDate(notice.date, entry.date),
    sources: union(notice.sources, entry.sources),
    recordIds: union(notice.recordIds, entry.recordIds),
  };
}

function union(known: readonly string[], more: readonly string[]): readonly string[] {
  const isComplete = known.length >= MAX_RECORDS || more.every((text) => known.includes(text));
  return isComplete ? known : [...new Set([...known, ...more])].slice(0, MAX_RECORDS);
}

/** The earlier date, or the only date. A date without a month comes before the months of its year. */
function earlierDate(one: PartialDate | null, other: PartialDate | null): PartialDate | null {
  if (one === null || other === null) return one ?? other;
  return dayNumber(other) < dayNumber(one) ? other : one;
}

function dayNumber({ year, month, day }: PartialDate): number {
  return (year * 13 + (month ?? 0)) * 32 + (day ?? 0);
}
