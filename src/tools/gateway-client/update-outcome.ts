// Selects the updates of a work, such as a retraction, in an operation. Describes the outcome and the notices in words. Among
// several notices, the gravest notice decides the outcome; only the outcome CONTRADICTORY comes from no single notice.

import { harmlessLine } from '../../safe-text.ts';
import { OUTCOMES, type UpdateKind, type UpdateOutcome } from '../../works/retractions-and-updates.ts';

export interface WorkUpdates {
  readonly outcome: UpdateOutcome;
  /** the name of the agency; empty if the agency has no metadata */
  readonly source: string;
  readonly notices: readonly Notice[];
}

export interface Notice {
  readonly kind: UpdateKind;
  readonly date: string | null;
  /** the link to the notice */
  readonly url: string | null;
  readonly sources: readonly string[];
}

/** A selection in the GraphQL type DOI. */
export const UPDATES = 'updates { outcome source notices { kind date { text } doi { url } sources } }';

export interface UpdatesFields extends Omit<WorkUpdates, 'notices'> {
  readonly notices: readonly (Pick<Notice, 'kind' | 'sources'> & {
    readonly date: { readonly text: string } | null;
    readonly doi: { readonly url: string } | null;
  })[];
}

const NO_METADATA: WorkUpdates = { outcome: 'NOT_REPORTED', source: '', notices: [] };

/** `workUpdates` keeps only this many notices, the gravest. */
const MAX_NOTICES = 5;
const MAX_SOURCES = 5;
/** A source is usually a word such as `retraction-watch`, but an agency can send any text. */
const MAX_SOURCE_CHARACTERS = 60;

/** Puts the gravest notice first. @param fields null if the agency has no metadata */
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
      sources: sources.slice(0, MAX_SOURCES).map((source) => harmlessLine(source, MAX_SOURCE_CHARACTERS)),
    }));
  return { outcome, source, notices };
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

/** Whether any notice retracts, withdraws or removes the work, even in part. */
export function isRetracted({ notices }: WorkUpdates): boolean {
  return notices.some(({ kind }) => RETRACTED.has(kind));
}

/** Examples: `RETRACTED`, `PARTLY RETRACTED`, `none recorded by Crossref`, `not reported by DataCite` */
export function outcomeText({ outcome, source }: WorkUpdates): string {
  if (outcome === 'NONE_RECORDED') return `none recorded by ${source}`;
  if (outcome !== 'NOT_REPORTED') return words(outcome);
  if (source === '') return 'not reported: the agency has no metadata';
  return source === 'Crossref' ? 'reported for another DOI' : `not reported by ${source}`;
}

/**
 * Example: `2020-05-06, notice https://doi.org/10.1000/n, retraction-watch`. If a notice does not decide the outcome, the
 * text begins with the kind of the notice.
 */
export function noticeTexts({ outcome, notices }: WorkUpdates): readonly string[] {
  return notices.map((notice) => {
    const { kind, date, url, sources } = notice;
    const decides = OUTCOMES[gravity(notice)]?.[0] === outcome;
    const parts = [date, url === null ? null : `notice ${url}`, ...sources].filter((part) => part !== null);
    return [decides ? '' : words(kind).toLowerCase(), parts.join(', ')].filter(Boolean).join(' ');
  });
}

/** Example: `RETRACTED 2020-05-06, notice https://doi.org/10.1000/n, retraction-watch; correction 2019-01-01` */
export function updatesText(updates: WorkUpdates): string {
  const [first = '', ...others] = noticeTexts(updates);
  return [`${outcomeText(updates)} ${first}`.trim(), ...others].filter(Boolean).join('; ');
}

function words(code: string): string {
  return code.replaceAll('_', ' ');
}
