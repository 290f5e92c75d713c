// The updates of a work: a band above its title, and links to its preprint, published version and other versions.

import type { NoticedWork, Relation, Update, Updates, UpdatesOutcome } from './answers.ts';
import { type Child, el } from './dom.ts';
import { inspectLink } from './offer.ts';
import { bdi } from './text.ts';

const OUTCOMES: Readonly<Record<string, string>> = {
  CONTRADICTORY: 'Contradictory notices',
  RETRACTED: 'Retracted',
  REMOVED: 'Removed',
  WITHDRAWN: 'Withdrawn',
  PARTLY_RETRACTED: 'Partly retracted',
  CONCERN: 'Expression of concern',
  CORRECTED: 'Corrected',
  UPDATED: 'Updated',
};
const MILD = new Set(['CORRECTED', 'UPDATED']);
const WITHOUT_NOTICE = new Set(['NONE_RECORDED', 'NOT_REPORTED']);

const SOURCES: ReadonlyMap<string, string> = new Map([
  ['publisher', 'the publisher'],
  ['retraction-watch', 'Retraction Watch'],
]);

/** The relation of the other work to this work. */
const RELATIONS: Readonly<Record<string, string>> = {
  HAS_PREPRINT: 'Also as preprint',
  IS_PREPRINT_OF: 'Published as',
  IS_REPLACED_BY: 'Replaced by',
  REPLACES: 'Replaces',
  IS_PREVIOUS_VERSION_OF: 'Newer version',
  IS_NEW_VERSION_OF: 'Older version',
  HAS_TRANSLATION: 'Translated as',
  IS_TRANSLATION_OF: 'Translation of',
};

const MAX_TEXT_CHARACTERS = 200;
const MAX_SHOWN = 10;

/** The outcome in a few words. "None recorded" never means "sound". */
export function outcomeInWords({ outcome, source }: UpdatesOutcome) {
  if (outcome === 'NONE_RECORDED') return `none recorded by ${source}`;
  if (outcome !== 'NOT_REPORTED') return OUTCOMES[outcome] ?? outcome;
  return source === 'Crossref' ? 'reported for another DOI' : `not reported by ${source}`;
}

/** The outcome for a cell of a list. */
export function outcomeView(updates: UpdatesOutcome) {
  const words = bdi(shortened(outcomeInWords(updates)));
  return el('span', { class: hasNotice(updates) ? toneOf(updates) : 'missing' }, words);
}

export function hasNotice({ outcome }: UpdatesOutcome) {
  return !WITHOUT_NOTICE.has(outcome);
}

/** The words that screen readers read before the title. Empty without a notice. */
export function spokenOutcome(updates: Updates | null) {
  if (updates === null || !hasNotice(updates)) return '';
  return `${OUTCOMES[updates.outcome] ?? updates.outcome}: `;
}

/** The band above a title; null without a notice. @param name of the work */
export function updatesBand(updates: Updates | null, name: string) {
  if (updates === null || !hasNotice(updates)) return null;
  const { outcome, notices } = updates;
  return el(
    'div',
    { class: `band ${toneOf(updates)}`, role: 'note', 'aria-label': 'Notices about this work' },
    el('strong', {}, OUTCOMES[outcome] ?? bdi(shortened(outcome))),
    outcome === 'CONTRADICTORY' &&
      el('p', {}, 'One notice has two kinds. It is unknown which kind is right.'),
    el('ul', {}, ...notices.slice(0, MAX_SHOWN).map((notice) => el('li', {}, ...noticeParts(notice, name)))),
    more(notices.length),
  );
}

/**
 * The end of a line, which says that there is no notice. Empty if there is a notice.
 * @param updates null if unknown
 * @param unknown the reason why the updates are unknown
 */
export function withoutNotice(updates: Updates | null, unknown: string): Child[] {
  if (updates !== null && hasNotice(updates)) return [];
  const words = updates === null ? unknown : outcomeInWords(updates);
  return [' · Retractions and corrections: ', bdi(shortened(words))];
}

/** The lines below the title: whether the work itself is a notice, and links to related works. */
export function historyView(updates: Updates | null, relations: readonly Relation[] | null) {
  return [...(updates?.noticeOf ?? []).slice(0, MAX_SHOWN).map(isNotice), ...related(relations ?? [])];
}

function toneOf({ outcome }: UpdatesOutcome) {
  return MILD.has(outcome) ? 'mild' : 'grave';
}

function noticeParts({ kind, type, doi, date, sources }: Update, name: string): Child[] {
  const isOwn = doi?.name.toLowerCase() === name.toLowerCase();
  const by = sources
    .slice(0, MAX_SHOWN)
    .flatMap((source, index) => [index > 0 && ' and ', bdi(shortened(SOURCES.get(source) ?? source))]);
  return [
    kindInWords(kind, type),
    date && `, ${date.text}`,
    doi && (isOwn ? ', in the work itself' : ': '),
    doi && !isOwn && inspectLink(doi),
    by.length > 0 && ', reported by ',
    ...by,
  ];
}

function isNotice({ kind, type, work, date }: NoticedWork) {
  const words = [kindInWords(kind, type), date && `, ${date.text}`];
  return el('p', {}, 'This is a notice (', ...words, ') about ', work ? inspectLink(work) : 'another work');
}

function related(relations: readonly Relation[]) {
  return Object.entries(RELATIONS).flatMap(([kind, words]) => {
    const these = relations.filter((relation) => relation.kind === kind);
    if (these.length === 0) return [];
    const links = these
      .slice(0, MAX_SHOWN)
      .flatMap(({ doi, identifier }, index) => [
        index > 0 && ', ',
        doi ? inspectLink(doi) : bdi(shortened(identifier), 'ltr'),
      ]);
    return [el('p', { class: 'related' }, `${words}: `, ...links, more(these.length))];
  });
}

/** @param type the agency's own word */
function kindInWords(kind: string, type: string) {
  if (kind === 'OTHER') return bdi(shortened(type === '' ? 'notice' : type));
  const words = kind.toLowerCase().replaceAll('_', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** @param length of a list */
function more(length: number) {
  return length > MAX_SHOWN && el('small', {}, ` and ${(length - MAX_SHOWN).toLocaleString('en')} more`);
}

function shortened(text: string) {
  return text.length > MAX_TEXT_CHARACTERS ? `${text.slice(0, MAX_TEXT_CHARACTERS)}…` : text;
}
