// @ts-check
// The three facts that most readers want: whether the name is registered, by which agency, and where it leads.

import { addressOf } from './address.js';
import { el } from './dom.js';
import { bdi, code, link } from './text.js';
import { count, statusInWords } from './words.js';

/** @import { DirectoryDoi } from './answers.js' */
/** @import { Child } from './dom.js' */

/** Only a DOI name has an agency. @param {string} id of a DOI or of another handle */
const termsOf = (id) => ['In the directory', ...(id.startsWith('doi:') ? ['Registered by'] : []), 'Leads to'];

/** @param {string} id */
export function glanceWaiting(id) {
  return glance(termsOf(id).map((term) => [term, el('span', { class: 'waiting' }, 'asking …')]));
}

/** @param {string} id @param {boolean} retryable whether a later request can succeed */
export function glanceFailed(id, retryable) {
  const words = retryable ? 'not known now' : 'not known';
  return glance(termsOf(id).map((term) => [term, missing(words)]));
}

/**
 * @typedef {object} Circumstances
 * @property {boolean} isEmbedded whether the directory is embedded
 * @property {boolean} isLoop whether the aliases never end
 * @property {'record' | 'locations' | null} shows the page that the link requests instead of a redirect
 */

/** @param {DirectoryDoi} doi @param {Circumstances} circumstances */
export function glanceView(doi, circumstances) {
  const { record, registrationAgency, whichRa, suggestions } = doi;
  const { isEmbedded } = circumstances;
  const isElsewhere = isEmbedded && record?.status === 'HANDLE_NOT_FOUND';
  const noAgency = missing(isElsewhere ? 'not known here' : whichRa ? 'no agency named' : 'not known now');
  /** @type {Record<string, Child>} by their terms */
  const facts = {
    'In the directory': record
      ? standing(record.status, record.values.length, isEmbedded)
      : missing('not known now'),
    'Registered by': registrationAgency
      ? el('span', {}, bdi(registrationAgency.title ?? registrationAgency.name))
      : noAgency,
    'Leads to': isElsewhere ? missing('not known here') : target(doi, circumstances),
  };
  return el(
    'div',
    {},
    glance(termsOf(doi.id).map((term) => [term, facts[term]])),
    suggestions && suggestions.length > 0 && suggestionList(suggestions),
  );
}

/** @param {DirectoryDoi} doi @param {Circumstances} circumstances */
function target({ redirect }, { isLoop, shows }) {
  if (isLoop) return 'nowhere: the alias leads back to itself, or never ends';
  if (!redirect) return missing('not known now');
  const end = redirect.url === null ? 'nowhere' : link(redirect.url, 120);
  if (shows === null) return end;
  return el('div', {}, `the proxy’s own page with the ${shows}`, el('small', {}, 'without that: ', end));
}

/** @param {string} words */
function missing(words) {
  return el('span', { class: 'missing' }, words);
}

/** @param {readonly (readonly [term: string, fact: Child])[]} facts */
function glance(facts) {
  return el(
    'dl',
    { class: 'glance' },
    ...facts.map(([term, fact]) => el('div', {}, el('dt', {}, term), el('dd', {}, fact))),
  );
}

/** @param {string} status @param {number} values @param {boolean} isEmbedded */
function standing(status, values, isEmbedded) {
  const found = status === 'SUCCESS' || status === 'VALUES_NOT_FOUND';
  const isElsewhere = isEmbedded && status === 'HANDLE_NOT_FOUND';
  return el(
    'span',
    { class: `standing ${found ? 'found' : isElsewhere ? 'elsewhere' : 'absent'}` },
    el('span', { class: 'sign', 'aria-hidden': 'true' }, found ? '✓' : isElsewhere ? '–' : '✕'),
    statusInWords(status, isEmbedded),
    status === 'SUCCESS' && ` · ${count(values, 'value')}`,
  );
}

/** @param {NonNullable<DirectoryDoi['suggestions']>} suggestions */
function suggestionList(suggestions) {
  return el(
    'div',
    { class: 'suggestions' },
    el('p', {}, 'Did you mean'),
    el(
      'ul',
      {},
      ...suggestions.map(({ id, name }) =>
        el('li', {}, el('a', { class: 'inspect', href: addressOf({ doi: id, other: '' }) }, code(name))),
      ),
    ),
  );
}
