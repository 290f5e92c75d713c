// @ts-check
// The three things most people came for, as soon as the directory has answered.

import { addressOf } from './address.js';
import { el } from './dom.js';
import { bdi, code, link } from './text.js';
import { count, statusInWords } from './words.js';

/** @import { DirectoryDoi } from './answers.js' */
/** @import { Child } from './dom.js' */

const TERMS = /** @type {const} */ (['In the directory', 'Registered by', 'Leads to']);

export function glanceWaiting() {
  return glance(TERMS.map(() => el('span', { class: 'waiting' }, 'asking …')));
}

export function glanceFailed() {
  return glance(TERMS.map(() => el('span', { class: 'missing' }, 'not known now')));
}

/** @param {DirectoryDoi} doi */
export function glanceView({ record, registrationAgency, whichRa, redirect, suggestions }) {
  const notKnown = () => el('span', { class: 'missing' }, 'not known now');
  const nobody = whichRa ? el('span', { class: 'missing' }, 'no agency named') : notKnown();
  return el(
    'div',
    {},
    glance([
      record ? standing(record.status, record.values.length) : notKnown(),
      registrationAgency ? el('span', {}, bdi(registrationAgency.title ?? registrationAgency.name)) : nobody,
      redirect ? (redirect.url === null ? 'nowhere' : link(redirect.url, 120)) : notKnown(),
    ]),
    suggestions && suggestions.length > 0 && suggestionList(suggestions),
  );
}

/** @param {readonly Child[]} facts */
function glance(facts) {
  return el(
    'dl',
    { class: 'glance' },
    ...TERMS.map((term, index) => el('div', {}, el('dt', {}, term), el('dd', {}, facts[index]))),
  );
}

/** @param {string} status @param {number} values */
function standing(status, values) {
  const found = status === 'SUCCESS' || status === 'VALUES_NOT_FOUND';
  return el(
    'span',
    { class: found ? 'standing found' : 'standing absent' },
    el('span', { class: 'sign', 'aria-hidden': 'true' }, found ? '✓' : '✕'),
    statusInWords(status),
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
