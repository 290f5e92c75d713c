// @ts-check
// The updates of a work: a band above its title, and links to its preprint, published version and other versions.

import { el } from './dom.js';
import { inspectLink } from './offer.js';
import { bdi } from './text.js';

/** @import { Child } from './dom.js' */
/** @import { NoticedWork, Relation, Update, Updates, UpdatesOutcome } from './work-answers.js' */

/** @type {Readonly<Record<string, string>>} */
const OUTCOMES = {
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

/** @type {ReadonlyMap<string, string>} */
const SOURCES = new Map([
  ['publisher', 'the publisher'],
  ['retraction-watch', 'Retraction Watch'],
]);

/** The relation of the other work to this work. @type {Readonly<Record<string, string>>} */
const RELATIONS = {
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

/** The outcome in a few words. "None recorded" never means "sound". @param {UpdatesOutcome} updates */
export function outcomeInWords({ outcome, source }) {
  if (outcome === 'NONE_RECORDED') return `none recorded by ${source}`;
  if (outcome !== 'NOT_REPORTED') return OUTCOMES[outcome] ?? outcome;
  return source === 'Crossref' ? 'reported for another DOI' : `not reported by ${source}`;
}

/** The outcome for a cell of a list. @param {UpdatesOutcome} updates */
export function outcomeView(updates) {
  const words = bdi(shortened(outcomeInWords(updates)));
  return el('span', { class: hasNotice(updates) ? toneOf(updates) : 'missing' }, words);
}

/** @param {UpdatesOutcome} updates */
export function hasNotice({ outcome }) {
  return !WITHOUT_NOTICE.has(outcome);
}

/** The words that screen readers read before the title. Empty without a notice. @param {Updates | null} updates */
export function spokenOutcome(updates) {
  if (updates === null || !hasNotice(updates)) return '';
  return `${OUTCOMES[updates.outcome] ?? updates.outcome}: `;
}

/** The band above a title; null without a notice. @param {Updates | null} updates @param {string} name of the work */
export function updatesBand(updates, name) {
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
 * @param {Updates | null} updates null if unknown
 * @param {string} unknown the reason why the updates are unknown
 * @returns {Child[]}
 */
export function withoutNotice(updates, unknown) {
  if (updates !== null && hasNotice(updates)) return [];
  const words = updates === null ? unknown : outcomeInWords(updates);
  return [' · Retractions and corrections: ', bdi(shortened(words))];
}

/**
 * The lines below the title: whether the work itself is a notice, and links to related works.
 * @param {Updates | null} updates
 * @param {readonly Relation[] | null} relations
 */
export function historyView(updates, relations) {
  return [...(updates?.noticeOf ?? []).slice(0, MAX_SHOWN).map(isNotice), ...related(relations ?? [])];
}

/** @param {UpdatesOutcome} updates */
function toneOf({ outcome }) {
  return MILD.has(outcome) ? 'mild' : 'grave';
}

/** @param {Update} notice @param {string} name @returns {Child[]} */
function noticeParts({ kind, type, doi, date, sources }, name) {
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

/** @param {NoticedWork} notice */
function isNotice({ kind, type, work, date }) {
  const words = [kindInWords(kind, type), date && `, ${date.text}`];
  return el('p', {}, 'This is a notice (', ...words, ') about ', work ? inspectLink(work) : 'another work');
}

/** @param {readonly Relation[]} relations */
function related(relations) {
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

/** @param {string} kind @param {string} type the agency's own word */
function kindInWords(kind, type) {
  if (kind === 'OTHER') return bdi(shortened(type === '' ? 'notice' : type));
  const words = kind.toLowerCase().replaceAll('_', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** @param {number} length of a list */
function more(length) {
  return length > MAX_SHOWN && el('small', {}, ` and ${(length - MAX_SHOWN).toLocaleString('en')} more`);
}

/** @param {string} text */
function shortened(text) {
  return text.length > MAX_TEXT_CHARACTERS ? `${text.slice(0, MAX_TEXT_CHARACTERS)}…` : text;
}
