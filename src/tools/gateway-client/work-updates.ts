// The updates of a work, such as a retraction: their selection in an operation, and their text for people.

import { OUTCOMES } from '../../metadata/read-updates.ts';
import type { UpdateKind, UpdateOutcome } from '../../metadata/updates.ts';

export interface WorkUpdates {
  readonly outcome: UpdateOutcome;
  /** the agency; empty if the agency has no metadata */
  readonly source: string;
  readonly notices: readonly Notice[];
}

export interface Notice {
  readonly kind: UpdateKind;
  readonly date: string | null;
  /** the link of the notice */
  readonly url: string | null;
  readonly sources: readonly string[];
}

/** The selection in a DOI. */
export const UPDATES = 'updates { outcome source notices { kind date { text } doi { url } sources } }';

export interface UpdatesFields extends Omit<WorkUpdates, 'notices'> {
  readonly notices: readonly (Pick<Notice, 'kind' | 'sources'> & {
    readonly date: { readonly text: string } | null;
    readonly doi: { readonly url: string } | null;
  })[];
}

const NO_METADATA: WorkUpdates = { outcome: 'NOT_REPORTED', source: '', notices: [] };

/** Limits. Only the gravest notices of a work are kept, because the others do not change the result. */
const MAX_NOTICES = 5;
const MAX_SOURCES = 5;
const MAX_SOURCE = 60;

/** Sorts the notices, the gravest first. @param fields null if the agency has no metadata */
export function workUpdates(fields: UpdatesFields | null): WorkUpdates {
  if (fields === null) return NO_METADATA;
  const { outcome, source } = fields;
  const notices = fields.notices
    .toSorted((a, b) => gravity(a) - gravity(b))
    .slice(0, MAX_NOTICES)
    .map(({ kind, date, doi, sources }) => ({
      kind,
      date: date?.text ?? null,
      url: doi?.url ?? null,
      sources: sources.slice(0, MAX_SOURCES).map(oneLine),
    }));
  return { outcome, source, notices };
}

/** A source is a word such as `retraction-watch`, but an agency may send any text. */
function oneLine(source: string): string {
  return source.replace(/[\s\p{C}]+/gu, ' ').slice(0, MAX_SOURCE);
}

function gravity({ kind }: Pick<Notice, 'kind'>): number {
  return OUTCOMES.findIndex(([, kinds]) => kinds.includes(kind));
}

const RETRACTED: ReadonlySet<UpdateKind> = new Set([
  'RETRACTION',
  'PARTIAL_RETRACTION',
  'REMOVAL',
  'WITHDRAWAL',
]);

/** Whether any notice retracts the work, even in part. A withdrawal or removal counts too. */
export function isRetracted({ notices }: WorkUpdates): boolean {
  return notices.some(({ kind }) => RETRACTED.has(kind));
}

/** `RETRACTED`, `PARTLY RETRACTED`, `none recorded by Crossref`, `not reported by DataCite` */
export function outcomeText({ outcome, source }: WorkUpdates): string {
  if (outcome === 'NONE_RECORDED') return `none recorded by ${source}`;
  if (outcome !== 'NOT_REPORTED') return words(outcome);
  if (source === '') return 'not reported: the agency has no metadata';
  return source === 'Crossref' ? 'reported for another DOI' : `not reported by ${source}`;
}

/** `2020-05-06, notice https://doi.org/10.1000/n, retraction-watch`. A notice that does not decide the outcome has its kind. */
export function noticeTexts({ outcome, notices }: WorkUpdates): readonly string[] {
  return notices.map((notice) => {
    const { kind, date, url, sources } = notice;
    const decides = OUTCOMES[gravity(notice)]?.[0] === outcome;
    const parts = [date, url === null ? null : `notice ${url}`, ...sources].filter((part) => part !== null);
    return [decides ? '' : words(kind).toLowerCase(), parts.join(', ')].filter(Boolean).join(' ');
  });
}

/** `RETRACTED 2020-05-06, notice https://doi.org/10.1000/n, retraction-watch; correction 2019-01-01` */
export function updatesText(updates: WorkUpdates): string {
  const [first = '', ...others] = noticeTexts(updates);
  return [`${outcomeText(updates)} ${first}`.trim(), ...others].filter(Boolean).join('; ');
}

function words(code: string): string {
  return code.replaceAll('_', ' ');
}
