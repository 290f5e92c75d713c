// What the element shows of a result, as texts. A state that is not known never looks like "not retracted".

import { hasNotice, updateWords } from '../update-words.ts';
import type { Notice, Updates } from './query.ts';
import type { Result } from './results.ts';

export interface View {
  /** empty: not known */
  readonly title: string;
  readonly mark: Mark | null;
  /** agency, and what became of the work */
  readonly status: string;
}

export interface Mark {
  readonly text: string;
  readonly isMild: boolean;
  /** of the notice; null: no link */
  readonly href: string | null;
}

const MAX_TITLE_LENGTH = 300;
const MILD = ['CORRECTED', 'UPDATED'];
/** Of the other outcomes, the first notice is as good as another. */
const KIND_OF: Readonly<Record<string, string>> = {
  RETRACTED: 'RETRACTION',
  REMOVED: 'REMOVAL',
  WITHDRAWN: 'WITHDRAWAL',
  PARTLY_RETRACTED: 'PARTIAL_RETRACTION',
  CONCERN: 'EXPRESSION_OF_CONCERN',
};

/** Null if there is nothing to say: the link stays as it is. */
export function viewOf({ row, errors }: Result): View | null {
  const codes = errors.map(({ extensions }) => extensions?.code);
  if (!row) return codes.includes('INVALID_DOI') ? { title: '', mark: null, status: 'Not a DOI' } : null;
  const { whichRa, metadata, updates } = row;
  if (whichRa?.status === 'DOES_NOT_EXIST') return { title: '', mark: null, status: 'Not found' };
  const agency = whichRa?.agency?.name;
  const title = metadata?.title ?? '';
  const shortened = title.length > MAX_TITLE_LENGTH ? `${title.slice(0, MAX_TITLE_LENGTH)}…` : title;
  if (updates && hasNotice(updates)) {
    const notice = noticeOf(updates);
    const date = notice?.date && `notice of ${notice.date.text}`;
    return {
      title: shortened,
      mark: {
        text: updateWords[updates.outcome] ?? updates.outcome,
        isMild: MILD.includes(updates.outcome),
        href: hrefOf(notice, row.url),
      },
      status: joined(agency, date),
    };
  }
  const words = updates ? withoutNotice(updates, agency) : unknown(codes);
  return { title: shortened, mark: null, status: joined(agency, `retractions: ${words}`) };
}

function withoutNotice({ outcome, source }: Updates, agency: string | undefined): string {
  const words = outcome === 'NONE_RECORDED' ? 'none recorded' : 'not reported';
  return source === agency ? words : `${words} by ${source}`;
}

function unknown(codes: readonly unknown[]): string {
  return codes.includes('METADATA_OFF') ? 'not looked up by this gateway' : 'not known';
}

function noticeOf({ outcome, notices }: Updates): Notice | undefined {
  return notices.find(({ kind }) => kind === KIND_OF[outcome]) ?? notices[0];
}

/** No link to the work itself, and none that is not of the web. */
function hrefOf(notice: Notice | undefined, work: string): string | null {
  const url = notice?.doi?.url ?? '';
  return /^https?:\/\//i.test(url) && url.toLowerCase() !== work.toLowerCase() ? url : null;
}

function joined(...parts: readonly (string | null | undefined)[]): string {
  const text = parts.filter(Boolean).join(' · ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
